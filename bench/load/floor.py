"""Many tables of two players each."""

import asyncio
import gc
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

from bench.servers import Server

from .notices import Shown
from .pace import Free, Pace
from .player import Player
from .tally import Tally
from .window import Window, watch

ARRIVING: Final = 64
"""How many connections are being opened at once."""
DRAIN_LIMIT: Final = 10.0

T = TypeVar("T")


class Floor:
    """Fills tables, lets them play, and watches what that costs the server."""

    def __init__(self, server: Server, clock: str = "") -> None:
        self.server = server
        self.tally = Tally()
        self.pairs: list[tuple[Player, Player]] = []
        self.pace: Pace = Free()
        table = '{"public":false' + (f',"clock":{clock}' if clock else "") + "}"
        self._open = b'{"type":"open","game":"tictactoe","nonce":"t1","table":%b}' % table.encode()

    @property
    def players(self) -> Iterable[Player]:
        """Yield everybody."""
        return (player for pair in self.pairs for player in pair)

    async def fill(self, tables: int) -> None:
        """Open tables until there are this many; nobody moves before `play`."""
        self.pairs += await crowd(tables - len(self.pairs), self._table)

    def set_pace(self, pace: Pace) -> None:
        """Play at another pace from the next `play` on."""
        self.pace = pace
        for player in self.players:
            player.turn = pace.turn
            if player.wanted():
                pace.turn(player)

    async def play(self, warm: float, seconds: float, *, timing: bool = False) -> Window:
        """Play for a while, measure what comes after the warm-up, and stop."""
        self.pace.start()
        gc.collect()
        gc.freeze()
        gc.disable()
        try:
            await asyncio.sleep(warm)
            return await watch(self.server, self.tally, list(self.players), seconds, timing=timing)
        finally:
            gc.enable()
            gc.unfreeze()
            self.pace.stop()
            await self.drain()

    async def drain(self) -> None:
        """Wait until every frame that was sent has been answered by the broadcast."""
        until = time.monotonic() + DRAIN_LIMIT
        while time.monotonic() < until:
            versions = sum(player.version for player in self.players)
            await asyncio.sleep(0.05)
            if versions == sum(player.version for player in self.players):
                return

    async def leave(self) -> None:
        """Give up every table for good."""
        for player in self.players:
            player.send(b'{"type":"leave","room":"%b"}' % player.room)
        await self.drain()

    async def __aenter__(self) -> "Floor":
        return self

    async def __aexit__(self, *_: object) -> None:
        self.pace.stop()
        for player in self.players:
            player.close()
        await asyncio.sleep(0.05)

    async def _table(self, _: int) -> tuple[Player, Player]:
        first, second = (Player(self.server.port, self.tally, self.pace.turn) for _ in range(2))
        first.pair = second.pair = (first, second)
        await first.connect()
        await second.connect()
        shown = await first.ask(self._open, Shown)
        await second.ask(b'{"type":"join","room":"%b"}' % shown.room.id.encode(), Shown)
        return first, second


async def crowd(count: int, make: Callable[[int], Awaitable[T]]) -> list[T]:
    """Make many of something, a bounded number at a time."""
    turns = asyncio.Semaphore(ARRIVING)

    async def one(number: int) -> T:
        async with turns:
            return await make(number)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(number)) for number in range(count)]
    return [task.result() for task in tasks]
