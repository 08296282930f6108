"""Several workers in one process on one store; the test decides what is executed, answered, lost or late."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from qipai.games.game_registry import GAMES
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.cluster.bus_interface import BusListener, CatchUp, LeaseClaim, Outage, SharedCounters
from qipai.hall.cluster.cluster_mode import BusWriter, LocalCounters
from qipai.hall.cluster.replicas import Replicas
from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.sliced_sending import SlicedSending
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.journal.store_interface import Conflict, Entry, Now, Saved, Snapshot, StoreError
from qipai.hall.people.presence import Presence
from qipai.hall.rooms.alarms import Alarms
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.fan_out import FanOut
from qipai.hall.rooms.room_directory import RoomDirectory
from qipai.kernel.ids import Millis, RoomId
from qipai.protocol.native_codec import Native
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import RecordingTransport, deterministic_entropy

Message = Callable[[BusListener], None]


class SharedStore:
    """What Redis holds, and what its scripts do."""

    def __init__(self) -> None:
        self.journals: dict[RoomId, list[Entry]] = {}
        self.snapshots: dict[RoomId, Snapshot] = {}
        self.members: dict[RoomId, dict[str, bytes]] = {}
        self.subscribers: dict[RoomId, set[str]] = {}
        self.buses: dict[str, ScriptedBus] = {}
        self.committed_by: dict[tuple[RoomId, int], str] = {}
        self.outage: Outage | None = None

    def commit(self, worker: str, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write the records of every room that has not been written to meanwhile."""
        lost = set()
        for room in dict.fromkeys(entry.room for entry in entries):
            records = [entry for entry in entries if entry.room == room]
            journal = self.journals.setdefault(room, [])
            if len(journal) != records[0].version - 1:
                lost.add(room)
                continue
            journal += records
            for entry in records:
                assert (room, entry.version) not in self.committed_by
                self.committed_by[room, entry.version] = worker
            if records[0].version == 1:
                self.subscribers.setdefault(room, set()).add(worker)
            for other in self.subscribers.get(room, set()) - {worker}:
                self._publish(other, partial(_announce_records, room, records))
            for shot in snapshots:
                if shot.room == room:
                    self.snapshots[room] = shot
                    for other in self.buses.keys() - {worker}:
                        self._publish(other, partial(_announce_snapshot, shot))
        if lost:
            raise Conflict(lost)

    def subscribe(self, worker: str, room: RoomId, version: int) -> CatchUp:
        """Subscribe a worker and return what it lacks."""
        self.subscribers.setdefault(room, set()).add(worker)
        journal = self.journals.get(room, [])
        at = journal[version - 1].at if 0 < version <= len(journal) else 0
        return CatchUp(len(journal), tuple(journal[version:]), dict(self.members.get(room, {})), at)

    def unsubscribe(self, worker: str, room: RoomId) -> None:
        """Cancel a subscription and remove the members of the worker."""
        self.subscribers.get(room, set()).discard(worker)
        for key in [key for key in self.members.get(room, {}) if key.startswith(f"{worker}/")]:
            del self.members[room][key]

    def load(self, room: RoomId) -> Saved | None:
        """Return a room as it is stored."""
        shot = self.snapshots.get(room)
        return None if shot is None else Saved(shot, tuple(self.journals[room][shot.version :]))

    def announce(self, worker: str, room: RoomId, number: int, member: bytes) -> None:
        """Store a member and tell the subscribers."""
        key, members = f"{worker}/{number}", self.members.setdefault(room, {})
        if member:
            members[key] = member
        else:
            members.pop(key, None)
        for other in self.subscribers.get(room, set()) - {worker}:
            self._publish(other, lambda listener: listener.member_announced(room, key, member))

    def remove_worker(self, worker: str) -> None:
        """Remove everything of a dead worker."""
        self.buses.pop(worker, None)
        for room in list(self.subscribers):
            self.unsubscribe(worker, room)

    def unowned(self) -> list[RoomId]:
        """Return the open rooms without subscribers."""
        return [room for room, shot in self.snapshots.items() if shot.live and not self.subscribers.get(room)]

    def _publish(self, worker: str, message: Message) -> None:
        if (bus := self.buses.get(worker)) is not None:
            bus.messages.append(message)


class ScriptedBus:
    """A `Bus` whose requests, answers and messages wait for the test."""

    def __init__(self, store: SharedStore, worker: str) -> None:
        self.worker = worker
        self.open = True
        self.counters: SharedCounters = LocalCounters()
        self.store = store
        self.requests: deque[tuple[Callable[[], Any], Callable[[Any], None]]] = deque()
        self.answers: deque[partial[None]] = deque()
        self.messages: list[Message] = []
        store.buses[worker] = self

    # Driven by the test

    def execute(self, *, answered: bool = True) -> None:
        """Let the store execute the oldest request; its answer is on the way, or a time-out is."""
        work, done = self.requests.popleft()
        try:
            result = work()
        except StoreError as error:
            result = error
        self.answers.append(partial(_deliver, done, result if answered else StoreError("no answer in time")))

    def refuse(self) -> None:
        """Let the store refuse the oldest request."""
        _, done = self.requests.popleft()
        self.answers.append(partial(_deliver, done, StoreError("refused")))

    def answer(self) -> None:
        """Deliver the oldest answer."""
        self.answers.popleft()()

    def break_connection(self) -> None:
        """Lose everything on the way: requests fail, executed or not."""
        failures = [done for _, done in self.requests]
        answers, self.answers = self.answers, deque()
        self.requests.clear()
        self.messages.clear()
        self.open = False
        for fail in (*(answer.args[0] for answer in answers), *failures):
            fail(StoreError("connection lost"))

    def _ask(self, work: Callable[[], Any], done: Callable[[Any], None]) -> None:
        if self.open:
            self.requests.append((work, done))
        else:
            asyncio.get_running_loop().call_soon(done, StoreError("out of reach"))

    # Bus

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> "asyncio.Future[None]":
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()

        def done(result: Any) -> None:
            if isinstance(result, StoreError):
                written.set_exception(result)
            else:
                written.set_result(None)

        self._ask(partial(self.store.commit, self.worker, entries, snapshots), done)
        return written

    def load(self, room: RoomId, done: Callable[[Saved | StoreError | None], None]) -> None:
        self._ask(partial(self.store.load, room), done)

    def find(self, code: str, done: Callable[[RoomId | StoreError | None], None]) -> None:
        shots = self.store.snapshots
        self._ask(lambda: next((room for room, shot in shots.items() if shot.code == code), None), done)

    def open_rooms(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        shots = self.store.snapshots
        self._ask(lambda: frozenset(room for room, shot in shots.items() if shot.live), done)

    def subscribe(self, room: RoomId, version: int, done: Callable[[CatchUp | StoreError], None]) -> None:
        self._ask(partial(self.store.subscribe, self.worker, room, version), done)

    def unsubscribe(self, room: RoomId) -> None:
        self._ask(partial(self.store.unsubscribe, self.worker, room), _ignore)

    def subscriptions(self, done: Callable[[frozenset[RoomId] | StoreError], None]) -> None:
        rooms = self.store.subscribers
        self._ask(lambda: frozenset(room for room, workers in rooms.items() if self.worker in workers), done)

    def announce_member(self, room: RoomId, number: int, place: bytes) -> None:
        self._ask(partial(self.store.announce, self.worker, room, number, place), _ignore)

    def send_room_message(self, room: RoomId, note: bytes) -> None:
        pass

    def broadcast(self, note: bytes) -> None:
        pass

    def lock(self, name: str, then: Callable[[bool], None]) -> None:
        self._ask(lambda: True, then)

    def unlock(self, name: str) -> None:
        pass

    def store_lease(self, key: str, body: bytes, seconds: int) -> None:
        pass

    def extend_lease(self, key: str, seconds: int) -> None:
        pass

    def claim_lease(
        self, key: str, body: bytes, done: Callable[[LeaseClaim | StoreError | None], None]
    ) -> None:
        done(None)

    def send_to_worker(self, worker: str, key: str, body: bytes) -> None:
        pass


class ScriptedWorker:
    """The rooms of one worker: executor, replicas and presence, without a hall around them."""

    def __init__(self, store: SharedStore, name: str, now: Now) -> None:
        self.handlers: Handlers = {}
        self.handlers_before_hello: Handlers = {}
        self.bus = ScriptedBus(store, name)
        self.name = name
        self.failures: list[Exception] = []
        self.tasks = BackgroundTasks(self.failures.append)
        self.alarms = Alarms(now)
        self.errors = errors = InternalErrors()
        entropy = deterministic_entropy(name)
        self.made: list[Replicas] = []
        unused = MemoryStore()
        self.executor = CommandExecutor(
            RoomDirectory(GAMES, unused, entropy),
            GroupCommit(BusWriter(self.bus)),
            self.alarms,
            errors,
            now,
            entropy,
            FanOut(SlicedSending()),
            partial(self._replicate, unused, errors),
        )
        self.presence = Presence(self.executor)
        for shot in store.snapshots.values():
            self.replicas.snapshot_written(shot)

    def _replicate(self, store: MemoryStore, errors: InternalErrors, executor: CommandExecutor) -> Replicas:
        self.made.append(Replicas(executor, self.bus, store, errors, self.tasks))
        return self.made[0]

    @property
    def replicas(self) -> Replicas:
        return self.made[0]

    def connect(self) -> tuple[Connection, RecordingTransport]:
        """Return a new connection of this worker."""
        wire = RecordingTransport()
        return Connection(wire, Native(), self), wire

    def heartbeat(self, workers: frozenset[str]) -> None:
        """Answer the heartbeat of this worker, and check for missed records as the bus does."""
        store = self.bus.store
        count = sum(self.name in workers for workers in store.subscribers.values())
        self.replicas.heartbeat_answered(workers, 0, store.outage, count)
        claimed = store.unowned()
        for room in claimed:
            store.subscribers.setdefault(room, set()).add(self.name)
        if claimed:
            self.replicas.rooms_claimed(claimed)

    def check(self) -> None:
        """Deliver every record that this worker has not applied, as the periodic check of the bus does."""
        for room, version in self.replicas.subscriptions():
            if missed := self.bus.store.journals.get(room, [])[version:]:
                self.replicas.records_written(room, list(missed))

    # ConnectionEvents

    def disconnected(self, connection: Connection) -> None:
        pass

    def has_pending_intents(self, connection: Connection) -> None:
        pass

    def slow_down(self, connection: Connection, message: bytes) -> None:
        raise AssertionError("too many frames")

    def failed(self, connection: Connection, error: Exception) -> None:
        self.failures.append(error)


def _ignore(_answer: Any) -> None:
    pass


def _announce_records(room: RoomId, records: list[Entry], listener: BusListener) -> None:
    listener.records_written(room, records)


def _announce_snapshot(snapshot: Snapshot, listener: BusListener) -> None:
    listener.snapshot_written(snapshot)


def _deliver(done: Callable[[Any], None], result: Any) -> None:
    done(result)


def milliseconds(loop: asyncio.AbstractEventLoop, epoch: int) -> Now:
    """Return the clock of a virtual loop."""
    return lambda: Millis(epoch + int(loop.time() * 1000))
