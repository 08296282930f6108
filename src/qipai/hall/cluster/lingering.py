"""Tables that are followed here though everybody who is there is with other workers."""

from collections.abc import Callable, Mapping
from typing import Final

from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, RoomId

LINGER: Final = 30_000
"""How long a room is followed that is empty here and not elsewhere."""
SWEEP: Final = 5_000


class UnusedReplicas:
    """Gives such a table up after a while: those who have people there look after it."""

    def __init__(self, following: Mapping[RoomId, LiveRoom], let_go: Callable[[LiveRoom], None]) -> None:
        self._following = following
        self._let_go = let_go
        self._swept = Millis(0)
        self._empty: dict[RoomId, Millis] = {}

    def forget(self, room: RoomId) -> None:
        """It is not followed any more."""
        self._empty.pop(room, None)

    def sweep(self, now: Millis) -> None:
        """Look at all of them, now and then."""
        if now - self._swept < SWEEP:
            return
        self._swept = now
        for room, live in list(self._following.items()):
            if live.members or not live.remote_members or live.latest is not live.durable or live.broken:
                self._empty.pop(room, None)
            elif now - self._empty.setdefault(room, now) >= LINGER:
                self._let_go(live)
