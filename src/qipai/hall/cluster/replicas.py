"""Replicas of rooms on this worker: what the executor and the bus say becomes input of the state machines.

`replica_transitions` decides, `replica_effects` executes. What other workers announce is a hint: the truth
is what the store has, and `step` makes the same of it everywhere.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from qipai.hall.background_tasks import BackgroundTasks, answer
from qipai.hall.connections.connection import Connection
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError, follows, read_snapshot
from qipai.hall.journal.store_interface import Damaged, Entry, Saved, Snapshot, Store, StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import Deferred, LiveRoom
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.room import CLOSED

from . import replica_inputs as inputs
from .bus_interface import Bus, Outage
from .remote_presence import RemotePresence
from .replica_checks import ReplicaChecks
from .replica_effects import ReplicaEngine
from .replica_inputs import HintKind
from .replica_transitions import FOLLOWING, FORGOTTEN, LISTED, OPENING, Reading, Reloading
from .replication_interface import Callback, ClusterListeners

MAX_DEFERRED: Final = 1_000
"""Commands that may wait for one room."""


class Replicas:
    """`BusListener` to the bus, `Replication` to the executor."""

    may_conflict = True

    def __init__(
        self,
        executor: CommandExecutor,
        bus: Bus,
        store: Store,
        errors: InternalErrors,
        tasks: BackgroundTasks,
    ) -> None:
        self.listeners = ClusterListeners()
        self.remote_persons = 0
        self._executor = executor
        self._directory = executor.directory
        self._bus = bus
        self._store = store
        self._errors = errors
        self._tasks = tasks
        self._subscribed: dict[RoomId, LiveRoom] = {}
        self._remote = RemotePresence(executor, bus, self._subscribed, self.listeners)
        self._engine = ReplicaEngine(executor, bus, errors, self._remote, self.listeners, self._subscribed)
        self._checks = ReplicaChecks(executor, bus, self._subscribed, self._engine)

    # Replication: called by the executor

    def start(self, beat: Callback) -> int:
        """List every open room; the bus sends the heartbeats."""
        for room in self._store.open_rooms():
            try:
                saved = self._store.load(room)
            except Damaged as error:
                self._errors.room_quarantined(room, error)
                continue
            if saved is not None:
                self.snapshot_written(saved.snapshot)
        return len(self._directory.live_rooms)

    def stop(self, now: Millis) -> None:
        """Nothing: the last worker's heartbeats tell when it stopped."""

    def opened(self, live: LiveRoom) -> None:
        """Follow it: the worker that opens a room is subscribed by its first record."""
        self._engine.opened(live)

    def forgotten(self, live: LiveRoom) -> None:
        """Cancel the subscription."""
        unopened = live.durable.version == 1 and live.durable.phase is not CLOSED
        self._engine.feed(live, inputs.Forget())
        self._errors.room_readable(live.durable.id)
        self._checks.forget(live.durable.id)
        if unopened and self._bus.open:
            # It could not be opened; perhaps another worker has opened it.
            self._tasks.run(self._list_again(live.durable.id))

    async def _list_again(self, room: RoomId) -> None:
        with suppress(StoreError):
            await self.find(room)

    def defer(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Queue a command, and read the room if that has not begun."""
        self._queue(live, Deferred(run, refuse), inputs.CommandDeferred(live.writing))

    def reread(self, live: LiveRoom, run: Callback, refuse: Callback) -> None:
        """Queue a command and read the room."""
        self._queue(live, Deferred(run, refuse), inputs.ReadWanted(live.writing))

    def _queue(self, live: LiveRoom, command: Deferred, given: inputs.ReplicaInput) -> None:
        if not self._bus.open or len(live.deferred) >= MAX_DEFERRED or live.replica is FORGOTTEN:
            command.refuse()
        else:
            live.deferred.append(command)
            self._engine.feed(live, given)

    def commit_failed(self, live: LiveRoom) -> bool:
        """Read the room again after a pause: its deadline and its bots wait for that."""
        self._engine.feed(live, inputs.CommitUnknown())
        return False

    def computes_bots(self, live: LiveRoom) -> bool:
        """Tell whether this is the first worker by name of those with members in the room."""
        return self._remote.is_first(live)

    def member_changed(self, live: LiveRoom, connection: Connection, viewer: Seat) -> None:
        """Announce a member of this worker."""
        self._remote.announce(live, connection, viewer)

    def member_left(self, live: LiveRoom, connection: Connection) -> None:
        """Withdraw a member of this worker."""
        self._remote.withdraw(live, connection)

    def announce_handle(self, live: LiveRoom, connection: Connection) -> None:
        """Send the handle before the record of the seat."""
        self._remote.announce_handle(live, connection)

    def send_room_message(self, room: RoomId, body: bytes) -> None:
        """Send a message to the observers of the room on other workers."""
        self._remote.send_room_message(room, body)

    @property
    def unloaded(self) -> int:
        """Return 0: every room is listed at the start, and read when it is needed."""
        return 0

    def live_room(self, room: RoomId) -> LiveRoom | None:
        """Return a room that is listed."""
        return self._directory.live_rooms.get(room)

    # Replication: off the move path

    def is_ready(self, live: LiveRoom) -> bool:
        """Tell whether the room takes commands and can be shown."""
        return live.replica is FOLLOWING

    async def find(self, key: str) -> LiveRoom | None:
        """List a room of the store, by id or by code."""
        live = await self._list(RoomId(key))
        if live is not None:
            return live
        room = await answer(partial(self._bus.find, key.upper()))
        return None if room is None or room == key else await self._list(room)

    async def _list(self, room: RoomId) -> LiveRoom | None:
        saved = await answer(partial(self._bus.load, room))
        if saved is None or not saved.snapshot.live:
            return None
        self.snapshot_written(saved.snapshot)
        return self._directory.live_rooms.get(room)

    async def ready(self, live: LiveRoom, version: int = 0) -> None:
        """Return when the room takes commands and can be shown; read it if it is older than `version`."""
        queue = self.reread if live.durable.version < version else self.defer
        while queue == self.reread or not self.is_ready(live):
            await answer(partial(_wait_in, queue, live))
            queue = self.defer

    async def load(self, live: LiveRoom) -> Saved | None:
        """Read a room as it is stored; None if there is no answer."""
        try:
            return await answer(partial(self._bus.load, live.durable.id))
        except StoreError:
            return None

    @asynccontextmanager
    async def exclusive(self, name: str) -> AsyncIterator[None]:
        """Hold a lock; without a store there is none to hold."""
        with suppress(StoreError):
            await answer(partial(self._bus.lock, name))
        # What was staged meanwhile is durable before the lock is used.
        await self._executor.journal.written()
        try:
            yield
        finally:
            self._executor.journal.after(lambda _failure: self._bus.unlock(name))

    def opened_before(self, room: RoomId) -> bool:
        """Return False: the race for the first record decides."""
        return False

    # BusListener

    def records_written(self, room: RoomId, entries: Sequence[Entry]) -> None:
        """Apply what follows; read the room if something is missing."""
        live = self._subscribed.get(room)
        if live is None:
            live = self._directory.live_rooms.get(room)
            if live is None:
                return
        version = live.durable.version
        if not follows(entries, version):
            entries = [entry for entry in entries if entry.version > version]
        if not entries:
            return
        kind = HintKind.NEXT if follows(entries, version) else HintKind.GAP
        hint = inputs.Hinted(entries[-1].version, kind, live.writing)
        if live.writing or live.replica is OPENING:
            self._engine.feed(live, hint, partial(self.records_written, room, entries))
        else:
            self._engine.feed(live, hint, partial(self._engine.apply_entries, live, entries))

    def snapshot_written(self, snapshot: Snapshot) -> None:
        """Update seats and phase of a room that this worker does not follow."""
        live = self._directory.live_rooms.get(snapshot.room)
        if not snapshot.live:
            self._errors.room_readable(snapshot.room)
        if not self.is_newer(snapshot.room, snapshot.version) or (live is None and not snapshot.live):
            return
        try:
            game, room = read_snapshot(self._executor.games, snapshot)
        except JournalError as error:
            self._errors.room_quarantined(snapshot.room, error)
            return
        self._errors.room_readable(room.id)
        if live is None:
            live = LiveRoom(game, room)
            live.replica = LISTED
            self._directory.add(live)
        self._executor.replace_value(live, room)

    def is_newer(self, room: RoomId, version: int) -> bool:
        """Tell whether a snapshot of this version is news; it is not where every record arrives."""
        live = self._directory.live_rooms.get(room)
        return live is None or (
            not live.replica.subscribed
            and not isinstance(live.replica, Reading | Reloading)
            and live.durable.version < version
        )

    def member_announced(self, room: RoomId, key: str, member: bytes) -> None:
        """A member of another worker came, changed or left."""
        self._remote.member_announced(room, key, member)

    def room_message(self, room: RoomId, message: bytes) -> None:
        """Another worker sent a message about a followed room."""
        self._remote.room_message(room, message)

    def broadcast_received(self, message: bytes) -> None:
        """Another worker broadcast a message."""
        for listener in self.listeners.broadcasts:
            listener(message)

    def heartbeat_answered(
        self, workers: frozenset[str], persons: int, outage: Outage | None, subscriptions: int
    ) -> None:
        """Know the live workers; drop the members of the others."""
        self._checks.compare(subscriptions)
        if outage != self._engine.outage:
            self._engine.outage = outage
            for live in list(self._subscribed.values()):
                # The end of the outage is recorded before anything else happens in the room.
                self._engine.read(live)
        self._remote.keep_workers(workers)
        for listener in self.listeners.workers:
            listener(workers)
        if persons != self.remote_persons:
            self.remote_persons = persons
            for changed in self.listeners.persons:
                changed()
        self._checks.release_unused(self._executor.now())

    def rooms_claimed(self, rooms: Iterable[RoomId]) -> None:
        """Take over rooms without subscribers."""
        for room in rooms:
            live = self._directory.live_rooms.get(room)
            if live is None:
                self._tasks.run(self._inherit(room))
            else:
                self._engine.feed(live, inputs.Inherited(live.writing))

    async def _inherit(self, room: RoomId) -> None:
        with suppress(StoreError):
            live = await self.find(room)
            if live is not None:
                self._engine.feed(live, inputs.Inherited(live.writing))

    def subscriptions(self) -> Sequence[tuple[RoomId, int]]:
        """Return the rooms with a subscription and the version of each."""
        return [(room, live.durable.version) for room, live in self._subscribed.items()]

    def store_lost(self) -> None:
        """Refuse what waits for the store."""
        for live in list(self._directory.live_rooms.values()):
            self._engine.feed(live, inputs.Disconnected())

    def store_regained(self) -> None:
        """Read every subscribed room again and announce all members again."""
        for listener in self.listeners.workers:
            # Broadcasts of the meantime are lost: every worker counts as new.
            listener(frozenset())
        for live in list(self._directory.live_rooms.values()):
            self._engine.feed(live, inputs.Reconnected(live.writing))
        self._checks.close_missing()


def _wait_in(
    queue: Callable[[LiveRoom, Callback, Callback], None],
    live: LiveRoom,
    done: Callable[[StoreError | None], None],
) -> None:
    queue(live, partial(done, None), partial(done, StoreError("the room is unavailable")))
