"""Players of chess on the boardgame.io peer: every table plays the same long game, match after match."""

import asyncio
import time
from typing import Final

import msgspec
from msgspec import Struct, field

from bench.failure import Failure
from bench.servers import Server

from .closed_loop import play_tables
from .counters import LoadCounters
from .measurement import Measurement
from .native_tables import create_many
from .pacing import Unlimited
from .qtchess_players import PLIES, long_game
from .socketio_client import ANSWER_LIMIT, SocketIOClient

NAMESPACE: Final = b"/chess"
_HEAD: Final = len(b"42" + NAMESPACE + b",")


class Context(Struct, rename="camel"):
    """The player who is to move."""

    current_player: str


class State(Struct):
    """State of a match; decoding skips the rest."""

    ctx: Context
    number: int = field(name="_stateID")


class SyncInfo(Struct):
    """What a player gets who joins a match."""

    state: State


class Update(Struct, array_like=True):
    """Event after a move."""

    name: str
    match: str
    state: State


class Sync(Struct, array_like=True):
    """Event after joining."""

    name: str
    match: str
    info: SyncInfo


_update: Final = msgspec.json.Decoder(Update).decode
_sync: Final = msgspec.json.Decoder(Sync).decode


def arguments() -> tuple[bytes, ...]:
    """Return the moves of the long game as arguments of a move of boardgame.io."""
    moves = (move.uci() for move in long_game())
    return tuple(msgspec.json.encode([uci[:2], uci[2:4], *uci[4:]]) for uci in moves)


class BoardgamePlayer(SocketIOClient):
    """Makes the next move of the game on each turn; after the last one it joins the next match."""

    moves = arguments()

    def __init__(self, port: int, counters: LoadCounters, pacing: Unlimited, table: int, seat: str) -> None:
        super().__init__(port, NAMESPACE)
        self.counters = counters
        self.seat = seat
        self.number = 0
        self.sent = 0
        self.sent_at = 0.0
        self._pacing = pacing
        self._table = table
        self._match = -1
        self._synced = asyncio.Event()

    async def enter(self) -> None:
        """Connect and join the first match."""
        await self.connect()
        self.join_next_match()
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await self._synced.wait()
        except TimeoutError:
            raise Failure(f"no match: {(*self.counters.refusals, 'no answer')[0]}") from None

    @property
    def match(self) -> str:
        """Return the id of the present match."""
        return f"{self._table}-{self._match}"

    def join_next_match(self) -> None:
        """Join the next match, which the server creates when it is first named."""
        self._match += 1
        self.emit(b'42/chess,["sync","%b","%b",null,2]' % (self.match.encode(), self.seat.encode()))

    def act(self) -> None:
        """Make the next move."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        seat = self.seat.encode()
        self.emit(
            b'42/chess,["update",{"type":"MAKE_MOVE","payload":{"type":"play","args":%b,"playerID":"%b",'
            b'"credentials":null}},%d,"%b","%b"]'
            % (self.moves[self.number], seat, self.number, self.match.encode(), seat)
        )

    def receive(self, packet: bytes) -> None:
        """Follow the match."""
        if packet.startswith(b'42/chess,["update"'):
            update = _update(memoryview(packet)[_HEAD:])
            if update.match == self.match:
                self.counters.moves += update.state.ctx.current_player != self.seat
                self._follow(update.state)
        elif packet.startswith(b'42/chess,["sync"'):
            self._synced.set()
            self._follow(_sync(memoryview(packet)[_HEAD:]).info.state)

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1

    def _follow(self, state: State) -> None:
        self.number = state.number
        if self.number == PLIES:
            self.join_next_match()
        elif state.ctx.current_player == self.seat:
            self._pacing.turn(self)


async def play_boardgame(server: Server, tables: int, warm: float, seconds: float) -> Measurement:
    """Play chess at many tables, and measure the server."""
    counters, pacing = LoadCounters(), Unlimited()

    async def table(number: int) -> tuple[BoardgamePlayer, BoardgamePlayer]:
        white, black = (BoardgamePlayer(server.port, counters, pacing, number, seat) for seat in "01")
        await white.enter()
        await black.enter()
        return white, black

    return await play_tables(server, counters, pacing, await create_many(tables, table), warm, seconds)
