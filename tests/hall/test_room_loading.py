"""A server with many rooms answers before it has loaded them; nothing shows that a room is not loaded yet."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from qipai.cli import export_format
from qipai.hall.cluster import room_loading
from qipai.hall.journal.format_numbers import JOURNAL_FORMAT
from qipai.hall.journal.room_rebuilding import JournalError
from qipai.hall.journal.snapshot_format import SUMMARY_SINCE, read_summary
from qipai.hall.journal.store_interface import Damaged, Saved, Snapshot, StoreError
from qipai.hall.lobby import room_list
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import LeaveSeat, TakeSeat, TimeUp, TransferSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId, Seat
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import persons_of
from qipai.stores.memory_store import MemoryStore
from qipai.stores.sqlite_store import SqliteStore
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import EPOCH, HallSimulation, NativeClient

CLOCK = {"main": [60_000], "increment": 0}
MINUTE = 60_000


class PartlyDamagedStore(MemoryStore):
    """A store in which one room cannot be rebuilt though its snapshot is sound."""

    damaged = RoomId("")
    without_game = RoomId("")

    def load(self, room: RoomId) -> Saved | None:
        if room == self.damaged:
            raise Damaged(f"{room}: group 1 of the journal is damaged")
        if room == self.without_game:
            raise JournalError(f"{room}: its game is not installed")
        return super().load(room)


@pytest.fixture(autouse=True)
def _no_room_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_loading, "LOADED_AT_START", 0)


@contextmanager
def restarted(store: MemoryStore, clock: float = 1000.0) -> Iterator[HallSimulation]:
    """Start a hall on the store; rooms are loaded only when they are needed, or time passes."""
    with HallSimulation(store, clock=clock) as simulation:
        yield simulation


def loaded(simulation: HallSimulation) -> set[RoomId]:
    return set(simulation.hall.executor.live_rooms)


def open_rooms(simulation: HallSimulation, count: int, **table: object) -> list[tuple[NativeClient, str]]:
    """Return hosts who wait in a room each."""
    found = []
    for number in range(count):
        host = simulation.native_client(f"Host {number}")
        found.append((host, host.ask("open", game="tictactoe", nonce="own", table=table)[0]["room"]["id"]))
    return found


def test_a_room_is_loaded_when_its_player_resumes_and_no_other_room_waits_for_it() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        (ann, one), (_, two) = open_rooms(first, 2)
    with restarted(store) as second:
        assert loaded(second) == set()
        assert second.hall.replication.unloaded == 2
        returned = NativeClient(second)
        assert returned.hello(ann.token)["rooms"] == [one]
        assert loaded(second) == set(), "hello needs no room"
        assert returned.ask("resume", room=one, version=0)[0]["type"] == "room"
        assert loaded(second) == {one}
        second.wait(1)
        assert loaded(second) == {one, two}
        assert second.hall.replication.unloaded == 0


def test_a_room_that_is_not_loaded_is_found_by_its_code_and_by_a_repeated_request_to_open_it() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        (ann, one), (_, two) = open_rooms(first, 2)
        code = first.hall.executor.live_rooms[RoomId(two)].durable.code
    with restarted(store) as second:
        guest = second.native_client("Guest")
        assert guest.ask("join", room=code.lower())[0]["room"]["id"] == two
        again = second.native_client(token=ann.token)
        assert again.ask("open", game="tictactoe", nonce="own", table={})[0]["room"]["id"] == one


def test_a_command_in_a_room_that_is_not_loaded_is_refused_as_in_any_other_room() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        ((ann, room),) = open_rooms(first, 1)
    with restarted(store) as second:
        (refused,) = second.native_client(token=ann.token).ask("resign", room=room, nonce="n")
        assert refused["code"] == "not_in_room"


def test_a_quick_match_returns_to_a_game_that_is_not_loaded() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        ann, _, shown = first.running_room()
    with restarted(store) as second:
        asked = second.native_client(token=ann.token).ask("quick_match", game="tictactoe", rejoin=True)
        assert asked[0]["room"]["id"] == shown["room"]["id"]


def test_a_room_that_cannot_be_rebuilt_is_named_and_refused_and_all_others_are_served() -> None:
    store = PartlyDamagedStore()
    with HallSimulation(store) as first:
        (ann, one), (_, two) = open_rooms(first, 2)
    store.damaged = RoomId(one)
    with capture_logs() as lines, restarted(store) as second:
        returned = second.native_client(token=ann.token)
        (refused,) = returned.ask("resume", room=one, version=0)
        assert refused["code"] == "unavailable"
        second.wait(1)
        assert loaded(second) == {two}
        assert NativeClient(second).hello(ann.token)["rooms"] == []
    assert [line["room"] for line in lines if line["event"] == "table set aside"] == [one]


def test_no_clock_runs_before_its_room_is_loaded_even_if_the_server_is_killed_again() -> None:
    with HallSimulation() as first:
        _, _, shown = first.running_room(clock=CLOCK)
        room, killed = RoomId(shown["room"]["id"]), deepcopy(first.store)
    assert isinstance(killed, MemoryStore)
    before = killed.last_heartbeat()
    with restarted(killed) as second:
        assert second.store.outage() == before
        open_rooms(second, 1)
        assert room not in loaded(second)
        killed_again = deepcopy(killed)
        second.wait(1)
        assert room in loaded(second)
        assert killed.outage() == 0, "it has ended for every room"
    assert killed_again.last_heartbeat() > before, "another room was written since"
    with restarted(killed_again, clock=2000.0) as third:
        third.wait(1)
        clock = third.hall.executor.live_rooms[room].durable.clock
        assert clock is not None
        assert clock.left == (MINUTE, MINUTE)


def test_a_player_who_resumes_sees_the_clock_as_it_was_before_the_outage() -> None:
    with HallSimulation() as first:
        ann, _, shown = first.running_room(clock=CLOCK)
        killed = deepcopy(first.store)
    assert isinstance(killed, MemoryStore)
    with restarted(killed, clock=3600.0) as second:
        returned = second.native_client(token=ann.token)
        answer = returned.ask("resume", room=shown["room"]["id"], version=0)[0]
        assert answer["room"]["clock"]["left"] == [MINUTE, MINUTE]


@pytest.mark.parametrize("at_start", [0, 1])
@pytest.mark.parametrize("failures", [1, 3])
def test_no_clock_is_charged_if_the_end_of_the_outage_could_not_be_written(
    monkeypatch: pytest.MonkeyPatch, at_start: int, failures: int
) -> None:
    monkeypatch.setattr(room_loading, "LOADED_AT_START", at_start)
    with HallSimulation() as first:
        ann, _, shown = first.running_room(clock=CLOCK)
        room, killed = RoomId(shown["room"]["id"]), deepcopy(first.store)
    assert isinstance(killed, MemoryStore)
    store = FaultyStore()
    store.inner, store.fail_before = killed, failures
    with HallSimulation(store, clock=3600.0) as second:
        returned = second.native_client(token=ann.token)
        (refused,) = returned.ask("resume", room=room, version=0)
        assert refused["code"] == "unavailable", "a clock that was charged is not shown"
        second.wait(0.5)
        assert store.tries == 1, "it is not tried without a pause"
        assert store.outage() == EPOCH, "it has not ended for every room"
        second.wait(failures)
        assert store.tries == failures + 1
        assert store.outage() == 0
        answer = returned.ask("resume", room=room, version=0)[0]
        assert answer["room"]["clock"]["left"] == [MINUTE, MINUTE]
        second.wait(10)
        live = second.hall.executor.live_rooms[room]
        assert live.durable.phase is Phase.PLAYING
        second.wait(MINUTE // 1000)
        assert live.durable.result is not None, "the clock runs again"


def test_a_command_ends_the_outage_first_if_that_was_lost() -> None:
    with HallSimulation() as first:
        _, _, shown = first.running_room(clock=CLOCK)
        room, killed = RoomId(shown["room"]["id"]), deepcopy(first.store)
    assert isinstance(killed, MemoryStore)
    store = FaultyStore()
    store.inner, store.fail_before = killed, 1
    with HallSimulation(store, clock=3600.0) as second:
        second.wait(0.1)
        executor = second.hall.executor
        live = executor.live_rooms[room]
        second.loop.call_soon(executor.submit, live, SYSTEM, TimeUp(), second.now())
        second.settle()
        assert live.durable.phase is Phase.PLAYING
        assert live.durable.clock is not None
        assert live.durable.clock.left == (MINUTE, MINUTE)


def test_an_export_keeps_when_an_outage_began_that_has_not_ended(tmp_path: Path) -> None:
    with HallSimulation() as first:
        _, _, shown = first.running_room(clock=CLOCK)
        room, killed = RoomId(shown["room"]["id"]), deepcopy(first.store)
    assert isinstance(killed, MemoryStore)
    with restarted(killed, clock=3600.0):
        killed_again = deepcopy(killed)
    export_format.write(killed_again, None, tmp_path / "export")
    imported = MemoryStore()
    export_format.read(imported, None, tmp_path / "export")
    with restarted(imported, clock=3700.0) as third:
        third.wait(1)
        clock = third.hall.executor.live_rooms[room].durable.clock
        assert clock is not None
        assert clock.left == (MINUTE, MINUTE)


def test_a_listener_that_fails_for_one_room_keeps_no_other_from_being_loaded() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        rooms = {room for _, room in open_rooms(first, 5)}
    with restarted(store) as second:
        failed: list[RoomId] = []

        def fail(live: LiveRoom, _before: AnyRoom) -> None:
            if not failed:
                failed.append(live.durable.id)
                raise ValueError

        second.hall.executor.room_listeners.insert(0, fail)
        second.wait(1)
        assert failed
        assert loaded(second) == rooms
        assert store.outage() == 0


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_an_outage_is_noted_until_it_has_ended(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "q.db"
    store = MemoryStore() if kind == "memory" else SqliteStore(path)
    assert store.outage() == 0
    store.set_outage(Millis(5_000))
    if isinstance(store, SqliteStore):
        store.close()
        store = SqliteStore(path)
    with closing(store):
        assert store.outage() == 5_000
        store.set_outage(Millis(0))
        assert store.outage() == 0


def test_a_snapshot_has_the_persons_at_the_seats_until_the_next_snapshot() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        executor = simulation.hall.executor
        ((_, room),) = open_rooms(simulation, 1)
        live = executor.live_rooms[RoomId(room)]
        person = next(iter(persons_of(live.durable.seats)))
        for actor, command in (
            (SYSTEM, TransferSeat(Seat(0), person, Person("other device"))),
            (SYSTEM, TakeSeat(Person("kept"), "Kept", Seat(1), reserved=True)),
            (SYSTEM, TakeSeat(Person("kept"), "Kept", Seat(1))),
            (Seat(1), LeaveSeat()),
        ):
            simulation.loop.call_soon(executor.submit, live, actor, command, simulation.now())
            simulation.settle()
            snapshot = store.snapshot(live.durable.id)
            assert snapshot is not None
            summary = read_summary(snapshot.body)
            assert summary is not None
            assert summary.persons == persons_of(live.durable.seats)
            assert (summary.code, summary.game) == (live.durable.code, "tictactoe")


def test_a_room_with_a_snapshot_of_a_format_without_summary_is_loaded_at_the_start() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        (_, old), _ = open_rooms(first, 2)
    snapshot = store.snapshot(RoomId(old))
    assert snapshot is not None
    present, earlier = b'"format":%d' % JOURNAL_FORMAT, b'"format":%d' % (SUMMARY_SINCE - 1)
    assert present in snapshot.body
    store._snapshots[RoomId(old)] = snapshot._replace(body=snapshot.body.replace(present, earlier))
    assert read_summary(b"damaged") is None
    with restarted(store) as second:
        assert loaded(second) == {old}
        assert second.hall.replication.unloaded == 1


def test_rooms_of_a_game_that_allows_one_match_are_loaded_at_the_start() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        _, _, shown = first.running_room()
    with HallSimulation(store, clock=1000.0, single=frozenset({"tictactoe"})) as second:
        assert loaded(second) == {shown["room"]["id"]}


def test_loaded_rooms_are_no_news_for_the_lobby_beyond_its_first_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room_list, "FIRST_PAGE", 2)
    store = MemoryStore()
    with HallSimulation(store) as first:
        open_rooms(first, 5)
    with restarted(store) as second:
        watcher = second.native_client("Watcher")
        (listed,) = watcher.ask("lobby", on=True)
        assert not listed.get("rooms")
        second.wait(1)
        rows = [row for update in watcher.received() for row in update.get("rooms", ())]
        assert len(loaded(second)) == 5
        assert len(rows) == 2


def test_while_the_journal_is_full_a_room_that_is_not_loaded_is_not_denied() -> None:
    store = MemoryStore()
    with HallSimulation(store) as first:
        ann, _, shown = first.running_room()
        ((host, own),) = open_rooms(first, 1)
    with restarted(store) as second:
        executor, room = second.hall.executor, shown["room"]["id"]
        player, owner = second.native_client(token=ann.token), second.native_client(token=host.token)
        executor.journal.full = True
        answers = [
            player.ask("resign", room=room, nonce="n")[0],
            player.ask("resume", room=room, version=0)[0],
            player.ask("quick_match", game="tictactoe", rejoin=True)[0],
            owner.ask("open", game="tictactoe", nonce="own", table={})[0],
        ]
        assert {answer["code"] for answer in answers} == {"unavailable"}
        assert (answers[0]["nonce"], answers[-1]["nonce"]) == ("n", "own")
        executor.journal.full = False
        assert owner.ask("open", game="tictactoe", nonce="own", table={})[0]["room"]["id"] == own


def test_a_resume_is_answered_if_the_room_closes_before_it_can_be_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with HallSimulation() as simulation:
        ((_, room),) = open_rooms(simulation, 1)
        guest, executor = simulation.native_client("Guest"), simulation.hall.executor

        async def close(live: LiveRoom, version: int = 0) -> None:
            executor.submit(live, Seat(0), LeaveSeat(), simulation.now())
            await executor.journal.written()

        monkeypatch.setattr(executor.replication, "ready", close)
        (refused,) = guest.ask("resume", room=room, version=0)
        assert refused["code"] == "no_such_room"


class UnreadableStore(MemoryStore):
    """A store in which rooms cannot be read for some time."""

    failing = False

    def load(self, room: RoomId) -> Saved | None:
        self._check()
        return super().load(room)

    def snapshot(self, room: RoomId) -> Snapshot | None:
        self._check()
        return super().snapshot(room)

    def _check(self) -> None:
        if self.failing:
            raise StoreError("disk I/O error")


@pytest.mark.parametrize("at_start", [0, 1])
@pytest.mark.parametrize("failing_from", ["start", "first request"])
def test_a_room_that_could_not_be_read_is_read_again_when_it_is_needed(
    monkeypatch: pytest.MonkeyPatch, at_start: int, failing_from: str
) -> None:
    monkeypatch.setattr(room_loading, "LOADED_AT_START", at_start)
    store = UnreadableStore()
    with HallSimulation(store) as first:
        ann, _, shown = first.running_room(clock=CLOCK)
        room = shown["room"]["id"]
        before = store.last_heartbeat()
    store.failing = failing_from == "start"
    with capture_logs() as lines, restarted(store, clock=3600.0) as second:
        returned = second.native_client(token=ann.token)
        store.failing = True
        if failing_from == "start" or not at_start:
            (refused,) = returned.ask("resume", room=room, version=0)
            assert refused["code"] == "unavailable"
            second.wait(5)
            assert store.outage() == before, "it has not ended for every room"
        store.failing = False
        answer = returned.ask("resume", room=room, version=0)[0]
        assert answer["room"]["clock"]["left"] == [MINUTE, MINUTE]
        second.wait(2)
        assert (store.outage(), second.hall.replication.unloaded) == (0, 0)
    assert not [line for line in lines if line["event"] == "table set aside"]


def test_no_clock_is_charged_for_a_run_of_the_server_in_which_its_game_was_missing() -> None:
    store = PartlyDamagedStore()
    with HallSimulation(store) as first:
        _, _, shown = first.running_room(clock=CLOCK)
        _, _, other = first.running_room(clock=CLOCK)
    room, played = RoomId(shown["room"]["id"]), RoomId(other["room"]["id"])
    store.without_game = room
    with restarted(store, clock=1000.0) as second:
        second.wait(30)
        assert loaded(second) == {played}
    store.without_game = RoomId("")
    with restarted(store, clock=2000.0) as third:
        third.wait(1)
        rooms = third.hall.executor.live_rooms
        clock, other_clock = rooms[room].durable.clock, rooms[played].durable.clock
        assert clock is not None
        assert other_clock is not None
        assert clock.left == (MINUTE, MINUTE)
        assert sum(left or 0 for left in other_clock.left) < 2 * MINUTE - 10_000, "it was played"
        assert store.outage() == 0
