"""Many whole games of chess on the native protocol, each at a table of its own."""

import asyncio
import time
from typing import Final

from bench.failure import Failure
from bench.servers import Server

from .native_client import ANSWER_LIMIT, NativeClient
from .native_tables import create_many
from .notices import FullRoom, Left, Notice, RoomEvents
from .pacing import GAP
from .qtchess_players import PLIES, long_game

CLOCK: Final = b'{"main":[600000],"increment":2000}'
_OPEN: Final = b'{"type":"open","game":"chess","nonce":"c%d","table":{"clock":%b,"empty_timeout":0}}'
_MOVE: Final = b'{"type":"play","room":"%b","move":{"do":"move","uci":"%b"},"nonce":"m%d"}'
GAMES: Final = tuple(tuple(move.uci().encode() for move in long_game(seed)) for seed in range(10))


class ChessSeat(NativeClient):
    """A player that waits for a version of its room."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.version = 0
        self._changed = asyncio.Event()
        self._sent_at = 0.0

    def receive(self, notice: Notice) -> None:
        """Follow the room."""
        if isinstance(notice, (RoomEvents, FullRoom)):
            self.version = notice.version
            self._changed.set()

    async def act(self, frame: bytes, *, opponent: "ChessSeat") -> None:
        """Send a command, not faster than allowed, and wait until both players see it."""
        await asyncio.sleep(self._sent_at + GAP - time.perf_counter())
        self._sent_at, before = time.perf_counter(), self.version
        self.send(frame)
        await self.follow(before + 1)
        await opponent.follow(before + 1)

    async def follow(self, version: int) -> None:
        """Wait until this player sees a version of the room."""
        async with asyncio.timeout(ANSWER_LIMIT):
            while self.version < version:
                self._changed.clear()
                await self._changed.wait()


async def play_games(server: Server, moves: int, tables: int) -> int:
    """Play whole games until there are so many moves; return the number of games."""
    games = max(tables, moves // PLIES)
    left = iter(range(games))

    async def connect(_: int) -> tuple[ChessSeat, ChessSeat]:
        white, black = ChessSeat(server.port), ChessSeat(server.port)
        await white.connect()
        await black.connect()
        return white, black

    async def play(white: ChessSeat, black: ChessSeat) -> None:
        for number in left:
            await (await Game.open(white, black, number)).finish()

    pairs = await create_many(tables, connect)
    async with asyncio.TaskGroup() as group:
        for pair in pairs:
            group.create_task(play(*pair))
    for pair in pairs:
        for seat in pair:
            seat.close()
    return games


class Game:
    """A game of two players, move by move."""

    def __init__(self, white: ChessSeat, black: ChessSeat, number: int, room: bytes) -> None:
        self.room = room
        self._players = (white, black)
        self._moves = GAMES[number % len(GAMES)]
        self._ply = 0

    @classmethod
    async def open(cls, white: ChessSeat, black: ChessSeat, number: int) -> "Game":
        """Open a table, and seat both players."""
        white.version = black.version = 0
        shown = await white.ask(_OPEN % (number, CLOCK), FullRoom)
        room = shown.room.id.encode()
        joined = await black.ask(b'{"type":"join","room":"%b"}' % room, FullRoom)
        if joined.you == shown.you:
            raise Failure("both players have the same seat")
        await white.follow(black.version)
        return cls(white, black, number, room)

    async def move(self) -> None:
        """Play the next move, and wait until both players see it."""
        mover, other = self._players if self._ply % 2 == 0 else reversed(self._players)
        await mover.act(_MOVE % (self.room, self._moves[self._ply], self._ply), opponent=other)
        self._ply += 1

    async def finish(self) -> None:
        """Play the remaining moves, resign, and leave the table."""
        while self._ply < len(self._moves):
            await self.move()
        white, black = self._players
        await white.act(b'{"type":"resign","room":"%b","nonce":"end"}' % self.room, opponent=black)
        for seat in self._players:
            await seat.ask(b'{"type":"leave","room":"%b"}' % self.room, Left)
