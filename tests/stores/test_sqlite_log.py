"""The write-ahead log of SQLite: which frames are sound, and whether SQLite would read too few of them."""

import os
import shutil
import sqlite3
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Literal

import pytest

from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.archives.sqlite_archive import SqliteArchive
from qipai.stores.sqlite_files import SIDE_FILES
from qipai.stores.sqlite_log import ARCHIVE_PAGE_BYTES, Log, read_log

PAGE, FRAME = 4096, 24 + 4096
SALTS = b"\1\2\3\4\5\6\7\x08"

Sums = tuple[int, int]


def add(words: bytes, sums: Sums, order: Literal[">", "<"]) -> Sums:
    """Return the checksum of a log after these words, as SQLite's documentation describes it."""
    one, two = sums
    numbers = struct.unpack(f"{order}{len(words) // 4}I", words)
    for first, second in zip(numbers[::2], numbers[1::2], strict=True):
        one = (one + first + two) % 2**32
        two = (two + second + one) % 2**32
    return one, two


def log_of(frames: int, order: Literal[">", "<"]) -> bytes:
    """Return a log in which every frame is a transaction."""
    header = struct.pack(">IIII", 0x377F0682 + (order == ">"), 3007000, PAGE, 0) + SALTS
    sums = add(header, (0, 0), order)
    log = header + struct.pack(">II", *sums)
    for number in range(1, frames + 1):
        page = os.urandom(PAGE - 64) + b"\xff" * 64
        start = struct.pack(">II", number, number)
        sums = add(start + page, sums, order)
        log += start + SALTS + struct.pack(">II", *sums) + page
    return log


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("frames", [1, 2, 512, 513, 1030])
def test_every_frame_of_a_whole_log_is_sound(tmp_path: Path, frames: int, order: Literal[">", "<"]) -> None:
    (tmp_path / "q.db-wal").write_bytes(log_of(frames, order))
    log = read_log(tmp_path / "q.db")
    assert [frame.number for frame in log.frames if frame.sound] == list(range(1, frames + 1))
    assert log.damage == ""


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("bad", [0, 1, 511, 512, 600])
def test_a_changed_bit_is_found_in_its_frame(tmp_path: Path, bad: int, order: Literal[">", "<"]) -> None:
    whole = log_of(603, order)
    for place in (0, 7, 24, 24 + 2051, FRAME - 1):  # The number of the page, its size, the page.
        changed = bytearray(whole)
        changed[32 + bad * FRAME + place] ^= 0x40
        (tmp_path / "q.db-wal").write_bytes(changed)
        log = read_log(tmp_path / "q.db")
        assert [count for count, frame in enumerate(log.frames) if not frame.sound] == [bad]
        assert log.damage == "its write-ahead log is damaged"


def test_a_frame_that_was_being_written_when_it_was_read_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = log_of(5, "<")
    path = tmp_path / "q.db-wal"
    path.write_bytes(whole)
    unfinished = [whole[: 32 + 2 * FRAME + 100] + bytes(500) + whole[32 + 2 * FRAME + 600 :]]
    read = Path.read_bytes

    def read_early(self: Path) -> bytes:
        return unfinished.pop() if self == path and unfinished else read(self)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read_early)
        log = read_log(tmp_path / "q.db")
    assert not unfinished
    assert (log.damage, len(log.frames)) == ("", 5)


def test_a_damaged_log_that_grows_is_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, reads = bytearray(log_of(30, "<")), 0
    whole[32 + 3 * FRAME + 2000] ^= 1
    path = tmp_path / "q.db-wal"
    path.write_bytes(whole)

    read = Path.read_bytes

    def read_grown(self: Path) -> bytes:
        nonlocal reads
        if self != path:
            return read(self)
        reads += 1
        return bytes(whole[: 32 + (10 + reads) * FRAME])

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read_grown)
        log = read_log(tmp_path / "q.db")
    assert reads == 2
    assert log.is_damaged


WRITER = """
import sqlite3, sys
with_restarts = sqlite3.connect(sys.argv[1], isolation_level=None)
with_restarts.execute("pragma journal_mode = wal")
with_restarts.execute("pragma synchronous = off")
with_restarts.execute("pragma wal_autocheckpoint = 40")
with_restarts.execute("create table t (n integer primary key, body blob)")
print("ready", flush=True)
number = 0
while True:
    number += 1
    with_restarts.execute("insert or replace into t values (?, randomblob(9000))", (number % 50,))
"""


@contextmanager
def writing(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Run a process that writes all the time, and restarts its log."""
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.slow
def test_a_log_that_is_being_written_is_not_damaged(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    seen: set[bytes] = set()
    with writing(path):
        for _ in range(300):
            assert read_log(path).damage == ""
            seen.add((tmp_path / "q.db-wal").read_bytes()[16:24])
    assert len(seen) > 1, "the log was restarted meanwhile"
    assert read_log(path).damage == "", "nor after a kill"


def crashed(folder: Path) -> Path:
    """Return a file with a log of three transactions, as a crash leaves it."""
    with closing(sqlite3.connect(folder / "q.db", isolation_level=None)) as connection:
        connection.execute("pragma journal_mode = wal")
        connection.execute("create table t (n integer primary key)")
        for number in range(2):
            connection.execute("insert into t values (?)", (number,))
        for suffix in ("", *SIDE_FILES):
            shutil.copyfile(f"{folder / 'q.db'}{suffix}", f"{folder / 'crashed.db'}{suffix}")
    return folder / "crashed.db"


def log_with(path: Path, change: int) -> Log:
    """Read a log in which one byte of the last page is changed, or that was cut by so many bytes."""
    wal = Path(f"{path}-wal")
    body = bytearray(wal.read_bytes())
    if change:
        del body[-change:]
    else:
        body[-9] ^= 1
    wal.write_bytes(body)
    return read_log(path)


def test_the_index_tells_that_the_last_transaction_was_committed(tmp_path: Path) -> None:
    path = crashed(tmp_path)
    assert read_log(path).damage == ""
    assert log_with(path, 0).damage == "its write-ahead log is damaged"
    Path(f"{path}-shm").unlink()
    assert read_log(path).damage == "", "without an index the server may have been killed while it wrote"


def test_the_index_tells_that_the_end_of_the_log_is_missing(tmp_path: Path) -> None:
    assert log_with(crashed(tmp_path), FRAME).damage == "its write-ahead log lacks its last 1 pages"


def test_the_log_of_an_archive_has_larger_pages(tmp_path: Path) -> None:
    path, copy = tmp_path / "archive.db", tmp_path / "copy.db"
    with closing(SqliteArchive(path)) as archive:
        archive.store(RoomId("r"), [Entry(RoomId("r"), 1, Millis(1), b"{}")], [])
        for suffix in ("", "-wal"):
            copy.with_name(copy.name + suffix).write_bytes(path.with_name(path.name + suffix).read_bytes())
    log = read_log(copy)
    assert log.page_bytes == ARCHIVE_PAGE_BYTES
    assert log.frames
    assert all(frame.sound for frame in log.frames)
    assert log.damage == ""
    whole = bytearray(copy.with_name("copy.db-wal").read_bytes())
    whole[log.frames[0].start + 9000] ^= 1
    copy.with_name("copy.db-wal").write_bytes(whole)
    assert read_log(copy).damage == "its write-ahead log is damaged"
