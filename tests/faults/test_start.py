"""A server that begins with a broken store or archive: one line and exit code 2, or it starts and says so."""

import json
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.server.test_http import get
from tests.support.databases.dying_redis import DyingRedis
from tests.support.journal_writer import JournalWriter
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow


def serve(data: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run a server that must not start."""
    return subprocess.run(
        [sys.executable, "-m", "qipai", "serve"],
        env=os.environ | {"QIPAI_DATA": str(data), "PORT": "0", **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def assert_refused(ended: "subprocess.CompletedProcess[str]", *words: str) -> None:
    assert ended.returncode == 2, ended.stderr
    (line,) = [line for line in ended.stderr.splitlines() if not line.startswith("{")]
    assert line.startswith("qipai: ")
    for word in words:
        assert word in line


@pytest.mark.parametrize("requests", [*range(1, 12), 16, 20, 26])
def test_a_worker_that_begins_while_redis_dies_says_so_in_one_line(tmp_path: Path, requests: int) -> None:
    with RedisServer(tmp_path) as redis, DyingRedis(redis.port, requests) as dying:
        assert_refused(serve(tmp_path / "data", QIPAI_STORE=dying.address), "Redis")


def test_an_empty_journal_beside_an_archive_is_refused(tmp_path: Path) -> None:
    open_archive(tmp_path, "").close()
    (tmp_path / JOURNAL_FILE).touch()
    assert_refused(serve(tmp_path), f"{tmp_path / JOURNAL_FILE} is empty", "qipai restore FILE", "remove")
    assert (tmp_path / JOURNAL_FILE).stat().st_size == 0
    (tmp_path / JOURNAL_FILE).unlink()
    with ServerProcess(tmp_path) as server:
        assert server.errors == []


def test_doctor_names_an_empty_journal_beside_an_archive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    open_archive(tmp_path, "").close()
    (tmp_path / JOURNAL_FILE).touch()
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    assert main(["doctor"]) == 1
    assert "qipai.db is empty, but" in capsys.readouterr().out


def test_an_empty_journal_without_an_archive_is_that_of_a_new_server(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).touch()
    with ServerProcess(tmp_path) as server:
        assert server.errors == []


@pytest.mark.parametrize("damage", ["not a database", "pages"])
def test_a_damaged_archive_does_not_stop_the_start_and_ready_tells(tmp_path: Path, damage: str) -> None:
    open_archive(tmp_path, "").close()
    whole = (tmp_path / ARCHIVE_FILE).read_bytes()
    torn = b"x" * 5000 if damage == "not a database" else whole[:8192] + b"\xff" * (len(whole) - 8192)
    (tmp_path / ARCHIVE_FILE).write_bytes(torn)
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    with ServerProcess(tmp_path) as server:
        ada = Client(server.port)
        assert ada.ask("open", "room", game="tictactoe", nonce="1")["room"]["phase"] == "waiting"
        ada.close()
        for _ in range(200):
            status, _, body = get(server, "/ready")
            if "archive" in json.loads(body):
                break
            time.sleep(0.05)
        assert (status, json.loads(body)) == (200, {"status": "ready", "archive": "damaged"})
        if damage == "not a database":
            assert get(server, "/api/games")[0] == 503
    assert {"archive damaged", "archive unavailable"} & {line["event"] for line in server.errors}
    assert (tmp_path / ARCHIVE_FILE).read_bytes()[:5000] == torn[:5000]


def test_ready_metrics_and_doctor_tell_how_many_tables_are_set_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = JournalWriter("tictactoe")
    table.take_seats("Ada", "Bo")
    table.store(tmp_path)
    path = tmp_path / JOURNAL_FILE
    body = path.read_bytes()
    path.write_bytes(body.replace(b'"phase":"playing"', b'"phase":"waiting"'))
    assert path.read_bytes() != body
    newer = Snapshot(RoomId("newer"), 1, True, b'{"format":99}')
    with closing(SqliteStore(path)) as store:
        store.append([Entry(newer.room, 1, Millis(1), b'{"format":99}')], [newer])
    with ServerProcess(tmp_path) as server:
        assert json.loads(get(server, "/ready")[2]) == {"status": "ready", "tables_set_aside": "2"}
        metrics = get(server, "/metrics")[2]
        assert b'qipai_rooms_quarantined{reason="damaged"} 1.0' in metrics
        assert b'qipai_rooms_quarantined{reason="unreadable"} 1.0' in metrics
        ada = Client(server.port)
        refused = ada.ask("watch", "refused", room=table.room.id)
        assert refused["code"] == "unavailable"
        ada.close()
    assert sorted((line["event"], line["room"]) for line in server.errors) == sorted(
        ("table set aside", room) for room in (table.room.id, newer.room)
    )
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    assert main(["doctor"]) == 1
    assert len([line for line in capsys.readouterr().out.splitlines() if line.startswith("FAIL table")]) == 2
