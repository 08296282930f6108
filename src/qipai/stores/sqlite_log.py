"""The write-ahead log of a SQLite file: tells whether frames that were committed are damaged, and copies it.

SQLite reads a log up to the first damaged frame and forgets the rest without a word, so this is asked before
SQLite opens the file. The format is described in https://www.sqlite.org/fileformat2.html#walformat.
"""

import os
import sqlite3
import struct
from array import array
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Final, NamedTuple

PAGE_BYTES: Final = 4096
"""Size of the pages of a journal, and of an archive that was made with schema 3 or before."""
ARCHIVE_PAGE_BYTES: Final = 32768
"""Size of the pages of an archive: a page of 4096 bytes has space for one chess game only."""
COPIED_PAGES: Final = 1000
"""Pages added to the log after which a thread copies them into the file."""
RESTART_PAGES: Final = 16_000
"""Pages (64 MB) after which the log is restarted."""
_PAGE_SIZES: Final = (PAGE_BYTES, ARCHIVE_PAGE_BYTES)
_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_MAGIC: Final = 0x377F0682
"""The last bit tells the order of bytes in the numbers that a checksum adds."""
_INDEX_HEADER: Final = 48
_CHUNK: Final = 512
"""Frames whose checksums are computed together."""
_PAIR: Final = 8
_PAIRS_PER_MASK: Final = 16
"""A sum of 32 bits grows by less than 1.5 bits with each pair, so it stays in its 64 bits."""


class Frame(NamedTuple):
    """One page in a log, and where its bytes start.

    `sound` if its checksum follows from that of the frame before it.
    """

    number: int
    ends_transaction: bool
    start: int
    sound: bool


class Log(NamedTuple):
    """The frames of the committed transactions of a log.

    It is damaged if SQLite would read fewer. `missing` frames were at its end and are not there at all, as
    after a power failure.
    """

    frames: tuple[Frame, ...] = ()
    is_damaged: bool = False
    missing: int = 0
    page_bytes: int = PAGE_BYTES

    @property
    def damage(self) -> str:
        """Return what is wrong with it, or an empty text."""
        if self.is_damaged:
            return "its write-ahead log is damaged"
        return f"its write-ahead log lacks its last {self.missing} pages" if self.missing else ""


def read_log(path: Path) -> Log:
    """Read the log of a file; also what comes after a damaged frame.

    A server may be writing. A frame that it had not finished when it was read is finished when it is read
    again, so only what is found twice is damage.

    A process that has the file open must not call this: when it closes SQLite's index, it loses its locks.
    """
    log = _read(path)
    while log.damage and _place_of_damage(again := _read(path)) != _place_of_damage(log):
        log = again
    return log


def _place_of_damage(log: Log) -> tuple[bool, int | None, int, int]:
    """Return what a second reading of a damaged log has in common with the first, though more was added."""
    unsound = next((frame.start for frame in log.frames if not frame.sound), None)
    return log.is_damaged, unsound, log.missing, len(log.frames) if log.missing else 0


def log_file(path: Path) -> Path:
    """Return the name of the log of a file."""
    return path.with_name(path.name + "-wal")


def _read(path: Path) -> Log:
    index = _index(path)  # First: what it counts is in the log by now.
    try:
        log = log_file(path).read_bytes()
    except FileNotFoundError:
        return Log()
    page_bytes = _page_bytes(path, log)
    if len(log) < _HEADER + _FRAME_HEADER + page_bytes:
        return Log()
    has_header = struct.unpack_from(">I", log)[0] & ~1 == _MAGIC and _header_sums(log) == log[24:_HEADER]
    salts = log[16:24] if has_header else _first_salts(log, page_bytes)
    found = list(_frames(log, salts, page_bytes, big_endian=has_header and bool(log[3] & 1)))
    present = max((count for count, (is_new, _) in enumerate(found, 1) if is_new), default=0)
    frames = tuple(frame for _, frame in found[:present])
    ends = [count for count, frame in enumerate(frames, 1) if frame.ends_transaction]
    first_bad = next((count for count, frame in enumerate(frames, 1) if not frame.sound), present + 1)
    readable = max((end for end in ends if end < first_bad), default=0) if has_header else 0
    # A server that is killed may have written a part of its last transaction. The index tells whether it was
    # committed; without an index the last transaction does not count.
    counted = index.frames if index.salts == salts else 0
    committed = max(readable, ends[-2] if len(ends) > 1 else 0, counted if counted <= present else 0)
    return Log(frames[:committed], readable < committed, max(counted - present, 0), page_bytes)


def page_sizes(path: Path) -> tuple[int, ...]:
    """Return the size of the pages of a file; all that it may have if its header is damaged."""
    with path.open("rb") as file:
        header = file.read(18)
    size = int.from_bytes(header[16:18], "big")
    return (size,) if size in _PAGE_SIZES else _PAGE_SIZES


def _page_bytes(path: Path, log: bytes) -> int:
    """Return the size of the pages in a log by its header, or else by that of the file."""
    size = int.from_bytes(log[8:12], "big")
    return size if size in _PAGE_SIZES or not path.exists() else page_sizes(path)[0]


def _frames(log: bytes, salts: bytes, page_bytes: int, *, big_endian: bool) -> Iterator[tuple[bool, Frame]]:
    """Yield every frame, and whether a salt is right: before the last restart of the log both were others."""
    sums, frame_bytes = log[24:_HEADER], _FRAME_HEADER + page_bytes
    end = len(log) - (len(log) - _HEADER) % frame_bytes
    for first in range(_HEADER, end, _CHUNK * frame_bytes):
        chunk = log[first : min(first + _CHUNK * frame_bytes, end)]
        places = range(0, len(chunk), frame_bytes)
        # The frames that a restart of the log left behind have other salts, so no checksum matters.
        any_whole = any(chunk[place + 8 : place + 16] == salts for place in places)
        expected = _sums(chunk, sums, frame_bytes, big_endian=big_endian) if any_whole else bytes(len(chunk))
        for place in places:
            number, size, salt, other_salt, stored = struct.unpack_from(">II4s4s8s", chunk, place)
            is_new = salt == salts[:4] or other_salt == salts[4:]
            is_whole = salt + other_salt == salts
            at = place // frame_bytes * _PAIR
            sound = is_whole and stored == expected[at : at + _PAIR]
            yield is_new, Frame(number, is_new and size > 0, first + place + _FRAME_HEADER, sound)
        sums = stored


def _first_salts(log: bytes, page_bytes: int) -> bytes:
    """Return the salts that most of the first frames have: the header is damaged."""
    frame_bytes = _FRAME_HEADER + page_bytes
    starts = range(_HEADER + 8, min(len(log), _HEADER + 5 * frame_bytes) - 8, frame_bytes)
    salts = [log[start : start + 8] for start in starts]
    return max(salts, key=salts.count)


class _Index(NamedTuple):
    """What SQLite's index of a log says: the salts of the log, and how many frames were committed."""

    salts: bytes = b""
    frames: int = 0


def _index(path: Path) -> _Index:
    """Return what the index of a log says; its header is there twice, and equal if it is whole."""
    try:
        index = path.with_name(path.name + "-shm").read_bytes()[: 2 * _INDEX_HEADER]
    except FileNotFoundError:
        return _Index()
    if len(index) < 2 * _INDEX_HEADER or index[:_INDEX_HEADER] != index[_INDEX_HEADER:]:
        return _Index()
    return _Index(index[32:40], struct.unpack_from("=I", index, 16)[0])


def _header_sums(log: bytes) -> bytes:
    """Return the checksum that the header of a log should have."""
    words = struct.unpack_from(f"{'>' if log[3] & 1 else '<'}6I", log)
    one = two = 0
    for first, second in zip(words[::2], words[1::2], strict=True):
        one += first + two
        two += second + one
    return struct.pack(">II", one & 0xFFFFFFFF, two & 0xFFFFFFFF)


def _sums(frames: bytes, before: bytes, frame_bytes: int, *, big_endian: bool) -> bytes:
    """Return the checksum that each frame should have, as it is stored; `before` is that before the first.

    SQLite adds two words after the other: `one += first + two` and `two += second + one`, modulo 2**32. It
    begins with the checksum of the frame before, which is stored there. So all frames can be added at the
    same time: every frame has 64 bits of its own in large integers.
    """
    count, pairs_per_frame = len(frames) // frame_bytes, frame_bytes // _PAIR
    # A checksum covers the first pair of words, not the salts and the checksum itself, and the page.
    summed_pairs = (0, *range(_FRAME_HEADER // _PAIR, pairs_per_frame))
    stored = [frames[start + 16 : start + 24] for start in range(0, len(frames) - frame_bytes, frame_bytes)]
    # The order of bytes in which Python makes large integers fastest; so the last frame has the lowest bits.
    low_words = int.from_bytes(b"\0\0\0\0\xff\xff\xff\xff" * count, "big")
    sums = int.from_bytes(before + b"".join(stored), "big")
    one, two = sums >> 32 & low_words, sums & low_words
    pairs = array("Q", frames if big_endian else _swapped(frames))
    for number, column in enumerate(summed_pairs, 1):
        words = int.from_bytes(pairs[column::pairs_per_frame].tobytes(), "big")
        one += (words >> 32 & low_words) + two
        two += (words & low_words) + one
        if number % _PAIRS_PER_MASK == 0:
            one &= low_words
            two &= low_words
    return ((one & low_words) << 32 | two & low_words).to_bytes(count * _PAIR, "big")


def _swapped(words: bytes) -> bytes:
    """Return words of four bytes in the other order."""
    numbers = array("I", words)
    numbers.byteswap()
    return numbers.tobytes()


class LogCopier:
    """Copies the log of an open file into the file in a thread, and restarts it when it has grown long.

    Under constant load a log never restarts by itself. A restart flushes all that was copied to the disk
    while nobody may write, so nearly all is copied and flushed before.
    """

    def __init__(self, connection: sqlite3.Connection, file: int, writing: Lock) -> None:
        # Another process may read the file: a restart does not wait for it, it is tried again.
        connection.execute("pragma busy_timeout = 0")
        self._connection = connection
        self._file = file
        """A descriptor that stays open as long as the file is: closing one loses the locks of SQLite."""
        self._writing = writing
        self._thread = ThreadPoolExecutor(1, "wal-checkpoint")
        self._added = 0
        self._copying: Future[bool] | None = None
        self._restarting: Future[None] | None = None

    @property
    def is_restarting(self) -> bool:
        """Tell whether writers wait for the disk now."""
        return self._restarting is not None and not self._restarting.done()

    def added(self, pages: int) -> None:
        """Count pages that were added to the log; copy or restart it if it is time."""
        self._added += pages
        if self.is_restarting or (self._copying is not None and not self._copying.done()):
            return
        if self._copying is not None and self._copying.result():
            self._copying = None
            self._restarting = self._thread.submit(self._restart)
        elif self._added >= COPIED_PAGES:
            self._added = 0
            self._copying = self._thread.submit(self._copy)

    def close(self) -> None:
        """Copy nothing more."""
        self._thread.shutdown()

    def _copy(self) -> bool:
        """Copy the log into the file; tell whether it is so long that it must be restarted."""
        try:
            # The second time it copies and flushes the little that was added during the first.
            for _ in range(2):
                _, pages, _ = self._connection.execute("pragma wal_checkpoint(passive)").fetchone()
                if pages <= RESTART_PAGES:
                    return False
                os.fsync(self._file)
        except (sqlite3.Error, OSError):
            return False  # The log keeps its contents; if the cause persists, the next group raises it.
        return True

    def _restart(self) -> None:
        try:
            with self._writing:
                self._connection.execute("pragma wal_checkpoint(restart)").fetchall()
        except sqlite3.Error:
            return  # As above.
