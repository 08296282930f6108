"""Many tables of two players on the native protocol."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

from bench.servers import Server

from .counters import LoadCounters
from .measurement import Measurement, measure
from .native_player import Player
from .notices import FullRoom
from .pacing import Pacing, Unlimited

AT_ONCE: Final = 64
"""Connections that are opened at the same time."""
DRAIN_LIMIT: Final = 10.0

T = TypeVar("T")


class NativeTables:
    """Opens tables, lets them play, and measures the server."""

    def __init__(self, server: Server, clock: str = "") -> None:
        self.server = server
        self.counters = LoadCounters()
        self.pairs: list[tuple[Player, Player]] = []
        self.pacing: Pacing = Unlimited()
        self._rules = ('{"public":false' + (f',"clock":{clock}' if clock else "") + "}").encode()

    @property
    def players(self) -> Iterable[Player]:
        """Yield all players."""
        return (player for pair in self.pairs for player in pair)

    async def fill(self, tables: int) -> None:
        """Open tables until there are this many; no player moves before `play`."""
        self.pairs += await create_many(tables - len(self.pairs), self._table)

    def opening(self, number: int) -> bytes:
        """Return the frame that opens a table, with another nonce for each table of a person."""
        return b'{"type":"open","game":"tictactoe","nonce":"t%d","table":%b}' % (number, self._rules)

    def set_pacing(self, pacing: Pacing, active: int | None = None) -> None:
        """Use another pacing from the next `play` on; if given, only so many tables play then."""
        self.pacing = pacing
        for number, pair in enumerate(self.pairs):
            playing = active is None or number < active
            for player in pair:
                player.turn = pacing.turn if playing else _wait
                if playing and player.is_to_act():
                    pacing.turn(player)

    async def play(self, warm: float, seconds: float, *, timing: bool = False) -> Measurement:
        """Play, measure after the warm-up, and stop."""
        self.pacing.start()
        gc.collect()
        gc.freeze()
        gc.disable()
        try:
            await asyncio.sleep(warm)
            return await measure(self.server, self.counters, list(self.players), seconds, timing=timing)
        finally:
            gc.enable()
            gc.unfreeze()
            self.pacing.stop()
            await self.drain()

    async def drain(self) -> None:
        """Wait until every sent frame has been broadcast."""
        deadline = time.monotonic() + DRAIN_LIMIT
        while time.monotonic() < deadline:
            versions = sum(player.version for player in self.players)
            await asyncio.sleep(0.05)
            if versions == sum(player.version for player in self.players):
                return

    async def leave(self) -> None:
        """Leave every table."""
        for player in self.players:
            player.send(b'{"type":"leave","room":"%b"}' % player.room)
        await self.drain()

    async def __aenter__(self) -> "NativeTables":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.pacing.stop()
        for player in self.players:
            player.close()
        await asyncio.sleep(0.05)

    async def _table(self, _: int) -> tuple[Player, Player]:
        first, second = (Player(self.server.port, self.counters, self.pacing.turn) for _ in range(2))
        first.pair = second.pair = (first, second)
        await first.connect()
        await second.connect()
        shown = await first.ask(self.opening(1), FullRoom)
        await second.ask(b'{"type":"join","room":"%b"}' % shown.room.id.encode(), FullRoom)
        return first, second


def _wait(_: Player) -> None:
    """Leave a table as it is."""


async def create_many(count: int, make: Callable[[int], Awaitable[T]]) -> list[T]:
    """Create many objects, a limited number at a time."""
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(number: int) -> T:
        async with slots:
            return await make(number)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(count)]
    return [task.result() for task in tasks]
