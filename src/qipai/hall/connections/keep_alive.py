"""Pings silent connections: tells rooms of a player whose network is dead, and drops the connection later."""

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Protocol

from qipai.hall.journal.store_interface import Now
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis

from .connection import Connection

PERIOD: Final = 2_000
"""Milliseconds between two checks of a connection."""
GROUPS: Final = 10
"""Connections are checked in groups, so that a crowd is not pinged all at once."""
CHECKED_AT_ONCE: Final = 100
"""Connections checked in one turn of the event loop: a group of 40,000 connections has 4,000."""
PING_IN_ROOM: Final = 1
"""Silent checks after which a connection in a room is pinged."""
AWAY: Final = 3
"""Silent checks after which the rooms are told, at most 8 s after the last frame; 4 s to answer the ping."""
MEASURE_LAG: Final = 5
"""Checks after which the lag of a connection in a room is measured again."""
PING: Final = 10
"""Silent checks after which any other connection is pinged."""
DROP: Final = 20
"""Silent checks after which a connection is dropped."""


class PlayerPresence(Protocol):
    """Tells rooms that a player is disconnected, or is back."""

    def disconnected(self, connection: Connection) -> None:
        """Tell the rooms of a connection that it is disconnected."""

    def reconnected(self, connection: Connection) -> None:
        """Tell the rooms of a connection that it is back."""


class KeepAlive:
    """Checks every connection once per period; `seats_of` returns the further connections of its seats.

    Only a client that has answered a ping before is called away: some libraries answer none.
    """

    def __init__(
        self,
        presence: PlayerPresence,
        seats_of: Callable[[Connection], Iterable[Connection]],
        alarms: Alarms,
        now: Now,
    ) -> None:
        self._presence = presence
        self._seats_of = seats_of
        self._alarms = alarms
        self._now = now
        self._groups: tuple[set[Connection], ...] = tuple(set() for _ in range(GROUPS))
        self._unchecked: deque[Connection] = deque()
        """The rest of the group that is checked now."""
        self._next_group = 0
        self._added = 0
        self._round = 0

    def start(self) -> None:
        """Check one group after the other, without end."""
        # Set first: a failure in one connection must not end the checks of all.
        self._alarms.set("keep_alive", Millis(self._now() + PERIOD // GROUPS), self.start)
        group, self._next_group = self._groups[self._next_group], (self._next_group + 1) % GROUPS
        self._round += self._next_group == 0
        self._unchecked.extend(group)
        self._check_some()

    def _check_some(self) -> None:
        if len(self._unchecked) > CHECKED_AT_ONCE:
            self._alarms.set("keep_alive_rest", self._now(), self._check_some)
        for _ in range(min(len(self._unchecked), CHECKED_AT_ONCE)):
            connection = self._unchecked.popleft()
            if not connection.detached and not connection.outbox.closed:
                self._check(connection)

    def add(self, connection: Connection) -> None:
        """Check this connection from now on."""
        self._groups[self._added % GROUPS].add(connection)
        self._added += 1

    def remove(self, connection: Connection) -> None:
        """Check it no longer."""
        for group in self._groups:
            group.discard(connection)

    def _check(self, connection: Connection) -> None:
        first = connection.silent_checks < 0
        if connection.received or first:
            connection.received = False
            connection.silent_checks = 0
            if connection.away:
                connection.away = False
                self._tell(connection, self._presence.reconnected)
            # The first answer tells that the client answers pings at all.
            if first or (connection.rooms and self._lag_is_due(connection)):
                connection.ping(self._now())
            return
        connection.silent_checks += 1
        silent = connection.silent_checks
        in_room = bool(connection.rooms)
        if silent >= DROP:
            connection.outbox.abort()
        elif silent == (PING_IN_ROOM if in_room else PING):
            connection.ping(self._now())
        elif silent == AWAY and in_room and connection.answers_pings:
            connection.away = True
            self._tell(connection, self._presence.disconnected)

    def _lag_is_due(self, connection: Connection) -> bool:
        return not connection.lag_meter.is_settled or self._round % MEASURE_LAG == 0

    def _tell(self, connection: Connection, tell: Callable[[Connection], None]) -> None:
        for each in (connection, *self._seats_of(connection)):
            tell(each)
