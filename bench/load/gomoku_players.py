"""Players of gomoku on Socket.IO."""

import asyncio
import sys
import time
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure
from bench.servers import Server

from .counters import LoadCounters
from .measurement import Measurement, measure
from .native_tables import create_many
from .pacing import GAP
from .socketio_client import ANSWER_LIMIT, SocketIOClient

ROWS: Final = 3
STONES: Final = ROWS * 15
"""Stones until a player surrenders: every other row in alternating colours, so that no five are in a row."""


class RoomName(Struct):
    """The id of a room."""

    id: str


class Payload(Struct, rename="camel"):
    """The fields of all events that a player needs."""

    current_turn: int = 0
    status: str = ""
    role: str = ""
    new_role: str = ""
    room: RoomName | None = None


class Event(Struct, array_like=True):
    """An event; decoding skips the offset of connection state recovery."""

    name: str
    payload: Payload


_event: Final = msgspec.json.Decoder(Event).decode
_ROOM_EVENTS: Final = (b'42["room-updated"', b'42["room-joined"', b'42["rematch-start"')


class GomokuPlayer(SocketIOClient):
    """Places a stone whenever the room says that its colour is to move."""

    def __init__(self, port: int, counters: LoadCounters) -> None:
        super().__init__(port)
        self.counters = counters
        self.pair: tuple[GomokuPlayer, GomokuPlayer] = (self, self)
        self.colour = 1
        self.room = ""
        self.stones = 0
        self.playing = False
        self.started = False
        self.sent = 0
        self.sent_at = 0.0
        self.most_frames = sys.maxsize
        self._joined = asyncio.Event()

    async def enter(self, name: str) -> None:
        """Open the socket and enter the lobby."""
        await self.connect()
        self.emit(b'42["join-lobby",{"nickname":"%b"}]' % name.encode())

    async def create(self) -> str:
        """Open a room, and return its id."""
        self.emit(b'42["create-room",{"name":"room"}]')
        return await self._wait_until_joined()

    async def join(self, room: str) -> None:
        """Take the second seat of a room."""
        self.emit(b'42["join-room",{"roomId":"%b"}]' % room.encode())
        await self._wait_until_joined()

    def start(self) -> None:
        """Begin to play."""
        self.started = True
        if self.playing:
            self.act()

    def act(self) -> None:
        """Place the next stone, or surrender a long game; nothing after the last frame."""
        if self.sent == self.most_frames:
            return
        self.sent += 1
        self.sent_at = time.perf_counter()
        room = self.room.encode()
        if self.stones < STONES:
            row, column = divmod(self.stones, 15)
            self.emit(b'42["place-stone",{"roomId":"%b","x":%d,"y":%d}]' % (room, column, 2 * row))
        else:
            self.emit(b'42["surrender",{"roomId":"%b"}]' % room)

    def receive(self, packet: bytes) -> None:
        """Follow the room."""
        if packet.startswith(b'42["stone-placed"'):
            self._placed()
        elif packet.startswith(_ROOM_EVENTS):
            event = _event(memoryview(packet)[2:])
            self._follow(event.name, event.payload)
        elif packet.startswith(b'42["game-over"'):
            self.stones = 0
            self.playing = False
            self.emit(b'42["request-rematch",{"roomId":"%b"}]' % self.room.encode())
        elif packet.startswith(b'42["error"'):
            self.on_refused(packet)

    def on_refused(self, packet: bytes) -> None:
        """Count a refusal."""
        super().on_refused(packet)
        self.counters.refusals.append(packet.decode())

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1

    async def _wait_until_joined(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await self._joined.wait()
        except TimeoutError:
            raise Failure(f"no room: {(*self.counters.refusals, 'no answer')[0]}") from None
        return self.room

    def _placed(self) -> None:
        self.stones += 1
        own = self.stones % 2 == self.colour % 2
        self.counters.moves += own
        if self.counters.timing:
            mover = self if own else self.pair[0] if self.pair[1] is self else self.pair[1]
            self.counters.delays.append(time.perf_counter() - mover.sent_at)

    def _follow(self, event: str, payload: Payload) -> None:
        if event == "room-joined":
            assert payload.room is not None
            self.room = payload.room.id
            self.colour = 1 if payload.role == "black" else 2
            self._joined.set()
        elif event == "rematch-start":
            if payload.new_role:
                self.colour = 1 if payload.new_role == "black" else 2
        elif payload.status == "playing" and payload.current_turn == self.colour:
            if not self.started:
                self.playing = True
            elif (wait := self.sent_at + GAP - time.perf_counter()) > 0:
                asyncio.get_running_loop().call_later(wait, self._act_later)
            else:
                self.act()

    def _act_later(self) -> None:
        if self.started:
            self.act()


async def play_gomoku(server: Server, tables: int, warm: float, seconds: float) -> Measurement:
    """Play gomoku at many tables, and measure the server."""
    counters = LoadCounters()
    players = await create_tables(server, tables, counters)
    try:
        for player in players:
            player.start()
        await asyncio.sleep(warm)
        before = [player.sent for player in players]
        measurement = await measure(server, counters, players, seconds)
        stuck = sum(player.sent == count for player, count in zip(players, before, strict=True))
        if stuck:
            raise Failure(f"{server.name} left {stuck} players without a turn")
        return measurement
    finally:
        for player in players:
            player.started = False
            player.close()
        await asyncio.sleep(0.05)


async def create_tables(
    server: Server, tables: int, counters: LoadCounters, name: str = "player"
) -> list[GomokuPlayer]:
    """Seat two players at each table; nobody moves before `start`."""

    async def table(number: int) -> tuple[GomokuPlayer, GomokuPlayer]:
        black, white = GomokuPlayer(server.port, counters), GomokuPlayer(server.port, counters)
        black.pair = white.pair = (black, white)
        await black.enter(f"{name} {number} b")
        await white.enter(f"{name} {number} w")
        await white.join(await black.create())
        return black, white

    return [player for pair in await create_many(tables, table) for player in pair]
