"""`qipai bundle`: shown before it is written, nothing personal in it, and its incidents can be replayed."""

import io
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai.cli.bundle.problem_bundle import ProblemBundle
from qipai.cli.main import main
from qipai.games.game_registry import OWN_GAMES
from tests.support.databases.postgres import postgres
from tests.support.databases.tampering import change_snapshot
from tests.support.faulty_games.faulty_game import CENTRE, faulty_game
from tests.support.journal_writer import JournalWriter
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess, free_port
from tools.replay_bundle import replayed

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let the command line use a data folder of its own."""
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PORT", str(free_port()))
    for name in ("HOST", "QIPAI_CONFIG", "QIPAI_STORE", "QIPAI_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))


def test_the_command_shows_what_the_bundle_has_and_writes_it_only_if_the_operator_agrees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "problem.json"
    for text in ("n\n", "", "maybe\n"):
        answer(monkeypatch, text)
        assert main(["bundle", str(file)]) == 1
        printed = capsys.readouterr().out
        assert not file.exists()
        assert "Nothing was written." in printed
        for part in ("qipai", "settings", "findings", "incidents", "QIPAI_DATA"):
            assert part in printed
    answer(monkeypatch, "y\n")
    assert main(["bundle", str(file)]) == 0
    bundle = json.loads(file.read_bytes())
    assert bundle["versions"]["python"]
    assert bundle["libraries"]["msgspec"]
    assert bundle["settings"]["data"] == "(set)"


def test_a_script_agrees_with_an_option_and_no_file_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "problem.json"
    answer(monkeypatch, "")
    assert main(["bundle", "--yes", str(file)]) == 0
    before = file.read_bytes()
    assert main(["bundle", "--yes", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_bytes() == before


def test_everything_is_shown_as_it_would_be_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "problem.json"
    assert main(["bundle", "--show"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert main(["bundle", "--yes", str(file)]) == 0
    written = json.loads(file.read_bytes())
    for bundle in (shown, written):
        del bundle["made"]
        bundle["findings"] = [each for each in bundle["findings"] if "MiB free" not in each["text"]]
    assert shown == written


def test_without_a_file_the_command_says_what_is_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bundle"]) == 2
    assert "--show" in capsys.readouterr().err


def test_findings_name_no_room_and_no_path(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = tmp_path / "data"
    writer = JournalWriter("gomoku", room="secretroomid")
    writer.take_seats("Ada", "Bo")
    writer.store(data)
    change_snapshot(data, "secretroomid", b"{}")
    main(["doctor"])
    assert "secretroomid" in capsys.readouterr().out
    main(["bundle", "--show"])
    printed = capsys.readouterr().out
    assert "(journal fault)" in printed
    for private in ("secretroomid", str(tmp_path), "Ada"):
        assert private not in printed


@pytest.mark.slow
def test_the_versions_of_redis_and_postgresql_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with RedisServer(tmp_path) as redis, postgres() as database:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        monkeypatch.setenv("QIPAI_ARCHIVE", database)
        with ServerProcess(tmp_path / "data") as server:
            server.stop()  # It has created the tables.
        assert main(["bundle", "--show"]) == 0
    shown = capsys.readouterr().out
    bundle = json.loads(shown)
    assert int(bundle["versions"]["store"].partition(".")[0]) >= 6
    assert int(bundle["versions"]["archive"].partition(".")[0]) >= 10
    assert any("Redis is readable" in each["text"] for each in bundle["findings"])
    assert database not in shown


SAID = "meet me at the old harbour"
TITLE = "Summer in Tamsui"


@pytest.mark.slow
def test_the_bundle_of_a_real_server_replays_its_incident_and_names_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = ServerProcess(tmp_path / "data")
    server.arguments = ("-m", "tests.support.faulty_games.faulty_server", "serve")
    server.environment = {"PYTHONPATH": str(ROOT)}
    with server:
        ann, bob = Client(server.port, name="Annemarie"), Client(server.port, name="Bonifacio")
        fan = Client(server.port, name="Celestine")
        rules = {"title": TITLE, "public": True}
        opened = ann.ask("open", "room", game="tictactoe", nonce="first-nonce", table=rules)
        room, code = opened["room"]["id"], opened["room"]["code"]
        shown = bob.ask("join", "room", room=room)["room"]
        fan.ask("watch", "room", room=room)
        ann.ask("say", "events", room=room, text=SAID)
        fan.ask("say", "events", room=room, text="hello from the bench")
        mover = (ann, bob)[shown["to_act"][0]]
        refused = mover.ask(
            "play", "refused", room=room, move={"do": "mark", "cell": CENTRE}, nonce="other-nonce"
        )
        incident = refused["incident"]
        private = {
            "Annemarie", "Bonifacio", "Celestine", SAID, TITLE, "hello from the bench", room,
            "first-nonce", "other-nonce", str(tmp_path), tmp_path.name,
            *(client.token for client in (ann, bob, fan)),
            *(client.welcome["person"] for client in (ann, bob, fan) if "person" in client.welcome),
        }  # fmt: skip
        file = wait_for_bundle(tmp_path, capsys)
        for client in (ann, bob, fan):
            client.close()
    text = file.read_text("utf-8")
    assert {each for each in private if each in text} == set()
    assert f'"code": "{code}"' not in text
    bundle = msgspec.json.decode(file.read_bytes(), type=ProblemBundle)
    (kept,) = bundle.incidents
    assert kept.incident == incident
    assert kept.command is not None
    assert kept.command.replays
    assert f"no cell {CENTRE}" in kept.command.text
    games = {**OWN_GAMES, "tictactoe": faulty_game()}
    assert list(replayed(file, games)) == [
        f"{incident} command failed: replays: IndexError: no cell {CENTRE}"
    ]
    assert list(replayed(file, OWN_GAMES)) == [f"{incident} command failed: does not fail here"]
    stored: dict[str, Any] = json.loads(bytes(kept.command.snapshot))
    assert [seat["name"] for seat in stored["seats"]] == ["player 3", "player 5"]


def wait_for_bundle(folder: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Write bundles until one has an incident: a thread of the server writes it."""
    for number in range(600):
        file = folder / f"problem{number}.json"
        assert main(["bundle", "--yes", str(file)]) in (0, 1)
        capsys.readouterr()
        if msgspec.json.decode(file.read_bytes(), type=ProblemBundle).incidents:
            return file
    raise AssertionError("no incident was kept")
