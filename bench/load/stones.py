"""Gomoku players on Socket.IO."""

import asyncio
import time
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure
from bench.servers import Server

from .floor import crowd
from .pace import GAP
from .socketio import ANSWER_LIMIT, Socket
from .tally import Tally
from .window import Window, watch

ROWS: Final = 3
STONES: Final = ROWS * 15
"""Stones until somebody surrenders: every other row, colours in turn, so that five never meet."""


class RoomName(Struct):
    """The id of a table."""

    id: str


class Payload(Struct, rename="camel"):
    """Whatever one of the events says that a player cares for."""

    current_turn: int = 0
    status: str = ""
    role: str = ""
    new_role: str = ""
    room: RoomName | None = None


class Event(Struct, array_like=True):
    """An event; the offset that a server with connection state recovery adds is skipped while reading."""

    name: str
    payload: Payload


_event: Final = msgspec.json.Decoder(Event).decode
_WANTED: Final = (b'42["room-updated"', b'42["room-joined"', b'42["rematch-start"')


class StonePlayer(Socket):
    """Places a stone whenever the room says that its colour is to move."""

    def __init__(self, port: int, tally: Tally) -> None:
        super().__init__(port)
        self.tally = tally
        self.pair: tuple[StonePlayer, StonePlayer] = (self, self)
        self.colour = 1
        self.room = ""
        self.stones = 0
        self.playing = False
        self.on = False
        self.sent = 0
        self.sent_at = 0.0
        self._joined = asyncio.Event()

    async def enter(self, name: str) -> None:
        """Open the socket and enter the lobby."""
        await self.connect()
        self.emit(b'42["join-lobby",{"nickname":"%b"}]' % name.encode())

    async def create(self) -> str:
        """Open a room, and return its id."""
        self.emit(b'42["create-room",{"name":"room"}]')
        return await self._inside()

    async def join(self, room: str) -> None:
        """Take the second seat of a room."""
        self.emit(b'42["join-room",{"roomId":"%b"}]' % room.encode())
        await self._inside()

    def act(self) -> None:
        """Place the next stone, or surrender a long game."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        room = self.room.encode()
        if self.stones < STONES:
            row, column = divmod(self.stones, 15)
            self.emit(b'42["place-stone",{"roomId":"%b","x":%d,"y":%d}]' % (room, column, 2 * row))
        else:
            self.emit(b'42["surrender",{"roomId":"%b"}]' % room)

    def hear(self, packet: bytes) -> None:
        """Follow the room."""
        if packet.startswith(b'42["stone-placed"'):
            self._placed()
        elif packet.startswith(_WANTED):
            event = _event(memoryview(packet)[2:])
            self._follow(event.name, event.payload)
        elif packet.startswith(b'42["game-over"'):
            self.stones = 0
            self.playing = False
            self.emit(b'42["request-rematch",{"roomId":"%b"}]' % self.room.encode())
        elif packet.startswith(b'42["error"'):
            self.refused(packet)

    def refused(self, packet: bytes) -> None:
        """Count what the server did not do."""
        super().refused(packet)
        self.tally.refusals.append(packet.decode())

    def lost(self) -> None:
        """Count a connection that the server closed."""
        self.tally.lost += 1

    async def _inside(self) -> str:
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await self._joined.wait()
        except TimeoutError:
            raise Failure(f"no room: {(*self.tally.refusals, 'no answer')[0]}") from None
        return self.room

    def _placed(self) -> None:
        self.stones += 1
        mine = self.stones % 2 == self.colour % 2
        self.tally.moves += mine
        if self.tally.timing:
            mover = self if mine else self.pair[0] if self.pair[1] is self else self.pair[1]
            self.tally.delays.append(time.perf_counter() - mover.sent_at)

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
            if not self.on:
                self.playing = True
            elif (wait := self.sent_at + GAP - time.perf_counter()) > 0:
                asyncio.get_running_loop().call_later(wait, self._late)
            else:
                self.act()

    def _late(self) -> None:
        if self.on:
            self.act()


async def play_stones(server: Server, tables: int, warm: float, seconds: float) -> Window:
    """Play gomoku at many tables, and measure what it costs the server."""
    tally = Tally()

    async def table(number: int) -> tuple[StonePlayer, StonePlayer]:
        black, white = StonePlayer(server.port, tally), StonePlayer(server.port, tally)
        black.pair = white.pair = (black, white)
        await black.enter(f"black {number}")
        await white.enter(f"white {number}")
        await white.join(await black.create())
        return black, white

    players = [player for pair in await crowd(tables, table) for player in pair]
    try:
        for player in players:
            player.on = True
            if player.playing:
                player.act()
        await asyncio.sleep(warm)
        before = [player.sent for player in players]
        window = await watch(server, tally, players, seconds)
        stuck = sum(player.sent == then for player, then in zip(players, before, strict=True))
        if stuck:
            raise Failure(f"{server.name} left {stuck} players without a turn")
        return window
    finally:
        for player in players:
            player.on = False
            player.close()
        await asyncio.sleep(0.05)
