"""Executes the effects of the state machine of each replica: reads, applies, retries, resumes."""

import asyncio
from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.room_rebuilding import JournalError, follows, replay, restore
from qipai.hall.journal.store_interface import Damaged, Entry, Saved, StoreError
from qipai.hall.rooms.command_executor import HEAD_START, CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.room_deadlines import RETRY_PAUSE
from qipai.kernel.commands import OutageEnded
from qipai.kernel.ids import SYSTEM, Millis, RoomId, Seat
from qipai.kernel.room import CLOSED, deadline
from qipai.kernel.seats import is_human

from . import replica_inputs as inputs
from .bus_interface import Bus, CatchUp, Outage
from .remote_presence import RemotePresence
from .replica_inputs import Effect, ReadOutcome
from .replica_transitions import FORGOTTEN, OPENING, Reading, Reloading, transition
from .replication_interface import Callback, ClusterListeners


class ReplicaEngine:
    """Makes every transition of every replica of this worker.

    `subscribed` is the index of the rooms whose state is subscribed; nothing else changes it.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        bus: Bus,
        errors: InternalErrors,
        remote: RemotePresence,
        listeners: ClusterListeners,
        subscribed: dict[RoomId, LiveRoom],
    ) -> None:
        self.outage: Outage | None = None
        """The last outage of all workers, as heartbeats tell."""
        self._executor = executor
        self._bus = bus
        self._errors = errors
        self._remote = remote
        self._listeners = listeners
        self._subscribed = subscribed
        self._requests = 0

    def feed(self, live: LiveRoom, given: inputs.ReplicaInput, apply: Callback | None = None) -> None:
        """Make the transition and execute its effects; `apply` is what `APPLY` or `AWAIT_HINT` calls."""
        self._requests += 1
        before = live.replica
        live.replica, effects = transition(before, given, self._requests)
        if live.replica.subscribed != before.subscribed:
            self._index(live)
        for effect in effects:
            self._execute(effect, live, apply)

    def _index(self, live: LiveRoom) -> None:
        if live.replica.subscribed:
            self._subscribed[live.durable.id] = live
        else:
            self._subscribed.pop(live.durable.id, None)

    def _execute(self, effect: Effect, live: LiveRoom, apply: Callback | None) -> None:
        room = live.durable.id
        match effect:
            case Effect.APPLY:
                assert apply is not None
                self._apply(live, apply)
            case Effect.RESUME:
                deferred, live.deferred = live.deferred, []
                for command in deferred:
                    command.run()
            case Effect.REFUSE:
                deferred, live.deferred = live.deferred, []
                for command in deferred:
                    command.refuse()
            case Effect.SUBSCRIBE:
                assert isinstance(live.replica, Reading)
                read = partial(self._read, live, live.replica.request)
                self._bus.subscribe(room, live.durable.version, read)
            case Effect.RELOAD:
                assert isinstance(live.replica, Reloading)
                self._bus.load(room, partial(self._reloaded, live, live.replica.request))
            case Effect.AWAIT_COMMIT:
                settled = self._settled
                self._executor.journal.after(lambda _failure: settled(live), room)
            case Effect.AWAIT_HINT:
                assert apply is not None
                hint = apply
                # In the batch that is being released, the record of this room may come after this effect.
                self._executor.journal.after_batch(lambda _failure: hint(), room)
            case Effect.CLOSE:
                self.close(live)
            case Effect.INHERIT:
                for listener in self._listeners.replicas:
                    listener.inherited(live)
            case Effect.REVIEW:
                self._review(live)
            case Effect.RETRY:
                if self._bus.open:
                    asyncio.get_running_loop().call_later(RETRY_PAUSE / 1000, self._retry, live)
            case Effect.ANNOUNCE:
                self._remote.announce_all(live)
            case Effect.UNSUBSCRIBE:
                self._remote.withdraw_all(live)
                self._bus.unsubscribe(room)
            case Effect.RELEASE:
                live.remote_members, live.remote_players = {}, {}
                for release in self._listeners.released:
                    release(live)

    def _settled(self, live: LiveRoom) -> None:
        self.feed(live, inputs.CommitSettled(live.writing))

    def _retry(self, live: LiveRoom) -> None:
        self.feed(live, inputs.RetryDue(live.writing))

    def opened(self, live: LiveRoom) -> None:
        """Follow a room that was opened here: its first record subscribes this worker."""
        live.replica = OPENING
        self._index(live)
        self._execute(Effect.AWAIT_COMMIT, live, None)

    def read(self, live: LiveRoom) -> None:
        """Read what other workers wrote; until then the room takes no commands."""
        self.feed(live, inputs.ReadWanted(live.writing))

    def close(self, live: LiveRoom) -> None:
        """Close a room that the store does not have, and tell its members."""
        if self._executor.live_rooms.get(live.durable.id) is live:
            self._executor.replace_value(live, replace(live.durable, phase=CLOSED, clock=None))

    # Answers of the store

    def _read(self, live: LiveRoom, request: int, caught: CatchUp | StoreError) -> None:
        room = live.durable
        if isinstance(caught, Damaged):
            self._errors.room_quarantined(room.id, caught)
        if isinstance(caught, StoreError) or self._executor.journal.full:
            self.feed(live, inputs.ReadAnswered(request, ReadOutcome.UNAVAILABLE))
        elif caught.length < room.version or caught.at != room.at or not follows(caught.tail, room.version):
            # The store has lost records, and other workers may have gone on from there.
            self.feed(live, inputs.ReadAnswered(request, ReadOutcome.DIVERGED))
        else:
            self._errors.room_readable(room.id)
            exact = inputs.ReadAnswered(request, ReadOutcome.EXACT)
            self.feed(live, exact, partial(self._apply_caught, live, caught))

    def _reloaded(self, live: LiveRoom, request: int, saved: Saved | StoreError | None) -> None:
        if saved is None:
            self.feed(live, inputs.ReadAnswered(request, ReadOutcome.MISSING))
            return
        try:
            if isinstance(saved, StoreError):
                raise saved
            _, room, _ = restore(self._executor.games, saved)
        except StoreError as error:
            if isinstance(error, Damaged):
                self._errors.room_quarantined(live.durable.id, error)
            else:
                self._errors.commit_failed(error, live.latest)
            self.feed(live, inputs.ReadAnswered(request, ReadOutcome.UNAVAILABLE))
        else:
            self._errors.room_readable(room.id)
            replace = partial(self._executor.replace_value, live, room)
            self.feed(live, inputs.ReadAnswered(request, ReadOutcome.EXACT), replace)

    def _apply(self, live: LiveRoom, apply: Callback) -> None:
        try:
            apply()
        except JournalError as error:
            self._errors.commit_failed(error, live.latest)
            self.feed(live, inputs.ApplyFailed())
            return
        if live.replica is not FORGOTTEN:
            self._end_outage(live)
            self.feed(live, inputs.Applied(live.durable.version, live.writing))

    def _apply_caught(self, live: LiveRoom, caught: CatchUp) -> None:
        self._remote.replace_all(live, caught.members)
        self.apply_entries(live, caught.tail)

    def apply_entries(self, live: LiveRoom, entries: Sequence[Entry]) -> None:
        """Apply records of other workers that follow; raise `JournalError` at one that does not."""
        for done in replay(live.game, live.durable, entries):
            self._remote.introduce(live, done.room)
            self._executor.apply_remote_step(live, done)

    def _end_outage(self, live: LiveRoom) -> None:
        """Charge no clock for an outage, unless that was done here or on another worker."""
        outage, room = self.outage, live.latest
        if outage is None or room.at >= outage.up or deadline(room) is None:
            return
        complete = all(live.held(Seat(number)) for number, taken in enumerate(room.seats) if is_human(taken))
        head_start = Millis(RETRY_PAUSE) if complete else HEAD_START
        command = OutageEnded(outage.down, head_start)
        # A conflict means that another worker did it.
        self._executor.submit(live, SYSTEM, command, self._executor.now(), again=lambda: None)

    def _review(self, live: LiveRoom) -> None:
        if live.replica is FORGOTTEN:
            return
        self._executor.deadlines.set(live)
        for listener in self._listeners.replicas:
            listener.read_again(live)
        if live.bots:
            self._executor.ask_bots(live)
