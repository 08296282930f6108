"""Players of chess on the Colyseus peer: every table plays the same long game repeatedly."""

import asyncio
import time
from typing import Final

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
from .qtchess_players import PLIES, long_game

BINARY: Final = WSMsgType.BINARY
ANSWER_LIMIT: Final = 20.0
JOIN_ROOM: Final = b"\x0a"
"""First byte of the frame after connecting, and of its acknowledgement."""
ROOM_DATA: Final = b"\x0d"
"""First byte of a message; its type as a string and its content in MessagePack follow."""


class Seat(Struct, rename="camel"):
    """A reserved seat."""

    session_id: str
    room_id: str
    process_id: str


def message(kind: str, content: object) -> bytes:
    """Encode a message."""
    return ROOM_DATA + msgspec.msgpack.encode(kind) + msgspec.msgpack.encode(content)


MOVE: Final = ROOM_DATA + msgspec.msgpack.encode("move")
START: Final = ROOM_DATA + msgspec.msgpack.encode("start")
AGAIN: Final = message("again", {})


class ColyseusPlayer(WSListener):
    """Makes the next move of the game after each move of the opponent; the host has white."""

    moves = tuple(
        message("move", {"from": uci[:2], "to": uci[2:4], "promotion": uci[4:] or None})
        for uci in (move.uci() for move in long_game())
    )

    def __init__(self, port: int, counters: LoadCounters, pacing: Unlimited, *, host: bool) -> None:
        super().__init__()
        self.port = port
        self.counters = counters
        self.host = host
        self.plies = 0
        self.sent = 0
        self.sent_at = 0.0
        self.open = False
        self.closing = False
        self._pacing = pacing
        self._joined = asyncio.Event()

    async def enter(self, room: str = "") -> str:
        """Reserve a seat in a new room or in this one, connect, and return the id of the room."""
        seat = await reserve(self.port, f"joinById/{room}" if room else "create/chess")
        await ws_connect(
            lambda: self,
            f"ws://{HOST}:{self.port}/{seat.process_id}/{seat.room_id}?sessionId={seat.session_id}",
            max_redirects=0,
        )
        async with asyncio.timeout(ANSWER_LIMIT):
            await self._joined.wait()
        return seat.room_id

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        self.transport.send(BINARY, frame)

    def act(self) -> None:
        """Make the next move, or start another game."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        self.send(self.moves[self.plies] if self.plies < PLIES else AGAIN)

    def receive(self, frame: bytes) -> None:
        """Follow the game."""
        if frame.startswith(MOVE):
            self.plies += 1
            own = self.plies % 2 == self.host
            self.counters.moves += own
            if not own:
                self._pacing.turn(self)
        elif frame.startswith(START):
            self.plies = 0
            if self.host:
                self._pacing.turn(self)
        elif frame.startswith(JOIN_ROOM):
            self.send(JOIN_ROOM)
            self._joined.set()
        else:
            self.counters.refusals.append(repr(frame))

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
        if frame.msg_type == BINARY:
            self.receive(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.PING:
            transport.send_pong(frame.get_payload_as_bytes())
        elif frame.msg_type == WSMsgType.CLOSE:
            transport.disconnect()

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Count a connection that the server closed."""
        self.open = False
        self.counters.lost_connections += not self.closing


async def reserve(port: int, path: str) -> Seat:
    """Ask the matchmaker for a seat."""
    reader, writer = await asyncio.open_connection(HOST, port)
    try:
        writer.write(
            f"POST /matchmake/{path} HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
            "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".encode()
        )
        async with asyncio.timeout(ANSWER_LIMIT):
            head, _, body = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    if head.split()[1:2] != [b"200"]:
        raise Failure(f"Colyseus answered {head.splitlines()[0].decode()} {body.decode()}")
    return msgspec.json.decode(body, type=Seat)


async def play_colyseus(server: Server, tables: int, warm: float, seconds: float) -> Measurement:
    """Play chess at many tables, and measure the server."""
    counters, pacing = LoadCounters(), Unlimited()

    async def table(_: int) -> tuple[ColyseusPlayer, ColyseusPlayer]:
        white = ColyseusPlayer(server.port, counters, pacing, host=True)
        black = ColyseusPlayer(server.port, counters, pacing, host=False)
        await black.enter(await white.enter())
        return white, black

    return await play_tables(server, counters, pacing, await create_many(tables, table), warm, seconds)
