"""A game is among the own games as soon as it has ended, and once only."""

import asyncio
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.games.gomoku.wire_types import Place
from qipai.hall.history import finished_games as module
from qipai.hall.history import recent_games
from qipai.hall.history.archive_interface import Archive, FinishedGame, GameFilter
from qipai.hall.history.archived_match import pack
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.history.match_archiving import archive_matches
from qipai.hall.history.recent_games import RecentGames
from qipai.hall.journal.store_interface import Snapshot
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import Close, LeaveSeat, MakeOffer, Resign, TableRules
from qipai.kernel.ids import SYSTEM, Millis, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import AnyRoom
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.journal_writer import JournalWriter, snapshot_of

A, B = Seat(0), Seat(1)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


class Table:
    """A room of gomoku in a store; its listener hears every step, as in the hall."""

    def __init__(self, archive: Archive, spectator_delay: int = 0) -> None:
        self.ledger = JournalWriter("gomoku", table=TableRules(spectator_delay=spectator_delay))
        self.store = MemoryStore()
        self.now = 0
        self.games = FinishedGames(GAMES, self.store, lambda: Millis(self.now), archive)
        self.archive = archive
        self.written = 0

    def heard(self, before: AnyRoom) -> None:
        """Write what was done and tell the listener."""
        room = self.ledger.room
        saved = Snapshot(room.id, room.version, room.phase != "closed", snapshot_of(room))
        self.store.append(self.ledger.entries[self.written :], [saved])
        self.written = len(self.ledger.entries)
        self.now = room.at
        live = LiveRoom.__new__(LiveRoom)
        live.durable = room
        self.games.recent.room_changed(live, before)

    def play(self, *moves: Place) -> None:
        """Play one game, which the first seat gives up."""
        for move in moves:
            self.ledger.play(move)
        before = self.ledger.room
        self.ledger.do(A, Resign())
        self.heard(before)

    def person(self, seat: Seat) -> Person:
        taken = self.ledger.room.seats[seat]
        assert taken is not None
        return taken.person

    def own(self, person: Person, **wanted: object) -> Sequence[FinishedGame]:
        filters = GameFilter(person=person, **wanted)  # type: ignore[arg-type]
        return asyncio.run(self.games.search_own(filters))


def seated(archive: Archive, spectator_delay: int = 0) -> Table:
    table = Table(archive, spectator_delay)
    table.ledger.take_seats("Ann", "Bob")
    return table


def test_a_game_is_listed_for_its_players_as_soon_as_it_ends(archive: Archive) -> None:
    table = seated(archive)
    ann, bob = table.person(A), table.person(B)
    table.play(Place(7, 7))
    for person in (ann, bob):
        (game,) = table.own(person)
        assert (game.room, game.match, game.moves, game.winners) == (table.ledger.room.id, 1, 1, (B,))
        assert game.names == ("Ann", "Bob")
        assert game.seated == (ann, bob)
    assert table.own(Person("eve")) == []
    assert list(archive.search(GameFilter(person=ann))) == [], "the archive does not have it yet"


def test_a_game_without_a_move_is_not_listed(archive: Archive) -> None:
    table = seated(archive)
    table.play()
    assert table.own(table.person(A)) == []


def test_a_player_who_left_finds_the_game_too(archive: Archive) -> None:
    table = seated(archive)
    ann = table.person(A)
    table.ledger.play(Place(7, 7))
    before = table.ledger.room
    table.ledger.do(A, LeaveSeat())
    assert table.ledger.room.seats[A] is None
    table.heard(before)
    assert [game.names for game in table.own(ann)] == [("Ann", "Bob")]


def test_the_archive_and_the_memory_list_a_game_once(archive: Archive) -> None:
    table = seated(archive)
    ann = table.person(A)
    table.play(Place(7, 7))
    for seat in (A, B):
        table.ledger.do(seat, MakeOffer(OfferKind.REMATCH))
    table.play(Place(3, 3))
    assert [game.match for game in table.own(ann)] == [2, 1]
    last = table.own(ann, limit=1)[0]
    assert [game.match for game in table.own(ann, after=(last.ended, last.room, last.match))] == [1]
    before = table.ledger.room
    table.ledger.do(SYSTEM, Close())
    table.heard(before)
    matches = [pack(match) for match in archive_matches(GAMES, table.ledger.entries)]
    archive.store(table.ledger.room.id, table.ledger.entries, matches)
    assert [game.match for game in table.own(ann)] == [2, 1]
    assert table.games.recent.of(ann) == (), "the archive lists them now"
    assert [game.match for game in table.own(ann)] == [2, 1]


def test_a_game_is_not_listed_during_its_spectator_delay(archive: Archive) -> None:
    table = seated(archive, spectator_delay=60)
    table.play(Place(7, 7))
    end = table.now
    assert table.own(table.person(A)) == []
    table.now = end + 60_000
    assert len(table.own(table.person(A))) == 1


def test_a_room_is_replayed_once_for_all_requests(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    table = seated(archive)
    table.play(Place(7, 7))
    assert len(table.own(table.person(A))) == 1
    monkeypatch.setattr(table.games, "_find_match", None)
    assert len(table.own(table.person(A))) == 1
    assert len(table.own(table.person(B))) == 1


def test_what_is_kept_is_bounded(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recent_games, "MOST_MATCHES", 2)
    monkeypatch.setattr(recent_games, "MOST_PERSONS", 1)
    monkeypatch.setattr(module, "MOST_LISTINGS", 1)
    table = seated(archive)
    for _ in range(3):
        table.play(Place(7, 7))
        for seat in (A, B):
            table.ledger.do(seat, MakeOffer(OfferKind.REMATCH))
    kept = [table.games.recent.of(table.person(seat)) for seat in (A, B)]
    assert sorted([match for _, match in matches] for matches in kept) == [[], [3, 2]]
    for seat in (A, B):
        table.own(table.person(seat))
    assert len(table.games._listings) == 1


def test_nothing_is_kept_of_a_game_that_goes_on() -> None:
    recent, ledger = RecentGames(), JournalWriter("gomoku")
    ledger.take_seats("Ann", "Bob")
    before = ledger.room
    ledger.play(Place(7, 7))
    live = LiveRoom.__new__(LiveRoom)
    live.durable = ledger.room
    recent.room_changed(live, before)
    taken = ledger.room.seats[A]
    assert taken is not None
    assert recent.of(taken.person) == ()
