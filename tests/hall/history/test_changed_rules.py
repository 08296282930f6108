"""A rule is changed: games that were archived before still replay, and their rules number is known."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from qipai.cli.main import main
from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.games.tictactoe import rules as tictactoe
from qipai.hall.history.archive_interface import Archive, GameFilter
from qipai.hall.history.archived_match import pack
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.store_interface import Snapshot
from qipai.kernel.game_interface.rules_interface import IllegalCommand, MoveResult
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.journal_writer import NOON, JournalWriter

ROOM = RoomId("k3v9")
LATER = Millis(NOON + 86_400_000)


class NoCentre:
    """Tic-tac-toe by another rule: nobody may mark the centre."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tictactoe.RULES, name)

    def play(self, state: Any, seat: Seat, move: Any, random: Random) -> MoveResult:
        if move == tictactoe.Mark(4):
            raise IllegalCommand(Refusal.OUT_OF_RANGE)
        return tictactoe.RULES.play(state, seat, move, random)


def changed() -> Game:
    game = copy(GAMES["tictactoe"])
    game.rules = NoCentre()
    game.rules_number = 2
    return game


def match() -> JournalWriter:
    """Play a match in which the centre is marked."""
    ledger = JournalWriter("tictactoe")
    ledger.take_seats("Ann", "Bob", player_entropy=b"luck")
    while ledger.room.result is None:
        for cell in (4, 0, 8, 1, 7, 2, 6):
            state = ledger.room.state
            if ledger.room.result is None and isinstance(state, tictactoe.State) and not state.resting:
                ledger.play(tictactoe.Mark(cell))
        if ledger.room.result is None:
            ledger.play(tictactoe.Next())
    return ledger


def fetch(games: FinishedGames) -> tuple[Any, str]:
    """Return the replay and the record of the match."""

    async def both() -> list[bytes]:
        found = [await games.replay(ROOM, 1, ""), await games.record(ROOM, 1)]
        return [gzip.decompress(file.body) for file in found if file is not None]

    replay, record = asyncio.run(both())
    return json.loads(replay), record.decode()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


def test_a_game_archived_before_the_change_replays_step_by_step(archive: Archive) -> None:
    ledger, live = match(), MemoryStore()
    live.append(ledger.entries, [Snapshot(ROOM, ledger.room.version, True, b"")])
    shown, record = fetch(FinishedGames(GAMES, live, lambda: LATER))
    archive.store(ROOM, ledger.entries, [*map(pack, archive_matches(GAMES, ledger.entries))])

    today = {"tictactoe": changed()}
    with pytest.raises(JournalError, match="was written by rules 1 of tictactoe and does not follow rules 2"):
        list(archive_matches(today, ledger.entries))
    games = FinishedGames(today, MemoryStore(), lambda: LATER, archive)
    replayed, record_again = fetch(games)
    assert replayed == shown
    assert record_again == record
    boards = [frame["position"]["board"] for frame in replayed["frames"]]
    assert boards[0] == "........."
    assert boards[1][4] in "XO"
    assert any(event["e"] == "round_over" for frame in replayed["frames"] for event in frame["events"])
    (found,) = asyncio.run(games.search(GameFilter(player="ann", game="tictactoe")))
    assert (found.room, found.match, found.winners) == (ROOM, 1, tuple(shown["result"]["winners"]))


def test_a_game_whose_rules_are_no_longer_installed_replays(archive: Archive) -> None:
    ledger = match()
    archive.store(ROOM, ledger.entries, [*map(pack, archive_matches(GAMES, ledger.entries))])
    replayed, record = fetch(FinishedGames({}, MemoryStore(), lambda: LATER, archive))
    assert len(replayed["frames"]) > 5
    assert json.loads(record)["reason"] == replayed["result"]["reason"]


def test_verify_and_record_of_an_archived_game_need_no_rules(
    archive: Archive, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ledger = match()
    (archived,) = archive_matches(GAMES, ledger.entries)
    archive.store(ROOM, ledger.entries, [pack(archived)])
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.delenv("QIPAI_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)
    assert main(["verify", ROOM]) == 0
    assert "rules      1 of tictactoe\n" in capsys.readouterr().out
    monkeypatch.setattr("qipai.cli.verify_archived.GAMES", {"tictactoe": changed()})
    monkeypatch.setattr("qipai.cli.journal_reader.GAMES", {"tictactoe": changed()})
    assert main(["verify", ROOM]) == 0
    printed = capsys.readouterr().out
    assert f"match 1: commitment {archived.commitment}" in printed
    assert "rules      1 of tictactoe (this server has rules 2)\n" in printed
    assert f"seed       {archived.seed}: valid\n" in printed
    assert "draws      2: valid\n" in printed
    assert main(["record", ROOM]) == 0
    assert capsys.readouterr().out == archived.record
    monkeypatch.setattr("qipai.cli.verify_archived.GAMES", {})
    assert main(["verify", ROOM]) == 0
    assert "(this server does not have the game)" in capsys.readouterr().out
