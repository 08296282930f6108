"""`qipai backup` and `qipai restore`: what is copied is checked, and a restored backup is served."""

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.hall.journal.store_interface import StoreError
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.sqlite_files import SIDE_FILES
from qipai.stores.sqlite_repair import repair
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE, open_store
from tests.server.test_http import get
from tests.support.databases.known_databases import OPEN, write_archive, write_journal
from tests.support.server import Client, ServerProcess, free_port


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a data folder with a journal and an archive."""
    folder = tmp_path / "data"
    folder.mkdir()
    write_journal(folder, crash=False)
    write_archive(folder)
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


def change(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(sql).rowcount == 1
        connection.commit()


@pytest.mark.slow
def test_a_restored_backup_is_served(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ServerProcess(data) as server:
        ada = Client(server.port)
        room = ada.ask("open", "room", game="gomoku", nonce="1")["room"]["id"]
        ada.send("say", room=room, text="before the backup")
        ada.receive_event("said")
        assert main(["backup", "monday.db"]) == 0
        ada.send("say", room=room, text="after the backup")
        ada.receive_event("said")
        assert main(["restore", "monday.db"]) == 2
        assert "in use by another server" in capsys.readouterr().err
        ada.close()
    assert Path("monday-archive.db").is_file()
    for file in (JOURNAL_FILE, ARCHIVE_FILE):
        (data / file).write_bytes(b"lost")
    assert main(["restore", "monday.db"]) == 0
    assert len(list(data.glob("qipai.db.before-restore-*"))) == 1
    assert len(list(data.glob("archive.db.before-restore-*"))) == 1
    with ServerProcess(data) as server:
        bob = Client(server.port, token=ada.token)
        restored = bob.ask("join", "room", room=room)["room"]
        assert [line["text"] for line in restored["chat"]] == ["before the backup"]
        assert len(json.loads(get(server, "/api/games?limit=100")[2])["games"]) >= 16
        bob.close()
    assert server.errors == []


def test_a_backup_of_a_damaged_table_names_it_and_has_all_others(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(data / JOURNAL_FILE, "update rooms set snapshot = x'00' where room = 'room00000007'")
    change(data / ARCHIVE_FILE, "update archived_matches set body = x'00' where room = 'room00000003'")
    assert main(["backup", "copy.db"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "qipai: table room00000007: its snapshot is damaged"
    assert lines[1].startswith("qipai: archived match 1 of table room00000003: ")
    assert len(lines) == 2
    with closing(SqliteStore(Path("copy.db"))) as store:
        assert len(store.open_rooms()) == 24


def test_a_backup_of_damaged_pages_is_refused_and_leaves_no_file(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = bytearray((data / JOURNAL_FILE).read_bytes())
    body[5 * 4096 : 6 * 4096] = bytes(4096)
    (data / JOURNAL_FILE).write_bytes(body)
    assert main(["backup", "copy.db"]) == 2
    assert "is damaged" in capsys.readouterr().err
    assert not Path("copy.db").exists()


@pytest.mark.parametrize("source", ["missing", "empty", "text", "torn"])
def test_restore_refuses_what_is_no_sound_backup_and_changes_nothing(
    data: Path, capsys: pytest.CaptureFixture[str], source: str
) -> None:
    before = (data / JOURNAL_FILE).read_bytes()
    file = Path("copy.db")
    if source != "missing":
        torn = before[: len(before) // 2]
        file.write_bytes({"empty": b"", "text": b"not a database" * 999, "torn": torn}[source])
    assert main(["restore", "copy.db"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("qipai: copy.db")
    assert (data / JOURNAL_FILE).read_bytes() == before
    assert {each.name for each in data.iterdir()} <= {JOURNAL_FILE, ARCHIVE_FILE, f"{JOURNAL_FILE}.lock"}


def test_restore_names_the_damaged_tables_of_a_backup_and_changes_nothing(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "copy.db"]) == 0
    change(Path("copy.db"), "update rooms set snapshot = x'00' where room = 'room00000007'")
    before = (data / JOURNAL_FILE).read_bytes()
    capsys.readouterr()
    assert main(["restore", "copy.db"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "qipai: table room00000007: its snapshot is damaged"
    assert lines[1].startswith("qipai: nothing was changed")
    assert (data / JOURNAL_FILE).read_bytes() == before
    assert not [each.name for each in data.iterdir() if "restor" in each.name]


def test_doctor_deep_names_every_damaged_table_and_match(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["doctor", "--deep"]) in (0, 1)
    out = capsys.readouterr().out
    assert "qipai.db is readable, 24 open tables" in out
    assert "ok   every finished game can be read" in out
    change(data / JOURNAL_FILE, "update journal set written_at = 0 where group_id = 3")
    change(data / ARCHIVE_FILE, "update archived_rooms set history = x'00' where room = 'room00000003'")
    assert main(["doctor", "--deep"]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL")]
    assert any("group 3 is damaged" in line for line in failed)
    assert any("archived table room00000003" in line for line in failed)
    assert all("room000000" in line or "group 3" in line or "web client" in line for line in failed)


def test_an_export_leaves_damaged_tables_out_and_names_them(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change(data / JOURNAL_FILE, "update rooms set snapshot = x'00' where room = 'room00000007'")
    change(data / ARCHIVE_FILE, "update archived_matches set body = x'00' where room = 'room00000003'")
    assert main(["export", "all.gz"]) == 1
    printed = capsys.readouterr()
    assert "all.gz: 29 tables, 15 archived tables" in printed.out
    assert "not in the file: table room00000007: its snapshot is damaged" in printed.err
    assert "not in the file: archived table room00000003" in printed.err


def test_a_damaged_export_is_never_imported(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["export", "all.gz"]) == 0
    whole = Path("all.gz").read_bytes()
    monkeypatch.setenv("QIPAI_DATA", "new")
    for place in range(20, len(whole), len(whole) // 25):  # The header of the file has ten bytes and a name.
        torn = bytearray(whole)
        torn[place] ^= 4
        Path("torn.gz").write_bytes(torn)
        assert main(["import", "torn.gz"]) == 2, place
    with closing(SqliteStore(Path("new") / JOURNAL_FILE)) as store:
        assert list(store.open_rooms()) == []
    assert main(["import", "all.gz"]) == 0


def run_read_only(data: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    """Run a command whose data folder is on a read-only file system."""
    mount = f"mount --bind {data} {data} && mount -o remount,ro,bind {data}"
    program = f"{sys.executable} -m qipai {' '.join(command)}"
    return subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", f"{mount} && exec {program}"],
        env=os.environ | {"QIPAI_DATA": str(data)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.skipif(
    shutil.which("unshare") is None
    or subprocess.run(
        ["unshare", "--map-root-user", "--mount", "true"], capture_output=True, check=False
    ).returncode
    != 0,
    reason="mounting needs user namespaces",
)
@pytest.mark.parametrize("ending", ["stopped", "crashed", "crashed while a log was begun"])
def test_commands_read_a_database_on_a_read_only_file_system(data: Path, tmp_path: Path, ending: str) -> None:
    room = "room00000003"
    crashed = ending != "stopped"
    if crashed:
        with ServerProcess(data) as server:
            ada = Client(server.port)
            room = ada.ask("open", "room", game="gomoku", nonce="1")["room"]["id"]
            ada.close()
            server.kill()
        assert (data / f"{JOURNAL_FILE}-wal").stat().st_size
    if ending == "crashed while a log was begun":
        # SQLite writes the 32 bytes of the header to disk before the first page.
        with closing(sqlite3.connect(data / ARCHIVE_FILE)) as archive:
            archive.execute("create table more (value)")
            log = (data / f"{ARCHIVE_FILE}-wal").read_bytes()
            index = (data / f"{ARCHIVE_FILE}-shm").read_bytes()
        (data / f"{ARCHIVE_FILE}-wal").write_bytes(log[:32])
        (data / f"{ARCHIVE_FILE}-shm").write_bytes(index)
    before = {file.name: file.stat().st_size for file in data.iterdir()}
    for command in (("verify", room), ("replay", room), ("backup", str(tmp_path / "copy.db"))):
        ended = run_read_only(data, *command)
        assert (ended.returncode, ended.stderr) == (0, ""), command
    assert {file.name: file.stat().st_size for file in data.iterdir()} == before
    with closing(SqliteStore(tmp_path / "copy.db")) as store:
        assert len(store.open_rooms()) == 24 + crashed


def test_a_backup_that_does_not_fit_names_the_copy(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, hard))  # A file may have no more bytes.
    try:
        assert main(["backup", "copy.db"]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("qipai: copy.db: ")
    assert str(data) not in line
    assert not Path("copy.db").exists()


class Killed(BaseException):
    """The process ends here."""


def kill_at_rename(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """End the process before so many renames are done."""
    left = number

    def count(rename: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def counted(self: Path, target: Path) -> Path:
            nonlocal left
            if not left:
                raise Killed
            left -= 1
            return rename(self, target)

        return counted

    monkeypatch.setattr(Path, "rename", count(Path.rename))
    monkeypatch.setattr(Path, "replace", count(Path.replace))


@pytest.mark.parametrize("renames", range(4))
def test_a_restore_that_is_killed_hides_no_table(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], renames: int
) -> None:
    assert main(["backup", "copy.db"]) == 0
    Path("copy-archive.db").unlink()
    for suffix in SIDE_FILES:
        (data / (JOURNAL_FILE + suffix)).write_bytes(b"of the file before")
    with monkeypatch.context() as patch:
        kill_at_rename(patch, renames)
        with pytest.raises(Killed):
            main(["restore", "copy.db"])
    if renames:
        with pytest.raises(StoreError, match="a restore was stopped: type `qipai restore FILE` again"):
            open_store("sqlite", data, "process")
        capsys.readouterr()
        assert main(["doctor"]) == 1
        assert "a restore was stopped" in capsys.readouterr().out
        assert not (data / JOURNAL_FILE).exists()
    assert main(["restore", "copy.db"]) == 0
    assert not any((data / (JOURNAL_FILE + suffix)).exists() for suffix in SIDE_FILES)
    with closing(open_store("sqlite", data, "process")) as store:
        assert len(store.open_rooms()) == OPEN


def test_a_repair_that_is_killed_hides_no_table(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = data / JOURNAL_FILE
    body = bytearray(journal.read_bytes())
    body[100:4096] = bytes(3996)  # The list of all tables of the database.
    journal.write_bytes(body)
    with monkeypatch.context() as patch:
        kill_at_rename(patch, 1)
        with pytest.raises(Killed):
            repair(journal, "today")
    new = data / (JOURNAL_FILE + ".rebuilding")
    for _ in range(2):
        with pytest.raises(StoreError, match=f"rename {new} to {journal}"):
            open_store("sqlite", data, "process")
    new.rename(journal)
    with closing(open_store("sqlite", data, "process")) as store:
        assert len(store.open_rooms()) == OPEN
