"""A room with many matches is archived match by match: no step is replayed twice."""

from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.games.tictactoe import rules as tictactoe
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack
from qipai.hall.history.match_archiving import archive_matches
from qipai.kernel.commands import Close, MakeOffer, Resign
from qipai.kernel.game_interface.rules_interface import MoveResult
from qipai.kernel.ids import SYSTEM, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.randomness import Random
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.hall.history.test_archive_at_end import archiver_of, save
from tests.hall.history.test_changed_rules import ROOM, match
from tests.support.journal_writer import JournalWriter


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


class Counted:
    """The rules of tic-tac-toe, which count the moves that are made by them."""

    def __init__(self) -> None:
        self.moves = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(tictactoe.RULES, name)

    def play(self, state: Any, seat: Seat, move: Any, random: Random) -> MoveResult:
        self.moves += 1
        return tictactoe.RULES.play(state, seat, move, random)


def counted() -> tuple[Game, Counted]:
    game, rules = copy(GAMES["tictactoe"]), Counted()
    game.rules = rules
    return game, rules


def rematch(ledger: JournalWriter, moves: int) -> None:
    """Play another match of so many moves, which ends with a resignation."""
    for seat in (Seat(0), Seat(1)):
        ledger.do(seat, MakeOffer(OfferKind.REMATCH))
    ledger.play_on(moves)
    ledger.do(Seat(0), Resign())


def bodies(archive: Archive) -> list[bytes | None]:
    return [archive.match(ROOM, number) for number in archive.match_numbers(ROOM)]


def whole(ledger: JournalWriter) -> list[bytes]:
    """Return the matches as one replay of the whole room makes them."""
    return [pack(each).body for each in archive_matches(GAMES, ledger.entries)]


def test_only_the_records_after_the_last_archived_match_are_replayed(archive: Archive) -> None:
    store, ledger = MemoryStore(), match()
    game, rules = counted()
    archiver = archiver_of(store, archive, {"tictactoe": game})
    save(store, ledger)
    archiver.archive_ended_match(ROOM)
    for moves in (3, 1, 2):
        written, rules.moves = len(ledger.entries), 0
        rematch(ledger, moves)
        save(store, ledger, written)
        archiver.archive_ended_match(ROOM)
        assert rules.moves == moves
        assert bodies(archive) == whole(ledger)
        archiver.archive_ended_match(ROOM)
        assert rules.moves == moves, "nothing is new"
    written, rules.moves = len(ledger.entries), 0
    ledger.do(SYSTEM, Close())
    save(store, ledger, written, live=False)
    archiver.run_round()
    assert rules.moves == 0
    assert bodies(archive) == whole(ledger)


def test_a_room_whose_last_records_were_lost_is_replayed_as_a_whole(archive: Archive) -> None:
    ledger = match()
    kept, before = len(ledger.entries), copy(ledger)
    before.entries, before.rooms = [*ledger.entries], [*ledger.rooms]
    rematch(ledger, 3)
    store = MemoryStore()
    archiver = archiver_of(store, archive)
    save(store, ledger)
    archiver.archive_ended_match(ROOM)
    assert list(archive.match_numbers(ROOM)) == [1, 2]
    # The store has lost the second match; another one was played, and a third.
    before.late(5000)
    for moves in (3, 1):
        rematch(before, moves)
    assert before.entries[:kept] == ledger.entries[:kept]
    store = archiver._store = MemoryStore()
    save(store, before)
    archiver.archive_ended_match(ROOM)
    archived, played = bodies(archive), whole(before)
    assert archived[0] == played[0]
    assert archived[1] == whole(ledger)[1], "what is archived stays"
    assert archived[2] == played[2]


def test_the_archiver_keeps_the_last_match_of_few_rooms(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.hall.history.archiver.MOST_LAST_STEPS", 2)
    store = MemoryStore()
    archiver = archiver_of(store, archive)
    for name in "abc":
        ledger = JournalWriter("tictactoe", room=name)
        ledger.take_seats("Ann", "Bob")
        ledger.do(Seat(0), Resign())
        store.append(ledger.entries, [])
        archiver.archive_ended_match(ledger.room.id)
        assert list(archive.match_numbers(ledger.room.id)) == [1]
    assert list(archiver._last_steps) == ["b", "c"]
