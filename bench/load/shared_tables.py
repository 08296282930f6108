"""Many tables on fewer connections: every pair of connections plays at several tables.

Two connections per table would need more open files and ports than one machine allows.
"""

from collections.abc import Callable
from typing import Final

from .counters import LoadCounters
from .native_client import NativeClient
from .native_player import Player
from .native_tables import NativeTables, create_many
from .notices import FullRoom, Notice, Refused, RoomEvents

MOST_PAIRS: Final = 1250
"""Pairs of connections; each takes at most sixteen seats, so that 20,000 tables have room."""


class SharedConnection(NativeClient):
    """One person at several tables."""

    def __init__(self, port: int, counters: LoadCounters, turn: Callable[[Player], None]) -> None:
        super().__init__(port)
        self.counters = counters
        self.seats: dict[str, SeatPlayer] = {}
        self._turn = turn

    def receive(self, notice: Notice) -> None:
        """Pass a notice to the seat at its table."""
        if isinstance(notice, RoomEvents):
            self.seats[notice.room].receive(notice)
        elif isinstance(notice, FullRoom):
            if notice.room.id not in self.seats:
                self.seats[notice.room.id] = SeatPlayer(self, self._turn)
            self.seats[notice.room.id].receive(notice)
        elif isinstance(notice, Refused):
            self.counters.refusals.append(f"{notice.code} {notice.about}".strip())

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1


class SeatPlayer(Player):
    """A player that shares its connection with the same person's other seats."""

    def __init__(self, connection: SharedConnection, turn: Callable[[Player], None]) -> None:
        super().__init__(connection.port, connection.counters, turn)
        self._connection = connection

    def send(self, frame: bytes) -> None:
        """Send one frame on the shared connection."""
        self._connection.send(frame)

    def close(self) -> None:
        """Drop the shared connection."""
        self._connection.close()


class SharedTables(NativeTables):
    """Opens tables round by round: in each round every pair of connections opens one more."""

    async def fill(self, tables: int) -> None:
        """Open tables until there are this many; the first ones all have connections of their own."""
        connections = await create_many(min(tables, MOST_PAIRS), self._connect)

        async def table(number: int) -> tuple[Player, Player]:
            return await self._share(*connections[number])

        while (missing := tables - len(self.pairs)) > 0:
            self.pairs += await create_many(min(missing, len(connections)), table)

    async def _connect(self, _: int) -> tuple[SharedConnection, SharedConnection]:
        first, second = (
            SharedConnection(self.server.port, self.counters, self.pacing.turn) for _ in range(2)
        )
        await first.connect()
        await second.connect()
        return first, second

    async def _share(self, first: SharedConnection, second: SharedConnection) -> tuple[Player, Player]:
        room = (await first.ask(self.opening(len(first.seats)), FullRoom)).room.id
        await second.ask(b'{"type":"join","room":"%b"}' % room.encode(), FullRoom)
        pair = first.seats[room], second.seats[room]
        pair[0].pair = pair[1].pair = pair
        return pair
