"""A server starts without PostgreSQL: games go on, and finished ones are archived later."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from qipai.cli.main import main
from tests.server.test_http import get
from tests.support.databases.postgres import postgres
from tests.support.server import ServerProcess, clients, free_port

pytestmark = pytest.mark.slow

_SHORT_PAUSES = """
import sys
from qipai.hall.history import archiver
from qipai.stores.sql import postgres_database
archiver.IDLE_PAUSE, archiver.ERROR_PAUSE, postgres_database.RETRY_AFTER = 200, 1_000, 0.5
from qipai.cli.main import main
sys.exit(main(["serve"]))
"""


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as address:
        yield address


def play(server: ServerProcess) -> str:
    """Finish a game and close its room."""
    with clients(server.port, 2) as (ann, bob):
        room = str(ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"])
        (first,) = bob.ask("join", "room", room=room)["room"]["to_act"]
        mover = (ann, bob)[first]
        mover.send("play", room=room, move={"do": "mark", "cell": 4})
        mover.receive_event("marked")
        bob.send("resign", room=room)
        ann.receive_event("game_over")
        for client in (ann, bob):
            client.ask("leave", "left", room=room)
    return room


def search(server: ServerProcess) -> tuple[int, object]:
    status, _, body = get(server, "/api/games")
    return status, json.loads(body)


def metric(server: ServerProcess, name: str) -> float:
    lines = get(server, "/metrics")[2].decode().splitlines()
    return float(next(line.rpartition(" ")[2] for line in lines if line.startswith(f"{name} ")))


def test_a_server_starts_without_its_archive_and_archives_games_when_it_can_be_reached(
    tmp_path: Path,
    database: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    link = tmp_path / "link"
    server = ServerProcess(tmp_path / "data")
    server.arguments = ("-c", _SHORT_PAUSES)
    (folder,) = parse_qs(urlsplit(database).query)["host"]
    server.environment = {"QIPAI_ARCHIVE": database.replace(folder, str(link))}
    monkeypatch.setenv("QIPAI_ARCHIVE", server.environment["QIPAI_ARCHIVE"])
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "other"))
    monkeypatch.setenv("PORT", str(free_port()))
    with server:
        room = play(server)
        started = time.monotonic()
        assert search(server) == (
            503,
            {"error": "the archive does not answer, try again in a minute"},
        )
        assert time.monotonic() - started < 20, "the search does not wait for a connection"
        assert get(server, f"/api/games/{room}/1")[0] == 200, "the game is still in the journal"
        assert get(server, "/ready")[0] == 200
        deadline = time.monotonic() + 60
        while not any(error["event"] == "archive unavailable" for error in server.errors):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert metric(server, "qipai_archive_up") == 0
        assert main(["doctor"]) == 1
        assert "FAIL archive: PostgreSQL" in capsys.readouterr().out
        assert main(["export", str(tmp_path / "all.gz")]) == 2
        assert "PostgreSQL" in capsys.readouterr().err
        link.symlink_to(folder)
        deadline = time.monotonic() + 60
        while (found := search(server))[0] != 200:
            assert time.monotonic() < deadline, found
            time.sleep(0.1)
        while metric(server, "qipai_rooms_unarchived") or not metric(server, "qipai_archive_up"):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        _, body = search(server)
        assert isinstance(body, dict)
        assert [game["room"] for game in body["games"]] == [room]
        assert server.stop() == 0


def test_an_unknown_user_of_the_archive_is_logged_without_its_password(tmp_path: Path, database: str) -> None:
    server = ServerProcess(tmp_path / "data")
    server.environment = {"QIPAI_ARCHIVE": database.replace("postgres:", "stranger:hush", 1)}
    assert "stranger" in server.environment["QIPAI_ARCHIVE"]
    with server:
        deadline = time.monotonic() + 60
        while not server.errors:
            assert time.monotonic() < deadline
            time.sleep(0.1)
    assert server.errors[0]["event"] == "archive unavailable"
    assert 'role "stranger" does not exist' in server.errors[0]["error"]
    assert "hush" not in server.log.read_text()
