"""The archive comes before the journal, which may have the records of an archived room for long."""

import json
from collections.abc import Iterator, Mapping
from copy import copy
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.history import finished_games
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archiver import Archiver
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Snapshot, Store
from qipai.kernel.commands import Close
from qipai.kernel.ids import SYSTEM
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.store_registry import STORES
from tests.hall.history.test_changed_rules import LATER, ROOM, changed, fetch, match
from tests.support.hall_simulation import HallSimulation
from tests.support.journal_writer import JournalWriter, snapshot_of
from tests.support.redis import RedisServer


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=["sqlite", "redis"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "sqlite":
        return ""
    import redis as client

    server = request.getfixturevalue("redis")
    client.Redis.from_url(server.address).flushall()
    return str(server.address)


@pytest.fixture
def store(address: str, tmp_path: Path) -> Iterator[Store]:
    """Open a store that keeps the records of an archived room."""
    opened = STORES["redis" if address else "sqlite"].open(address, tmp_path, "process")
    opened.secret()
    yield opened
    opened.close()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


def closed_match(store: Store) -> JournalWriter:
    """Write a closed room with a finished match into the store."""
    ledger = match()
    ledger.do(SYSTEM, Close())
    body = snapshot_of(ledger.room)
    store.append(ledger.entries, [Snapshot(ROOM, ledger.room.version, False, body, ledger.room.code)])
    return ledger


def archive_rooms(store: Store, archive: Archive, games: Mapping[str, Game] = GAMES) -> None:
    """Run a round of the archiver."""
    with HallSimulation() as simulation:
        hall = simulation.hall
        archiver = Archiver(games, store, archive, hall.alarms, hall.tasks, InternalErrors(), hall.now)
        assert archiver.run_round() == 1


TODAY: list[dict[str, Game]] = [{"tictactoe": changed()}, {}]


@pytest.mark.parametrize("today", TODAY, ids=["changed rules", "game not installed"])
def test_an_archived_match_is_served_as_it_was_shown(
    store: Store, archive: Archive, today: dict[str, Game]
) -> None:
    closed_match(store)
    shown = fetch(FinishedGames(GAMES, store, lambda: LATER))
    archive_rooms(store, archive)
    assert store.history(ROOM), "the store still has the records"
    assert fetch(FinishedGames(today, store, lambda: LATER, archive)) == shown


@pytest.mark.parametrize("today", TODAY, ids=["changed rules", "game not installed"])
def test_the_commands_read_an_archived_match_without_rules(
    store: Store,
    archive: Archive,
    address: str,
    today: dict[str, Game],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    closed_match(store)
    _, record = fetch(FinishedGames(GAMES, store, lambda: LATER))
    archive_rooms(store, archive)
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    if address:
        monkeypatch.setenv("QIPAI_STORE", address)
    for module in ("verify", "verify_archived", "journal_reader"):
        monkeypatch.setattr(f"qipai.cli.{module}.GAMES", today)
    assert main(["record", ROOM]) == 0
    assert capsys.readouterr().out == record
    assert main(["verify", ROOM]) == 0
    printed = capsys.readouterr().out
    assert "rules      1 of tictactoe (this server " in printed
    assert "INVALID" not in printed


def test_an_archived_match_of_a_very_long_room_is_served(
    store: Store, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = closed_match(store)
    archive_rooms(store, archive)
    monkeypatch.setattr(finished_games, "MOST_RECORDS", len(ledger.entries) - 1)
    replayed, record = fetch(FinishedGames(GAMES, store, lambda: LATER, archive))
    assert replayed["room"] == ROOM
    assert json.loads(record)["match"] == 1


def test_verify_does_not_call_a_match_of_other_rules_invalid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match().store(tmp_path)
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", ROOM]) == 0
    assert "rules      1 of tictactoe\n" in capsys.readouterr().out
    same_moves, other_moves = copy(GAMES["tictactoe"]), changed()
    same_moves.rules_number = 2
    for today, code in ((same_moves, 0), (other_moves, 2)):
        for module in ("verify", "journal_reader"):
            monkeypatch.setattr(f"qipai.cli.{module}.GAMES", {"tictactoe": today})
        assert main(["verify", ROOM]) == code
        printed = "".join(capsys.readouterr())
        assert "rules 1 of " in printed
        assert "INVALID" not in printed
        assert "valid" not in printed
        assert main(["record", ROOM]) == 2
        assert "rules 1 of tictactoe" in capsys.readouterr().err
