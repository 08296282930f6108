"""Replicas against a model: several workers on one store; messages are lost, late, repeated and reordered."""

import asyncio
import json
from collections.abc import Callable
from functools import partial
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from qipai.games.game_registry import GAMES
from qipai.hall.cluster.bus_interface import Outage
from qipai.hall.cluster.replica_transitions import (
    FOLLOWING,
    OPENING,
    Listed,
    Opening,
    Reading,
    Reloading,
    ReplicaState,
    Settling,
)
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import LeaveSeat, Play, Say, TableRules, TakeSeat
from qipai.kernel.ids import SPECTATOR, SYSTEM, Nonce, Person, RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import seat_of
from tests.support.hall_simulation import EPOCH, VirtualLoop
from tests.support.scripted_bus import ScriptedWorker, SharedStore, milliseconds

GAME = GAMES["tictactoe"]
WORKERS = st.integers(0, 2)
MOST_ROOMS = 3


class Visitor:
    """A connection in a room, and what it was sent."""

    def __init__(self, worker: ScriptedWorker, room: RoomId, person: Person) -> None:
        self.worker = worker
        self.room = room
        self.connection, self.wire = worker.connect()
        self.connection.person = person
        self.read = 0
        self.version = 0


class Replication(RuleBasedStateMachine):
    """The truth is the journal of the store; every worker may only ever show a prefix of it."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = VirtualLoop()
        self.errors: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(str(context)))
        self.now = milliseconds(self.loop, EPOCH)
        self.store = SharedStore()
        self.workers: list[ScriptedWorker | None] = [None, None, None]
        self.names = 0
        self.nonces = 0
        self.rooms: list[RoomId] = []
        self.visitors: list[Visitor] = []
        self.acknowledged: dict[Nonce, RoomId] = {}
        self.canonical: dict[RoomId, list[AnyRoom]] = {}
        self.shown: dict[tuple[str, RoomId, int], int] = {}
        for place in range(3):
            self._start(place)

    # Helpers

    def _do(self, work: Callable[[], Any]) -> Any:
        """Run something on the event loop, and everything that follows from it without time passing."""

        async def run() -> Any:
            result = work()
            for _ in range(8):
                await asyncio.sleep(0)
            return result

        return self.loop.run_until_complete(run())

    def _start(self, place: int) -> None:
        self.names += 1
        name = f"w{self.names}"
        self.workers[place] = self._do(lambda: ScriptedWorker(self.store, name, self.now))

    def _alive(self) -> list[ScriptedWorker]:
        return [worker for worker in self.workers if worker is not None]

    def _worker(self, place: int) -> ScriptedWorker:
        alive = self._alive()
        return alive[place % len(alive)]

    def _live(self, worker: ScriptedWorker, number: int) -> LiveRoom | None:
        return worker.executor.live_rooms.get(self.rooms[number % len(self.rooms)]) if self.rooms else None

    def _nonce(self) -> Nonce:
        self.nonces += 1
        return Nonce(f"n{self.nonces}")

    @initialize()
    def a_game_is_played_on_two_workers(self) -> None:
        self.open_a_room(0, clock=True)
        for place in (1, 2, 0):
            self._flow_everywhere()
            self.take_a_seat(place, 0)
        self._flow_everywhere()

    def _flow(self, worker: ScriptedWorker) -> None:
        """Execute every request, deliver every answer, then every message, until none is left."""
        bus = worker.bus
        while bus.requests or bus.answers or bus.messages:
            while bus.requests:
                self._do(bus.execute)
            while bus.answers:
                self._do(bus.answer)
            if bus.messages:
                self._do(partial(bus.messages.pop(0), worker.replicas))

    def _flow_everywhere(self) -> None:
        for _ in range(3):
            for worker in self._alive():
                self._flow(worker)

    # What clients do

    @precondition(lambda self: len(self.rooms) < MOST_ROOMS)
    @rule(place=WORKERS, clock=st.booleans())
    def open_a_room(self, place: int, clock: bool) -> None:
        worker, room = self._worker(place), RoomId(f"room{len(self.rooms)}")
        plan = ClockPlan(main=(600,)) if clock else None
        self.rooms.append(room)
        self._do(
            lambda: worker.executor.open(
                GAME,
                room,
                GAME.read_chosen_options(None),
                TableRules(clock=plan, empty_timeout=600),
                self.now(),
            )
        )
        self.take_a_seat(place, len(self.rooms) - 1)

    @precondition(lambda self: self.rooms)
    @rule(place=WORKERS, number=st.integers(0, MOST_ROOMS - 1))
    def take_a_seat(self, place: int, number: int) -> None:
        worker = self._worker(place)
        if (live := self._live(worker, number)) is None:
            return
        visitor = Visitor(worker, live.durable.id, Person(f"p{len(self.visitors)}"))
        self.visitors.append(visitor)
        self._do(lambda: worker.tasks.run(self._enter(visitor, live)))

    async def _enter(self, visitor: Visitor, live: LiveRoom) -> None:
        """Enter as `JoinLeaveCommands` does: once the room takes commands, as a spectator or into a seat."""
        executor, person = visitor.worker.executor, visitor.connection.person
        assert person is not None
        try:
            await executor.replication.ready(live)
        except StoreError:
            return
        executor.send_full_room(live, visitor.connection, SPECTATOR)
        visitor.worker.presence.enter(live, visitor.connection, SPECTATOR)
        if None in live.latest.seats:
            take = TakeSeat(person, person)
            executor.submit(live, SYSTEM, take, self.now(), visitor.connection, self._nonce())

    @precondition(lambda self: self.visitors)
    @rule(number=st.integers(0, 30), text=st.booleans())
    def play_or_say_something(self, number: int, text: bool) -> None:
        visitor = self.visitors[number % len(self.visitors)]
        executor, connection = visitor.worker.executor, visitor.connection
        live = executor.live_rooms.get(visitor.room)
        if visitor.worker not in self.workers or live is None or connection not in live.members:
            return
        seat = seat_of(live.latest.seats, connection.person or Person(""))
        actor = SPECTATOR if seat is None else seat
        moves = (
            live.rules.legal(live.latest.state, actor)
            if seat is not None and live.latest.phase is Phase.PLAYING
            else ()
        )
        command = Play(moves[0]) if moves and not text else Say("hello", "name", None)
        self._do(lambda: executor.submit(live, actor, command, self.now(), connection, self._nonce()))

    @precondition(lambda self: self.visitors)
    @rule(number=st.integers(0, 30), seat=st.booleans())
    def leave(self, number: int, seat: bool) -> None:
        visitor = self.visitors[number % len(self.visitors)]
        live = visitor.worker.executor.live_rooms.get(visitor.room)
        if visitor.worker not in self.workers or live is None or visitor.connection not in live.members:
            return
        taken = seat_of(live.latest.seats, visitor.connection.person or Person(""))
        self._do(lambda: visitor.worker.presence.leave(live, visitor.connection))
        if seat and taken is not None:
            self._do(lambda: visitor.worker.executor.submit(live, taken, LeaveSeat(), self.now()))

    # What the store and the network do

    @rule(place=WORKERS)
    def the_network_works(self, place: int) -> None:
        self._flow(self._worker(place))

    @rule()
    def the_network_works_everywhere(self) -> None:
        self._flow_everywhere()

    @rule(place=WORKERS, count=st.integers(1, 6))
    def requests_are_executed(self, place: int, count: int) -> None:
        bus = self._worker(place).bus
        for _ in range(min(count, len(bus.requests))):
            self._do(bus.execute)

    @rule(place=WORKERS, count=st.integers(1, 6))
    def answers_arrive(self, place: int, count: int) -> None:
        bus = self._worker(place).bus
        for _ in range(min(count, len(bus.answers))):
            self._do(bus.answer)

    @rule(place=WORKERS, executed=st.booleans())
    def a_request_fails(self, place: int, executed: bool) -> None:
        bus = self._worker(place).bus
        if bus.requests:
            self._do(partial(bus.execute, answered=False) if executed else bus.refuse)

    @rule(place=WORKERS, number=st.integers(0, 30), fate=st.sampled_from(["arrive", "repeat", "lose"]))
    def a_message_arrives_in_any_order(self, place: int, number: int, fate: str) -> None:
        worker = self._worker(place)
        if messages := worker.bus.messages:
            message = messages[number % len(messages)]
            if fate != "repeat":
                messages.remove(message)
            if fate != "lose":
                self._do(lambda: message(worker.replicas))

    @rule(place=WORKERS)
    def a_heartbeat_is_answered(self, place: int) -> None:
        worker = self._worker(place)
        if worker.bus.open:
            self._do(lambda: worker.heartbeat(self._names()))

    def _names(self) -> frozenset[str]:
        return frozenset(worker.name for worker in self._alive())

    @rule(place=WORKERS)
    def missed_records_are_read(self, place: int) -> None:
        worker = self._worker(place)
        if worker.bus.open:
            self._do(worker.check)

    @rule(seconds=st.sampled_from([0.1, 1.5, 6.0, 35.0]))
    def time_passes(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))

    @rule(place=WORKERS)
    def a_worker_loses_the_store(self, place: int) -> None:
        worker = self._worker(place)
        if worker.bus.open:
            self._do(worker.bus.break_connection)
            self._do(worker.replicas.store_lost)

    @rule(place=WORKERS)
    def a_worker_regains_the_store(self, place: int) -> None:
        worker = self._worker(place)
        if not worker.bus.open:
            self._regain(worker)

    def _regain(self, worker: ScriptedWorker) -> None:
        worker.bus.open = True
        self._do(worker.replicas.store_regained)
        for shot in self.store.snapshots.values():
            self._do(partial(worker.replicas.snapshot_written, shot))

    @precondition(lambda self: len(self._alive()) > 1)
    @rule(place=WORKERS, executed=st.integers(0, 3))
    def a_worker_dies(self, place: int, executed: int) -> None:
        worker = self._worker(place)
        for _ in range(min(executed, len(worker.bus.requests))):
            self._do(worker.bus.execute)
        self.workers[self.workers.index(worker)] = None
        self.store.remove_worker(worker.name)
        self._do(worker.alarms.close)
        self._do(worker.bus.break_connection)
        self.loop.run_until_complete(worker.tasks.close())

    @precondition(lambda self: None in self.workers)
    @rule()
    def a_worker_starts(self) -> None:
        self._start(self.workers.index(None))

    @rule(seconds=st.sampled_from([3, 20]))
    def an_outage_ends(self, seconds: int) -> None:
        down = self.now()
        self.loop.run_until_complete(asyncio.sleep(seconds))
        self.store.outage = Outage(down, self.now())
        for place in range(len(self._alive())):
            self.a_heartbeat_is_answered(place)

    # What holds at every moment

    @invariant()
    def every_worker_shows_a_prefix_of_the_one_history(self) -> None:
        for room, journal in self.store.journals.items():
            history = self.canonical.setdefault(room, [])
            if len(history) < len(journal):
                history[:] = [step.room for step in retrace(GAMES, journal)]
        for worker in self._alive():
            for room, live in worker.executor.live_rooms.items():
                version = live.durable.version
                stored = self.canonical.get(room, [])
                if version > len(stored):
                    assert live.replica is OPENING or version == 1, (live.replica, version, len(stored))
                    continue
                assert live.durable == stored[version - 1]
                key = (worker.name, room, id(live))
                assert self.shown.get(key, 0) <= version
                self.shown[key] = version

    @invariant()
    def every_replica_is_in_one_state(self) -> None:
        for worker in self._alive():
            subscribed = dict(worker.replicas.subscriptions())
            for room, live in worker.executor.live_rooms.items():
                assert isinstance(live.replica, ReplicaState)
                assert live.replica.subscribed == (room in subscribed)
                if not isinstance(live.replica, Opening | Settling | Reading | Reloading):
                    assert not live.deferred
                if isinstance(live.replica, Listed):
                    assert not live.members
            assert subscribed.keys() <= worker.executor.live_rooms.keys()

    @invariant()
    def nobody_learns_what_is_not_stored(self) -> None:
        for visitor in self.visitors:
            new, visitor.read = visitor.wire.frames[visitor.read :], len(visitor.wire.frames)
            for frame in new:
                notice = json.loads(frame)
                if "version" not in notice:
                    continue
                journal = self.store.journals[visitor.room]
                assert notice["version"] <= len(journal)
                if notice["type"] == "events":
                    assert notice["version"] > visitor.version
                    visitor.version = notice["version"]
                if notice.get("nonce"):
                    self.acknowledged[Nonce(notice["nonce"])] = visitor.room

    @invariant()
    def nothing_fails(self) -> None:
        assert self.errors == []
        for worker in self._alive():
            assert worker.failures == []

    # What holds when nothing happens any more

    def teardown(self) -> None:
        try:
            self._settle()
            self._check_quiet()
        finally:
            for worker in self._alive():
                worker.alarms.close()
                self.loop.run_until_complete(worker.tasks.close())
            self.loop.close()

    def _settle(self) -> None:
        for worker in self._alive():
            if not worker.bus.open:
                self._regain(worker)
        for _ in range(12):
            for worker in self._alive():
                self._flow(worker)
                self._do(partial(worker.heartbeat, self._names()))
                self._do(worker.check)
            self.loop.run_until_complete(asyncio.sleep(1.2))
        self.every_worker_shows_a_prefix_of_the_one_history()
        self.every_replica_is_in_one_state()
        self.nobody_learns_what_is_not_stored()
        self.nothing_fails()

    def _check_quiet(self) -> None:
        for worker in self._alive():
            assert not worker.bus.requests
            for room, live in worker.executor.live_rooms.items():
                assert live.replica is FOLLOWING or isinstance(live.replica, Listed), live.replica
                if live.replica is FOLLOWING:
                    assert live.durable.version == len(self.store.journals[room])
                assert live.latest is live.durable
        for nonce, room in self.acknowledged.items():
            assert any(f'"{nonce}"'.encode() in entry.body for entry in self.store.journals[room]), nonce


TestReplication = Replication.TestCase
TestReplication.settings = settings(max_examples=120, stateful_step_count=50, deadline=None)
