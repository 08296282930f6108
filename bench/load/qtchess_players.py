"""Players of chess on the qtchess dialect: every table plays the same long game repeatedly."""

import asyncio
import random
import time
from typing import Final

import chess
import msgspec
from msgspec import Struct
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from bench.failure import Failure
from bench.servers import HOST, Server

from .closed_loop import play_tables
from .counters import LoadCounters
from .measurement import Measurement
from .native_tables import create_many
from .pacing import Unlimited

TEXT: Final = WSMsgType.TEXT
ANSWER_LIMIT: Final = 20.0
PLIES: Final = 80
"""Moves until the host resigns; an even number, so that it is the turn of the host."""
_READ_BUFFER: Final = 2048
_SEED: Final = 2026


def long_game(seed: int = _SEED) -> list[chess.Move]:
    """Return the moves of a game that is not over after `PLIES` moves."""
    choices, board = random.Random(seed), chess.Board()
    while board.ply() < PLIES:
        move = choices.choice(list(board.legal_moves))
        board.push(move)
        if board.is_game_over() or board.is_repetition(3):
            board.reset()
    return board.move_stack


def _frame(move: chess.Move) -> bytes:
    start, end = move.from_square, move.to_square
    kinds = {chess.ROOK: 2, chess.KNIGHT: 3, chess.BISHOP: 4, chess.QUEEN: 5}
    fields = {
        "fromRow": 7 - chess.square_rank(start),
        "fromCol": chess.square_file(start),
        "toRow": 7 - chess.square_rank(end),
        "toCol": chess.square_file(end),
        "promotion": None if move.promotion is None else kinds[move.promotion],
    }
    return b'{"action":"move","room":"%b",' + msgspec.json.encode(fields)[1:]


MOVES: Final = tuple(_frame(move) for move in long_game())
START: Final = (
    b'{"action":"startGame","room":"%b","whiteTimeMs":600000,"blackTimeMs":600000,"incrementMs":2000,'
    b'"hostColor":"White","gameModes":{},"minePositions":[]}'
)


class Message(Struct):
    """The fields that a player needs of a message that is not a move."""

    action: str
    room: str = ""


_message: Final = msgspec.json.Decoder(Message).decode


class QtChessPlayer(WSListener):
    """Makes the next move of the game after each move of the opponent; the host has white."""

    def __init__(self, port: int, counters: LoadCounters, pacing: Unlimited, *, host: bool) -> None:
        super().__init__()
        self.port = port
        self.counters = counters
        self.host = host
        self.room = b""
        self.plies = 0
        self.sent = 0
        self.sent_at = 0.0
        self.open = False
        self.closing = False
        self._pacing = pacing
        self._joined = asyncio.Event()

    async def enter(self, room: bytes = b"") -> bytes:
        """Connect and open a room, or join one; return its number."""
        await ws_connect(
            lambda: self, f"ws://{HOST}:{self.port}/", read_buffer_init_size=_READ_BUFFER, max_redirects=0
        )
        self.send(b'{"action":"joinRoom","room":"%b"}' % room if room else b'{"action":"createRoom"}')
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await self._joined.wait()
        except TimeoutError:
            raise Failure(f"no room: {(*self.counters.refusals, 'no answer')[0]}") from None
        return self.room

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        self.transport.send(TEXT, frame)

    def start(self) -> None:
        """Start a game."""
        self.send(START % self.room)

    def act(self) -> None:
        """Make the next move, or resign the game and start another."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        if self.plies < PLIES:
            self.send(MOVES[self.plies] % self.room)
        else:
            self.send(b'{"action":"surrender","room":"%b"}' % self.room)
            self.start()

    def receive(self, frame: bytes) -> None:
        """Follow the game."""
        if frame.startswith(b'{"action":"move"'):
            self.plies += 1
            own = self.plies % 2 == self.host
            self.counters.moves += own
            if not own:
                self._pacing.turn(self)
            return
        message = _message(frame)
        match message.action:
            case "gameStart":
                self.plies = 0
                if self.host:
                    self._pacing.turn(self)
            case "roomCreated" | "joinedRoom":
                self.room = message.room.encode()
                self._joined.set()
            case "error" | "gameOver":
                self.counters.refusals.append(frame.decode())

    def close(self) -> None:
        """Drop the connection."""
        self.closing = True
        if self.open:
            self.transport.disconnect(graceful=False)

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Store the transport."""
        self.transport = transport
        self.open = True

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Read one frame."""
        if frame.msg_type == TEXT:
            self.receive(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Count a connection that the server closed."""
        self.open = False
        self.counters.lost_connections += not self.closing


async def play_qtchess(server: Server, tables: int, warm: float, seconds: float) -> Measurement:
    """Play chess at many tables, and measure the server."""
    counters, pacing = LoadCounters(), Unlimited()

    async def table(_: int) -> tuple[QtChessPlayer, QtChessPlayer]:
        white = QtChessPlayer(server.port, counters, pacing, host=True)
        black = QtChessPlayer(server.port, counters, pacing, host=False)
        await black.enter(await white.enter())
        white.start()
        return white, black

    return await play_tables(server, counters, pacing, await create_many(tables, table), warm, seconds)
