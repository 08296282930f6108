"""Periodic checks of replicas: lost subscriptions, rooms missing in the store, unused replicas."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, RoomId

from .bus_interface import Bus
from .replica_effects import ReplicaEngine
from .replica_inputs import Unused
from .replica_transitions import FOLLOWING, Listed

MISMATCHES: Final = 4
"""Heartbeats in a row with another number of subscriptions; requests in flight make them differ briefly."""
UNUSED_AFTER: Final = 30_000
"""Milliseconds without members of this worker after which a room is left to the workers that have some."""
UNUSED_EVERY: Final = 5_000


class ReplicaChecks:
    """Corrects what a lost message, or the last second of a crashed store, left wrong."""

    def __init__(
        self,
        executor: CommandExecutor,
        bus: Bus,
        subscribed: Mapping[RoomId, LiveRoom],
        engine: ReplicaEngine,
    ) -> None:
        self._executor = executor
        self._bus = bus
        self._subscribed = subscribed
        self._engine = engine
        self._mismatches = 0
        self._unused_since: dict[RoomId, Millis] = {}
        self._unused_checked = Millis(0)

    # Subscriptions: no other worker looks after a room that this one is wrongly said to follow.

    def compare(self, subscriptions: int) -> None:
        """Compare the lists if the store counts another number of subscriptions again and again."""
        self._mismatches = 0 if subscriptions == len(self._subscribed) else self._mismatches + 1
        if self._mismatches == MISMATCHES:
            self._mismatches = 0
            self._bus.subscriptions(self._correct)

    def _correct(self, stored: frozenset[RoomId] | StoreError) -> None:
        if isinstance(stored, StoreError):
            return
        for room in stored:
            live = self._executor.live_rooms.get(room)
            if live is None or isinstance(live.replica, Listed):
                self._bus.unsubscribe(room)
        for room, live in list(self._subscribed.items()):
            if room not in stored:
                self._engine.read(live)

    # Rooms that were closed while the store was unreachable, or that it has lost

    def close_missing(self) -> None:
        """Close the rooms that are only listed here and that the store does not have any more."""
        listed = [live for live in self._executor.live_rooms.values() if isinstance(live.replica, Listed)]
        if listed:
            self._bus.open_rooms(partial(self._close_others, listed))

    def _close_others(self, listed: Sequence[LiveRoom], stored: frozenset[RoomId] | StoreError) -> None:
        if isinstance(stored, StoreError):
            return
        for live in listed:
            if live.durable.id not in stored and isinstance(live.replica, Listed):
                self._engine.close(live)

    # Unused replicas

    def forget(self, room: RoomId) -> None:
        """The room is no longer live here."""
        self._unused_since.pop(room, None)

    def release_unused(self, now: Millis) -> None:
        """Release rooms whose members have all been connected to other workers for a while."""
        if now - self._unused_checked < UNUSED_EVERY:
            return
        self._unused_checked = now
        for room, live in list(self._subscribed.items()):
            if live.members or not live.remote_members or live.writing or live.replica is not FOLLOWING:
                self._unused_since.pop(room, None)
            elif now - self._unused_since.setdefault(room, now) >= UNUSED_AFTER:
                self._unused_since.pop(room, None)
                self._engine.feed(live, Unused())
