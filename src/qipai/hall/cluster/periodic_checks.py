"""That a worker follows what it is said to follow: nobody else looks after a room it has by name only."""

from collections.abc import Callable, Collection, Mapping
from typing import Final

from qipai.hall.journal.store_interface import StoreError
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId

from .bus_interface import Bus

BEATS: Final = 4
"""How often in a row the numbers must differ: what is under way makes them differ for a moment."""


class SubscriptionCheck:
    """Sets right what was lost on the way, or with the last second of a store that crashed."""

    def __init__(
        self,
        bus: Bus,
        following: Mapping[RoomId, LiveRoom],
        asking: Collection[RoomId],
        follow: Callable[[LiveRoom], None],
    ) -> None:
        self._bus = bus
        self._following = following
        self._asking = asking
        self._follow = follow
        self._beats = 0

    def compare(self, follows: int) -> None:
        """Look more closely if this is not how many rooms are followed, again and again."""
        self._beats = 0 if follows == len(self._following) else self._beats + 1
        if self._beats == BEATS:
            self._beats = 0
            self._bus.subscriptions(self._told)

    def _told(self, rooms: frozenset[RoomId] | StoreError) -> None:
        if isinstance(rooms, StoreError):
            return
        for room in rooms:
            if room not in self._following and room not in self._asking:
                self._bus.unsubscribe(room)
        for room, live in list(self._following.items()):
            if room not in rooms:
                self._follow(live)
