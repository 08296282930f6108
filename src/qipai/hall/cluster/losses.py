"""Tables that the store does not have any more, though they are known here."""

from collections.abc import Callable, Collection, Sequence
from functools import partial

from msgspec.structs import replace

from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from qipai.kernel.room import CLOSED

from .bus_interface import Bus


class MissingRooms:
    """Closes here what was closed while nothing could be heard, or what the store has lost."""

    def __init__(self, executor: CommandExecutor, bus: Bus, read: Callable[[], Collection[RoomId]]) -> None:
        self._executor = executor
        self._bus = bus
        self._read = read
        """Returns the rooms whose records are read anyway."""

    def look(self) -> None:
        """Ask which tables live, and close the others."""
        known = self._read()
        strangers = [live for room, live in self._executor.live_rooms.items() if room not in known]
        if strangers:
            self._bus.open_rooms(partial(self._told, strangers))

    def _told(self, live_rooms: Sequence[LiveRoom], living: frozenset[RoomId] | StoreError) -> None:
        if not isinstance(living, StoreError):
            spared = living.union(self._read())
            for live in live_rooms:
                if live.durable.id not in spared:
                    self.close(live)

    def close(self, live: LiveRoom) -> None:
        """Let everybody at a table know that it is gone."""
        if self._executor.live_rooms.get(live.durable.id) is live:
            self._executor.replace_value(live, replace(live.durable, phase=CLOSED, clock=None))
