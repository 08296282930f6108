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

    def __init__(self, host: CommandExecutor, bus: Bus, read: Callable[[], Collection[RoomId]]) -> None:
        self._host = host
        self._bus = bus
        self._read = read
        """Returns the rooms whose records are read anyway."""

    def look(self) -> None:
        """Ask which tables live, and close the others."""
        known = self._read()
        strangers = [box for room, box in self._host.live_rooms.items() if room not in known]
        if strangers:
            self._bus.open_rooms(partial(self._told, strangers))

    def _told(self, boxes: Sequence[LiveRoom], living: frozenset[RoomId] | StoreError) -> None:
        if not isinstance(living, StoreError):
            spared = living.union(self._read())
            for box in boxes:
                if box.durable.id not in spared:
                    self.close(box)

    def close(self, box: LiveRoom) -> None:
        """Let everybody at a table know that it is gone."""
        if self._host.live_rooms.get(box.durable.id) is box:
            self._host.put(box, replace(box.durable, phase=CLOSED, clock=None))
