"""Commands and a damaged write-ahead log of a crashed server, which SQLite reads as if it ended early."""

import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.sqlite_files import SIDE_FILES
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.server.test_http import get
from tests.support.databases.known_databases import OPEN, write_archive, write_journal
from tests.support.server import Client, ServerProcess, free_port

FRAME = 24 + 4096
ROOM = "room00000003"
READERS = (("doctor",), ("doctor", "--deep"), ("verify", ROOM), ("replay", ROOM), ("record", ROOM))
DAMAGE = {
    "damaged": "its write-ahead log is damaged",
    "last transaction": "its write-ahead log is damaged",
    "cut": "its write-ahead log lacks its last 5 pages",
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a crashed server."""
    folder = tmp_path / "data"
    folder.mkdir()
    for suffix, body in write_journal(folder, crash=False).crashed.items():
        (folder / f"{JOURNAL_FILE}{suffix}").write_bytes(body)
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.setenv("PORT", str(free_port()))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    return folder


def damage_log(file: Path, kind: str) -> None:
    wal = Path(f"{file}-wal")
    body = bytearray(wal.read_bytes())
    if kind == "cut":
        del body[-5 * FRAME :]
    else:
        body[-9 if kind == "last transaction" else len(body) // 2] ^= 1
    wal.write_bytes(body)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(".lock")}


@pytest.mark.parametrize("kind", DAMAGE)
def test_every_command_that_reads_says_that_the_log_is_damaged_and_changes_nothing(
    data: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    damage_log(data / JOURNAL_FILE, kind)
    before = contents(data)
    expected = f"{data / JOURNAL_FILE}: is damaged: {DAMAGE[kind]}: stop the server if it runs, and type"
    for command in READERS:
        assert main([*command]) == (1 if command[0] == "doctor" else 2), command
        printed = capsys.readouterr()
        lines = [
            line for line in (printed.out + printed.err).splitlines() if line.startswith(("FAIL", "qipai:"))
        ]
        (line,) = [line for line in lines if "log" in line]
        assert expected in line, command
    assert main(["backup", "copy.db"]) == 2
    assert capsys.readouterr().err.startswith(f"qipai: {expected}")
    assert not Path("copy.db").exists()
    assert contents(data) == before


def test_a_sound_log_of_a_crashed_server_is_read(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", ROOM]) == 0
    assert main(["backup", "copy.db"]) == 0
    assert capsys.readouterr().err == ""
    with closing(SqliteStore(Path("copy.db"))) as store:
        assert len(store.open_rooms()) == OPEN


@pytest.mark.parametrize("command", [("repair",), ("export", "all.gz")])
@pytest.mark.parametrize("kind", DAMAGE)
def test_a_command_that_repairs_the_log_says_that_steps_may_be_lost(
    data: Path, capsys: pytest.CaptureFixture[str], kind: str, command: tuple[str, ...]
) -> None:
    damage_log(data / JOURNAL_FILE, kind)
    assert main([*command]) == 1
    printed = capsys.readouterr()
    assert f"{DAMAGE[kind]}: the last steps of some tables may be lost" in printed.out + printed.err
    assert bool([*data.glob("*.damaged-*")]) is (kind != "cut")
    assert main(["backup", "copy.db"]) in (0, 1)
    assert "log" not in capsys.readouterr().err


@pytest.fixture
def crashed_archive(data: Path) -> Path:
    """Add the archive of a crashed server to the data folder, and damage its log."""
    write_archive(data)
    path = data / ARCHIVE_FILE
    with closing(open_archive(data, "")) as archive:
        for room in map(RoomId, ("more1", "more2")):
            archive.store(room, [Entry(room, 1, Millis(1), b"{}")], [])
        copies = {suffix: Path(f"{path}{suffix}").read_bytes() for suffix in ("", *SIDE_FILES)}
    for suffix, body in copies.items():
        Path(f"{path}{suffix}").write_bytes(body)
    damage_log(path, "damaged")
    return path


def test_commands_say_that_the_log_of_the_archive_is_damaged(
    data: Path, crashed_archive: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(data)[f"{ARCHIVE_FILE}-wal"]
    expected = f"{crashed_archive}: is damaged: its write-ahead log is damaged"
    assert main(["doctor"]) == 1
    assert f"FAIL archive: {expected}" in capsys.readouterr().out
    assert main(["backup", "copy.db"]) == 1
    assert f"qipai: no copy of the archive: {expected}" in capsys.readouterr().err
    assert main(["verify", "archived-only"]) == 2
    assert capsys.readouterr().err.startswith(f"qipai: {expected}")
    assert main(["export", "all.gz"]) == 2
    assert expected in capsys.readouterr().err
    assert contents(data)[f"{ARCHIVE_FILE}-wal"] == before
    assert main(["repair"]) == 0
    assert main(["doctor", "--deep"]) in (0, 1)
    assert "ok   every finished game can be read" in capsys.readouterr().out


@pytest.mark.slow
def test_a_server_starts_without_an_archive_whose_log_is_damaged(data: Path, crashed_archive: Path) -> None:
    before = contents(data)[f"{ARCHIVE_FILE}-wal"]
    with ServerProcess(data) as server:
        deadline = time.monotonic() + 60
        while "archive" not in (answer := json.loads(get(server, "/ready")[2])):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert answer == {"status": "ready", "archive": "damaged"}
    assert contents(data)[f"{ARCHIVE_FILE}-wal"] == before
    assert "archive damaged" in [line["event"] for line in server.errors]


@pytest.mark.slow
def test_commands_beside_a_running_server_find_its_log_sound(data: Path) -> None:
    with ServerProcess(data) as server:
        ada = Client(server.port)
        room = ada.ask("open", "room", game="gomoku", nonce="1")["room"]["id"]
        for number in range(40):
            ada.send("say", room=room, text=f"line {number}")
            if number % 10 == 0:
                ada.receive_event("said")
                assert main(["replay", room]) == 0
                assert main(["backup", f"copy{number}.db"]) == 0
        ada.close()
    assert server.errors == []
