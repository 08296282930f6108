"""A match is archived when it ends, by the rules that it was played by."""

import asyncio
import zlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.games.tictactoe import rules as tictactoe
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import Archive, GameFilter
from qipai.hall.history.archived_match import unpack
from qipai.hall.history.archiver import ENDED_PAUSE, Archiver
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Entry, Now, Snapshot, StoreError
from qipai.kernel.commands import Close, MakeOffer, Resign, TableRules
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import SYSTEM, Millis, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.hall.history.test_changed_rules import LATER, ROOM, changed, fetch, match
from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.journal_writer import JournalWriter, snapshot_of


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    opened = open_archive(tmp_path, "")
    yield opened
    opened.close()


class Swapped:
    """Tic-tac-toe by another rule: the moves are the same, and the other seat wins."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tictactoe.RULES, name)

    def outcome(self, state: Any) -> Outcome | None:
        outcome = tictactoe.RULES.outcome(state)
        if outcome is None:
            return None
        return Outcome(tuple(Seat(1 - winner) for winner in outcome.winners), outcome.reason)


def swapped() -> Game:
    game = copy(GAMES["tictactoe"])
    game.rules = Swapped()
    game.rules_number = 2
    return game


def archiver_of(
    store: MemoryStore, archive: Archive, games: dict[str, Game] | None = None, now: Now = lambda: LATER
) -> Archiver:
    with HallSimulation() as simulation:
        hall = simulation.hall
        known = dict(GAMES) if games is None else games
        return Archiver(known, store, archive, hall.alarms, hall.tasks, InternalErrors(), now)


def save(store: MemoryStore, ledger: JournalWriter, written: int = 0, *, live: bool = True) -> None:
    """Append what the store lacks, with a snapshot."""
    snapshot = Snapshot(ROOM, ledger.room.version, live, snapshot_of(ledger.room))
    store.append(ledger.entries[written:], [snapshot])


def test_a_match_is_archived_when_it_ends_and_listed_when_the_room_is_closed(archive: Archive) -> None:
    store, ledger = MemoryStore(), match()
    save(store, ledger)
    shown = fetch(FinishedGames(GAMES, store, lambda: LATER))
    archiver_of(store, archive).archive_ended_match(ROOM)
    assert fetch(FinishedGames({}, MemoryStore(), lambda: LATER, archive)) == shown
    assert list(archive.history(ROOM)) == []
    assert list(archive.search(GameFilter())) == []
    body = archive.match(ROOM, 1)
    archiver_of(store, archive).archive_ended_match(ROOM)
    written = len(ledger.entries)
    ledger.do(Seat(0), MakeOffer(OfferKind.REMATCH))
    ledger.do(Seat(1), MakeOffer(OfferKind.REMATCH))
    ledger.play_on(1)
    ledger.do(Seat(0), Resign())
    ledger.do(SYSTEM, Close())
    save(store, ledger, written, live=False)
    archiver_of(store, archive).run_round()
    assert [game.match for game in archive.search(GameFilter())] == [2, 1]
    assert archive.match(ROOM, 1) == body
    assert list(archive.history(ROOM)) == ledger.entries


def test_a_match_that_was_archived_is_not_made_again_by_other_rules(archive: Archive) -> None:
    store, ledger = MemoryStore(), match()
    save(store, ledger)
    shown = fetch(FinishedGames(GAMES, store, lambda: LATER))
    archiver_of(store, archive).archive_ended_match(ROOM)
    written = len(ledger.entries)
    ledger.do(SYSTEM, Close())
    save(store, ledger, written, live=False)
    today = {"tictactoe": swapped()}
    with capture_logs() as logs:
        archiver_of(store, archive, today).run_round()
    assert logs == []
    assert fetch(FinishedGames(today, store, lambda: LATER, archive)) == shown
    (listed,) = archive.search(GameFilter())
    assert list(listed.winners) == shown[0]["result"]["winners"]


@pytest.mark.parametrize("today", [swapped(), changed()], ids=["other winner", "no longer legal"])
def test_a_match_of_other_rules_is_left_out_with_one_incident(archive: Archive, today: Game) -> None:
    store, ledger = MemoryStore(), match()
    ledger.do(SYSTEM, Close())
    save(store, ledger, live=False)
    games = FinishedGames({"tictactoe": today}, store, lambda: LATER)
    assert asyncio.run(games.replay(ROOM, 1, "")) is None
    archiver = archiver_of(store, archive, {"tictactoe": today})
    with capture_logs() as logs:
        archiver.archive_ended_match(ROOM)
        assert archiver.run_round() == 1
    (log,) = logs
    assert (log["event"], log["room"], log["match"]) == ("match not archived", ROOM, 1)
    assert "rules 1 of tictactoe" in log["cause"]
    assert "rules 2" in log["cause"]
    assert archive.match(ROOM, 1) is None
    assert list(store.closed(9)) == []
    assert list(archive.history(ROOM)) == ledger.entries, "the journal is kept"


@pytest.mark.parametrize("same", [True, False], ids=["as in the snapshot", "not as in the snapshot"])
def test_a_match_after_one_of_other_rules_is_archived_if_it_ends_as_in_the_snapshot(
    archive: Archive, *, same: bool
) -> None:
    store, ledger = MemoryStore(), match()
    played = len(ledger.entries)
    ledger.do(Seat(0), MakeOffer(OfferKind.REMATCH))
    ledger.do(Seat(1), MakeOffer(OfferKind.REMATCH))
    ledger.do(Seat(0), Resign())
    # The first record of the match is the one that starts it.
    later = [
        Entry(ROOM, each.version, each.at, each.body.replace(b"{", b'{"rules":2,', 1))
        for each in ledger.entries[played:]
    ]
    body = encode_snapshot(ledger.room, 2)
    if not same:
        body = body.replace(b'"reason":"', b'"reason":"not ')
    store.append([*ledger.entries[:played], *later], [Snapshot(ROOM, ledger.room.version, True, body)])
    today = copy(GAMES["tictactoe"])
    today.rules_number = 2
    archiver_of(store, archive, {"tictactoe": today}).archive_ended_match(ROOM)
    assert list(archive.match_numbers(ROOM)) == ([2] if same else [])


def test_the_server_archives_a_match_a_minute_after_it_ends(archive: Archive) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        hall = simulation.hall
        later = 0
        archiver = Archiver(
            GAMES,
            store,
            archive,
            hall.alarms,
            hall.tasks,
            hall.internal_errors,
            lambda: Millis(hall.now() + later),
        )
        ended: list[tuple[RoomId, StoreError | None]] = []
        hall.executor.match_end_listeners.append(lambda room, failure: ended.append((room, failure)))
        ada, bo = NativeClient(simulation), NativeClient(simulation)
        ada.hello(name="Ada")
        bo.hello(name="Bo")
        room = RoomId(ada.ask("open", game="tictactoe", nonce="o")[-1]["room"]["id"])
        bo.ask("join", room=room)
        assert ended == []
        bo.ask("resign", room=room, nonce="r")
        assert ended == [(room, None)]
        archiver.match_ended(room, StoreError("not written"))
        archiver.match_ended(room)
        archiver.run_round()
        assert list(archive.match_numbers(room)) == []
        later = ENDED_PAUSE
        archiver.run_round()
        assert list(archive.match_numbers(room)) == [1]
        for client in (ada, bo):
            client.ask("leave", room=room)
        assert len(ended) == 1, "a room that closes is archived by the next round"


@pytest.mark.parametrize("rated", [False, True])
def test_only_a_rated_match_is_archived_at_once(archive: Archive, rated: bool) -> None:
    store, ledger = MemoryStore(), match()
    save(store, ledger)
    asked: list[RoomId] = []

    def is_rated(room: RoomId) -> bool:
        asked.append(room)
        return rated

    with HallSimulation() as simulation:
        hall = simulation.hall
        archiver = Archiver(
            GAMES, store, archive, hall.alarms, hall.tasks, InternalErrors(), lambda: LATER, is_rated
        )

        async def end_and_run_a_round() -> None:
            archiver.match_ended(ROOM)
            await archiver.run_round_in_thread()  # In the same thread, so after the archiving.

        simulation.loop.run_until_complete(end_and_run_a_round())
    assert asked == [ROOM]
    assert list(archive.match_numbers(ROOM)) == ([1] if rated else [])


def test_a_rated_match_is_archived_by_a_later_round_if_the_archive_was_away(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, ledger = MemoryStore(), match()
    save(store, ledger)
    with HallSimulation() as simulation:
        hall = simulation.hall
        archiver = Archiver(
            GAMES, store, archive, hall.alarms, hall.tasks, InternalErrors(), lambda: LATER, lambda _: True
        )

        def away(*_: object) -> None:
            raise StoreError("away")

        async def end_and_run_a_round() -> None:
            archiver.match_ended(ROOM)
            await archiver.run_round_in_thread()

        with monkeypatch.context() as patched:
            patched.setattr(archive, "store", away)
            simulation.loop.run_until_complete(end_and_run_a_round())
        assert list(archive.match_numbers(ROOM)) == []
        archiver.run_round()
    assert list(archive.match_numbers(ROOM)) == [1]


def test_a_hall_with_an_archive_tells_its_archiver(archive: Archive) -> None:
    hall = Hall(GAMES, MemoryStore(), archive=archive)
    assert hall.archiver is not None
    assert hall.executor.match_end_listeners == [hall.archiver.match_ended]


def test_a_match_that_ended_while_the_archive_was_away_is_archived_by_the_next_round(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = MemoryStore()
    save(store, match())
    archiver = archiver_of(store, archive)

    def unreachable(*_arguments: object) -> None:
        raise StoreError("unreachable")

    with monkeypatch.context() as patch:
        patch.setattr(archive, "store", unreachable)
        archiver.archive_ended_match(ROOM)
    assert list(archive.match_numbers(ROOM)) == []
    archiver.run_round()
    assert list(archive.match_numbers(ROOM)) == [1]


def test_an_archived_match_of_an_open_room_is_hidden_for_the_spectator_delay(archive: Archive) -> None:
    store, ledger = MemoryStore(), JournalWriter("tictactoe", table=TableRules(spectator_delay=60))
    ledger.take_seats("Ann", "Bob")
    ledger.do(Seat(0), Resign())
    save(store, ledger)
    archiver_of(store, archive).archive_ended_match(ROOM)
    assert unpack(archive.match(ROOM, 1) or b"").match == 1
    ended = ledger.room.at

    def replay(now: int) -> object:
        return asyncio.run(FinishedGames(GAMES, store, lambda: Millis(now), archive).replay(ROOM, 1, ""))

    assert replay(ended + 59_999) is None
    assert replay(ended + 60_000) is not None


def test_a_closed_room_is_archived_and_found_after_its_spectator_delay(archive: Archive) -> None:
    store, ledger = MemoryStore(), JournalWriter("tictactoe", table=TableRules(spectator_delay=60))
    ledger.take_seats("Ann", "Bob")
    ledger.play_on(1)
    ledger.do(Seat(0), Resign())
    ledger.do(SYSTEM, Close())
    save(store, ledger, live=False)
    times = [Millis(ledger.room.at)]
    archiver = archiver_of(store, archive, now=lambda: times[-1])
    for late in (0, 59_999):
        times.append(Millis(ledger.room.at + late))
        archiver.run_round()
        assert list(archive.search(GameFilter())) == []
        assert store.unarchived_count() == 1
    times.append(Millis(ledger.room.at + 60_000))
    archiver.run_round()
    assert [game.room for game in archive.search(GameFilter())] == [ROOM]
    assert store.unarchived_count() == 0


def closed_rooms(store: MemoryStore, *games: str) -> dict[str, RoomId]:
    """Write a closed room with a finished match of each game; return their names."""
    rooms: dict[str, RoomId] = {}
    for game in games:
        ledger, name = JournalWriter(game), RoomId(f"room-{game}")
        ledger.take_seats("Ann", "Bob", "Cy", "Di") if game == "mahjong" else ledger.take_seats("Ann", "Bob")
        ledger.do(Seat(0), Resign())
        ledger.do(SYSTEM, Close())
        entries = [
            Entry(name, each.version, each.at, each.body.replace(b"k3v9", name.encode()))
            for each in ledger.entries
        ]
        body = snapshot_of(ledger.room).replace(b"k3v9", name.encode())
        store.append(entries, [Snapshot(name, ledger.room.version, False, body)])
        rooms[game] = name
    return rooms


def test_a_game_that_fails_does_not_stop_the_archiver(archive: Archive) -> None:
    def broken(*_arguments: object) -> str:
        raise ValueError("no record of this")

    store = MemoryStore()
    rooms = closed_rooms(store, "chess", "gomoku", "tictactoe")
    faulty = copy(GAMES["chess"])
    faulty.write_record = broken
    archiver = archiver_of(store, archive, {**GAMES, "chess": faulty})
    with capture_logs() as logs:
        archiver.run_round()
        archiver.run_round()
    (log,) = logs
    assert (log["event"], log["room"]) == ("room not archived", rooms["chess"])
    assert "no record of this" in log["cause"]
    assert "broken" in log["trace"]
    assert sorted(archive.rooms()) == sorted([rooms["gomoku"], rooms["tictactoe"]])
    assert list(store.closed(9)) == [rooms["chess"]]
    assert archiver.waiting == 1


def newer_rules(store: MemoryStore, room: RoomId) -> None:
    store._entries[room] = [
        Entry(each.room, each.version, each.at, each.body.replace(b'"actor":', b'"rules":9,"actor":', 1))
        for each in store._entries[room]
    ]


def newer_format(store: MemoryStore, room: RoomId) -> None:
    last = store._entries[room][-1]
    body = b'{"do":"unheard","format":9}'
    store._entries[room][-1] = Entry(last.room, last.version, last.at, body)


@pytest.mark.parametrize("what", ["game", "rules", "format"])
def test_a_room_that_this_server_cannot_read_yet_stays_in_the_journal(
    archive: Archive, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qipai.hall.history.archiver.ROOMS_PER_ROUND", 1)
    store = MemoryStore()
    rooms = closed_rooms(store, "chess", "gomoku", "tictactoe")
    games = dict(GAMES)
    if what == "game":
        del games["chess"]
    elif what == "rules":
        newer_rules(store, rooms["chess"])
    else:
        newer_format(store, rooms["chess"])
    archiver = archiver_of(store, archive, games)
    with capture_logs() as logs:
        for _ in range(5):
            archiver.run_round()
    (log,) = logs
    assert (log["event"], log["room"]) == ("rooms wait for the archive", rooms["chess"])
    assert {"game": "no game called chess", "rules": "rules 9 of chess", "format": "format 9"}[what] in log[
        "cause"
    ]
    assert list(store.closed(9)) == [rooms["chess"]]
    assert sorted(archive.rooms()) == sorted([rooms["gomoku"], rooms["tictactoe"]])
    if what == "game":  # The package is there again at the next start.
        archiver_of(store, archive).run_round()
        assert list(archive.match_numbers(rooms["chess"])) == [1]
        assert list(store.closed(9)) == []


def test_a_match_that_a_newer_release_archived_does_not_stop_the_archiver(archive: Archive) -> None:
    store = MemoryStore()
    rooms = closed_rooms(store, "chess", "gomoku", "tictactoe")
    for game in ("chess", "gomoku"):
        archiver_of(store, archive).archive_ended_match(rooms[game])
    newer = zlib.compress(b'{"format":9}')

    def newer_match(room: RoomId, number: int) -> bytes | None:
        return None if room == rooms["tictactoe"] else newer

    archive.match = newer_match  # type: ignore[method-assign] # two rooms of a newer release
    with capture_logs() as logs:
        archiver_of(store, archive).run_round()
    (log,) = logs
    assert log["event"] == "rooms wait for the archive"
    assert "format 9" in log["cause"]
    assert sorted(store.closed(9)) == sorted([rooms["chess"], rooms["gomoku"]])


def test_a_damaged_record_is_named_with_its_room(archive: Archive) -> None:
    store = MemoryStore()
    room = closed_rooms(store, "chess")["chess"]
    last = store._entries[room][-2]
    store._entries[room][-2] = Entry(last.room, last.version, last.at, b"{}")
    with capture_logs() as logs:
        archiver_of(store, archive).run_round()
    (log,) = logs
    assert (log["event"], log["room"]) == ("room not archived", room)
    assert f"version {last.version}" in log["cause"]
    assert len(archive.history(room)) == last.version + 1
