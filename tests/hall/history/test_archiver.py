"""Closed rooms are archived once and then deleted from the store."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import (
    Archive,
    FinishedGame,
    GameFilter,
    HeadToHead,
    PackedMatch,
    PersonSummary,
)
from qipai.hall.history.archiver import ERROR_PAUSE, IDLE_PAUSE, ROOMS_PER_ROUND, Archiver
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Damaged, Entry, Snapshot, StoreError
from qipai.hall.ratings.rating_interface import RatingStore
from qipai.kernel.commands import Resign
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.archives.damaged_archive import DamagedArchive
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.journal_writer import NOON, JournalWriter


class UnreachableArchive:
    """An archive whose `store` fails while it is not `reachable`."""

    def __init__(self, inner: Archive) -> None:
        self.inner = inner
        self.reachable = False
        self.tries = 0

    def check(self) -> None:
        self.inner.check()

    @property
    def damaged(self) -> Mapping[tuple[RoomId, int], str]:
        return self.inner.damaged

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        self.tries += 1
        if not self.reachable:
            raise StoreError("unreachable")
        self.inner.store(room, history, matches)

    def match(self, room: RoomId, number: int) -> bytes | None:
        return self.inner.match(room, number)

    def match_numbers(self, room: RoomId) -> Sequence[int]:
        return self.inner.match_numbers(room)

    def history(self, room: RoomId) -> Sequence[Entry]:
        return self.inner.history(room)

    def rooms(self) -> Iterator[RoomId]:
        return self.inner.rooms()

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        return self.inner.search(wanted)

    @property
    def ratings(self) -> RatingStore:
        return self.inner.ratings

    def summary(self, person: str, *, public_only: bool) -> PersonSummary:
        return self.inner.summary(person, public_only=public_only)

    def head_to_head(self, person: str, other: str, *, public_only: bool) -> HeadToHead:
        return self.inner.head_to_head(person, other, public_only=public_only)

    def close(self) -> None:
        self.inner.close()


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


def archiver_of(simulation: HallSimulation, store: MemoryStore, archive: Archive) -> Archiver:
    return Archiver(
        GAMES,
        store,
        archive,
        simulation.hall.alarms,
        simulation.hall.tasks,
        simulation.hall.internal_errors,
        simulation.hall.now,
    )


def guest(simulation: HallSimulation, name: str) -> NativeClient:
    peer = NativeClient(simulation)
    peer.hello(name=name)
    return peer


def play(simulation: HallSimulation, table: dict[str, object], *, finished: bool) -> str:
    """Open a room, play a game to its end if `finished`, and leave; return the room."""
    ada, bo = guest(simulation, "Ada"), guest(simulation, "Bo")
    (room,) = ada.ask("open", game="tictactoe", nonce="o", table=table)
    name = str(room["room"]["id"])
    if finished:
        bo.ask("join", room=name)
        for peer, cell in ((ada, 0), (bo, 3), (ada, 1), (bo, 4), (ada, 2)):
            peer.ask("play", room=name, move={"do": "mark", "cell": cell}, nonce=f"m{cell}")
        bo.ask("resign", room=name, nonce="r")
    for peer in (ada, bo):
        peer.ask("leave", room=name)
    simulation.settle()
    return name


def test_a_finished_game_is_archived_and_deleted_from_the_store(archive: Archive) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        name = RoomId(play(simulation, {"title": "club night"}, finished=True))
        history = store.history(name)
        assert list(store.closed(9)) == [name]
        assert archiver_of(simulation, store, archive).run_round() == 1
    (game,) = archive.search(GameFilter(player="ada"))
    assert (game.room, game.match, game.game, game.title) == (name, 1, "tictactoe", "club night")
    assert (game.names, game.bots, game.public) == (("Ada", "Bo"), ("", ""), True)
    assert game.began <= game.ended
    assert game.moves == sum(b'"do":"play"' in entry.body for entry in history) >= 4
    assert game.winners == (0,)
    assert list(archive.history(name)) == list(history)
    assert list(store.closed(9)) == []
    assert list(store.history(name)) == []


def test_a_room_without_a_finished_game_is_not_archived(archive: Archive) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        name = RoomId(play(simulation, {}, finished=False))
        assert archiver_of(simulation, store, archive).run_round() == 1
    assert list(store.closed(9)) == []
    assert list(archive.history(name)) == []
    assert list(archive.search(GameFilter())) == []


def test_a_game_of_a_private_room_is_archived_but_not_listed(archive: Archive) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        name = RoomId(play(simulation, {"public": False}, finished=True))
        archiver_of(simulation, store, archive).run_round()
    assert list(archive.search(GameFilter())) == []
    assert len(archive.history(name)) > 0


def test_a_room_waits_while_the_archive_is_unreachable(archive: Archive) -> None:
    store, unreachable = MemoryStore(), UnreachableArchive(archive)
    with HallSimulation(store) as simulation:
        name = RoomId(play(simulation, {}, finished=True))
        archiver = archiver_of(simulation, store, unreachable)
        with pytest.raises(StoreError):
            archiver.run_round()
        assert list(store.closed(9)) == [name]
        assert archiver.waiting == 1
        assert not archiver.up
        unreachable.reachable = True
        archiver.run_round()
        assert archiver.waiting == 0
        assert archiver.up
    assert [game.room for game in archive.search(GameFilter())] == [name]


def test_one_room_that_fails_does_not_block_the_others(archive: Archive) -> None:
    class BrokenStore(MemoryStore):
        def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
            if room == "r0":
                raise StoreError("broken")
            return super().history(room, after)

    store = BrokenStore()
    for number in range(3):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    with HallSimulation(store) as simulation, pytest.raises(StoreError, match="broken"):
        archiver_of(simulation, store, archive).run_round()
    assert list(store.closed(9)) == ["r0"]
    assert sorted(archive.rooms()) == ["r1", "r2"]


def test_a_room_that_cannot_be_replayed_is_archived_but_not_listed(archive: Archive) -> None:
    store = MemoryStore()
    room = RoomId("odd")
    store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    incidents = InternalErrors()
    with HallSimulation(store) as simulation:
        archiver = Archiver(
            GAMES,
            store,
            archive,
            simulation.hall.alarms,
            simulation.hall.tasks,
            incidents,
            simulation.hall.now,
        )
        archiver.run_round()
    assert incidents.count == 1
    assert list(archive.history(room)) == [Entry(room, 1, Millis(1), b"{}")]
    assert list(archive.search(GameFilter())) == []
    assert list(store.closed(9)) == []


def test_the_matches_before_a_bad_record_are_archived(archive: Archive) -> None:
    store, ledger = MemoryStore(), JournalWriter("tictactoe")
    ledger.take_seats("Ann", "Bob")
    ledger.play_on(1)
    ledger.do(Seat(0), Resign())
    room, version = ledger.room.id, ledger.room.version + 1
    entries = [*ledger.entries, Entry(room, version, Millis(NOON * 2), b"{}")]
    store.append(entries, [Snapshot(room, version, False, b"{}")])
    with HallSimulation(store) as simulation:
        archiver_of(simulation, store, archive).run_round()
    assert [(game.room, game.match) for game in archive.search(GameFilter())] == [(room, 1)]
    assert list(archive.history(room)) == entries


def test_the_next_round_is_soon_while_rooms_wait_and_late_after_an_error(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, unreachable = MemoryStore(), UnreachableArchive(archive)
    for number in range(ROOMS_PER_ROUND + 1):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, False, b"{}")])
    with HallSimulation(store) as simulation:
        pauses: list[int] = []
        now = simulation.hall.now()
        monkeypatch.setattr(
            simulation.hall.alarms, "set", lambda _key, at, _callback: pauses.append(at - now)
        )
        archiver = Archiver(
            GAMES,
            store,
            unreachable,
            simulation.hall.alarms,
            simulation.hall.tasks,
            InternalErrors(),
            lambda: now,
        )

        def round_and_pause() -> int:
            simulation.loop.run_until_complete(archiver.run_round_in_thread())
            return pauses[-1]

        assert round_and_pause() == ERROR_PAUSE
        unreachable.reachable = True
        assert round_and_pause() < IDLE_PAUSE
        assert len(store.closed(ROOMS_PER_ROUND)) == 1
        assert round_and_pause() == IDLE_PAUSE
        assert len(store.closed(ROOMS_PER_ROUND)) == 0


def test_archived_rooms_leave_the_store_also_while_the_archive_is_damaged() -> None:
    class Counting(MemoryStore):
        reclaimed = 0

        def reclaim(self, now: Millis) -> bool:
            self.reclaimed += 1
            return super().reclaim(now)

    store = Counting()
    with HallSimulation(store) as simulation:
        archiver = archiver_of(simulation, store, DamagedArchive("is damaged"))
        before = store.reclaimed
        for rounds in (1, 2):
            with pytest.raises(Damaged):
                archiver.run_round()
            assert store.reclaimed == before + rounds
        assert archiver.damaged
        archiver.close()
