"""Games of gomoku against a bot of the server, and how long its answers take."""

import asyncio
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Final

from qipai.games.gomoku.bots.levels import Normal
from qipai.games.gomoku.wire_types import Place, View
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .counters import LoadCounters
from .native_client import NativeClient
from .notices import FullRoom, Left, Notice, Refused, RoomEvents

THOUGHT: Final = 1.0
"""Seconds that a player waits before each move."""
_SIZE: Final = 15
_CELLS: Final = _SIZE * _SIZE


class BotGame(NativeClient):
    """Plays one game after the other, as the server's normal bot would; stores how long each answer took."""

    def __init__(self, port: int, counters: LoadCounters, thinking: ProcessPoolExecutor, number: int) -> None:
        super().__init__(port)
        self.counters = counters
        self.waits: list[float] = []
        self._thinking = thinking
        self._number = number
        self._games = 0
        self._seat = 0
        self._cells: list[int] = []
        self._to_act: list[int] = []
        self._over = False
        self._changed = asyncio.Event()

    async def play(self, bot: str) -> None:
        """Play until cancelled."""
        while True:
            self._games += 1
            self._cells, self._over = [], False
            frame = b'{"type":"open","game":"gomoku","nonce":"g%d","bot":"%b","table":{"public":false}}'
            shown = await self.ask(frame % (self._games, bot.encode()), FullRoom)
            room = shown.room.id.encode()
            while not self._over:
                if self._seat in self._to_act:
                    await self._move(room)
                else:
                    await self._next_notice()
            await self.ask(b'{"type":"leave","room":"%b"}' % room, Left)

    async def _move(self, room: bytes) -> None:
        await asyncio.sleep(THOUGHT)
        loop, cells = asyncio.get_running_loop(), tuple(self._cells)
        x, y = await loop.run_in_executor(self._thinking, choose, cells, self._number)
        frame = b'{"type":"play","room":"%b","move":{"do":"place","x":%d,"y":%d},"nonce":"%x"}'
        started = time.perf_counter()
        self.send(frame % (room, x, y, len(cells)))
        while len(self._cells) < len(cells) + 2 and not self._over:
            await self._next_notice()
        if len(self._cells) >= len(cells) + 2 and self.counters.timing:
            self.waits.append(time.perf_counter() - started)

    async def _next_notice(self) -> None:
        self._changed.clear()
        await self._changed.wait()

    def receive(self, notice: Notice) -> None:
        """Follow the game."""
        if isinstance(notice, RoomEvents):
            self._to_act = notice.to_act
            for event in notice.events:
                if event.e == "placed":
                    self._cells.append(event.x + _SIZE * event.y)
                elif event.e == "game_over":
                    self._over = True
        elif isinstance(notice, FullRoom):
            self._seat = notice.you or 0
            self._to_act = notice.room.to_act
        elif isinstance(notice, Refused):
            self.counters.refusals.append(f"{notice.code} {notice.about}".strip())
        self._changed.set()

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1


def choose(cells: tuple[int, ...], number: int) -> tuple[int, int]:
    """Return the point that the normal bot chooses; runs in another process."""
    view = View(Seat(len(cells) % 2), Seat(0), cells, ())
    free = [Place(cell % _SIZE, cell // _SIZE) for cell in range(_CELLS) if cell not in cells]
    found = Normal().choose(view, Seat(0), free, Random(bytes([number]) * 32))
    assert isinstance(found, Place)
    return found.x, found.y
