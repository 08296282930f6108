"""People in the gomoku lobby on Socket.IO: those who look at the list, and those who come and go."""

import asyncio
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure

from .socketio import ANSWER_LIMIT, Socket

_LIST: Final = b'42["room-list"'
_JOINED: Final = b'42["room-joined"'
_ERROR: Final = b'42["error"'


class Named(Struct):
    """A room, of which only the id matters."""

    id: str


class Joined(Struct):
    """What a host is told of a room."""

    room: Named


class Joining(Struct, array_like=True):
    """The event that brings a host into a room."""

    name: str
    payload: Joined


class Short(Struct, rename="camel", frozen=True):
    """A room in the list, as far as it changes here."""

    id: str
    black_player: str | None


class Rooms(Struct, array_like=True):
    """The list of rooms; what follows it is skipped."""

    name: str
    rooms: list[Short]


_joining: Final = msgspec.json.Decoder(Joining).decode
_rooms: Final = msgspec.json.Decoder(Rooms).decode


class Visitor(Socket):
    """Is in the lobby."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.news = 0
        self.wrong: Failure | None = None
        self._listed = asyncio.Event()

    async def enter(self, name: str) -> None:
        """Come in and wait for the list."""
        await self.connect()
        self.emit(b'42["join-lobby",{"nickname":"%b"}]' % name.encode())
        await self.wait(self._listed)

    async def wait(self, event: asyncio.Event) -> None:
        """Wait for an answer, and raise `Failure` if there is none."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await event.wait()
        except TimeoutError:
            raise self.wrong or Failure("the lobby did not answer") from None

    def hear(self, packet: bytes) -> None:
        """Count the lists."""
        if packet.startswith(_LIST):
            self.news += 1
            self._listed.set()
        elif packet.startswith(_ERROR):
            self.refused(packet)

    def refused(self, packet: bytes) -> None:
        """Keep what the server did not do."""
        super().refused(packet)
        self.wrong = Failure(f"the server answered {packet.decode()}")

    def lost(self) -> None:
        """Keep that the server closed the connection."""
        self.wrong = Failure("the server closed a connection of the lobby")


class Guest(Visitor):
    """Looks at the list. One who `reads` counts the rooms that are others than before; lists are long."""

    def __init__(self, port: int, *, reads: bool = False) -> None:
        super().__init__(port)
        self.reads = reads
        self.changes = 0
        self._known: set[Short] = set()

    def hear(self, packet: bytes) -> None:
        """Count."""
        super().hear(packet)
        if self.reads and packet.startswith(_LIST):
            rooms = set(_rooms(memoryview(packet)[2:]).rooms)
            self.changes += len(rooms - self._known)
            self._known = rooms


class Host(Visitor):
    """Has a room, leaves it, and comes back to it, so that the list keeps its length."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.changed = 0
        self._room = b""
        self._inside = asyncio.Event()

    async def found(self) -> None:
        """Make a room."""
        self.emit(b'42["create-room",{"name":"room"}]')
        await self.wait(self._inside)

    def change(self) -> None:
        """Make the list differ by one room."""
        self.changed += 1
        if self._inside.is_set():
            self._inside.clear()
            self.emit(b'42["leave-room",{"roomId":"%b"}]' % self._room)
        else:
            self.emit(b'42["join-room",{"roomId":"%b"}]' % self._room)

    def hear(self, packet: bytes) -> None:
        """Learn which room it got."""
        super().hear(packet)
        if packet.startswith(_JOINED):
            self._room = _joining(memoryview(packet)[2:]).payload.room.id.encode()
            self._inside.set()
