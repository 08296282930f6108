"""Players of chess on the python-socketio peer: every table plays the same long game repeatedly."""

import asyncio
import time

import msgspec

from bench.failure import Failure
from bench.servers import Server

from .closed_loop import play_tables
from .counters import LoadCounters
from .measurement import Measurement
from .native_tables import create_many
from .pacing import Unlimited
from .qtchess_players import PLIES, long_game
from .socketio_client import ANSWER_LIMIT, SocketIOClient


def squares() -> tuple[bytes, ...]:
    """Return the moves of the long game as fields of a JSON object."""
    moves = (move.uci() for move in long_game())
    return tuple(
        msgspec.json.encode({"from": uci[:2], "to": uci[2:4], "promotion": uci[4:] or None})[1:]
        for uci in moves
    )


class SocketIOChessPlayer(SocketIOClient):
    """Makes the next move of the game after each move of the opponent; the host has white."""

    moves = squares()

    def __init__(self, port: int, counters: LoadCounters, pacing: Unlimited, *, host: bool) -> None:
        super().__init__(port)
        self.counters = counters
        self.host = host
        self.room = b""
        self.plies = 0
        self.sent = 0
        self.sent_at = 0.0
        self._pacing = pacing
        self._seated = asyncio.Event()

    async def create(self) -> bytes:
        """Connect, open a room and return its number."""
        await self.connect()
        await self._ask(b'42["create"]')
        return self.room

    async def join(self, room: bytes) -> None:
        """Connect and take the second seat of a room."""
        self.room = room
        await self.connect()
        await self._ask(b'42["join",{"room":"%b"}]' % room)

    def act(self) -> None:
        """Make the next move, or start another game."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        if self.plies < PLIES:
            self.emit(b'42["move",{"room":"%b",%b]' % (self.room, self.moves[self.plies]))
        else:
            self.emit(b'42["again",{"room":"%b"}]' % self.room)

    def receive(self, packet: bytes) -> None:
        """Follow the game."""
        if packet.startswith(b'42["move"'):
            self.plies += 1
            own = self.plies % 2 == self.host
            self.counters.moves += own
            if not own:
                self._pacing.turn(self)
        elif packet.startswith(b'42["start"'):
            self.plies = 0
            self._seated.set()
            if self.host:
                self._pacing.turn(self)
        elif packet.startswith(b'42["created"'):
            self.room = msgspec.json.decode(packet[2:])[1]["room"].encode()
            self._seated.set()
        else:
            self.counters.refusals.append(packet.decode())

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1

    async def _ask(self, packet: bytes) -> None:
        self.emit(packet)
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await self._seated.wait()
        except TimeoutError:
            raise Failure(f"no room: {(*self.counters.refusals, 'no answer')[0]}") from None


async def play_socketio_chess(server: Server, tables: int, warm: float, seconds: float) -> Measurement:
    """Play chess at many tables, and measure the server."""
    counters, pacing = LoadCounters(), Unlimited()

    async def table(_: int) -> tuple[SocketIOChessPlayer, SocketIOChessPlayer]:
        white = SocketIOChessPlayer(server.port, counters, pacing, host=True)
        black = SocketIOChessPlayer(server.port, counters, pacing, host=False)
        await black.join(await white.create())
        return white, black

    return await play_tables(server, counters, pacing, await create_many(tables, table), warm, seconds)
