"""Clients in the gomoku lobby on Socket.IO: some receive the list of rooms, others change it."""

import asyncio
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure

from .socketio_client import ANSWER_LIMIT, SocketIOClient

_LIST: Final = b'42["room-list"'
_JOINED: Final = b'42["room-joined"'
_ERROR: Final = b'42["error"'


class RoomId(Struct):
    """The id of a room."""

    id: str


class JoinedPayload(Struct):
    """Payload of the event after a host has joined a room."""

    room: RoomId


class JoinedEvent(Struct, array_like=True):
    """The event after a host has joined a room."""

    name: str
    payload: JoinedPayload


class ListedRoom(Struct, rename="camel", frozen=True):
    """A room in the list, with the fields that change here."""

    id: str
    black_player: str | None


class RoomListEvent(Struct, array_like=True):
    """The event with the list of rooms; decoding skips what follows."""

    name: str
    rooms: list[ListedRoom]


_decode_joined: Final = msgspec.json.Decoder(JoinedEvent).decode
_decode_list: Final = msgspec.json.Decoder(RoomListEvent).decode


class LobbyClient(SocketIOClient):
    """A client in the lobby; `lists` counts the lists that it received."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.lists = 0
        self.error: Failure | None = None
        self._listed = asyncio.Event()

    async def enter(self, name: str) -> None:
        """Enter the lobby and wait for the list."""
        await self.connect()
        self.emit(b'42["join-lobby",{"nickname":"%b"}]' % name.encode())
        await self.wait(self._listed)

    async def wait(self, event: asyncio.Event) -> None:
        """Wait for an answer, and raise `Failure` if there is none."""
        try:
            async with asyncio.timeout(ANSWER_LIMIT):
                await event.wait()
        except TimeoutError:
            raise self.error or Failure("the lobby did not answer") from None

    def receive(self, packet: bytes) -> None:
        """Count the lists."""
        if packet.startswith(_LIST):
            self.lists += 1
            self._listed.set()
        elif packet.startswith(_ERROR):
            self.on_refused(packet)

    def on_refused(self, packet: bytes) -> None:
        """Store a refusal as the error."""
        super().on_refused(packet)
        self.error = Failure(f"the server answered {packet.decode()}")

    def on_lost(self) -> None:
        """Store a lost connection as the error."""
        self.error = Failure("the server closed a connection of the lobby")


class LobbyReader(LobbyClient):
    """Receives the list; one that `decodes` counts its changed rooms, which is slow for many clients."""

    def __init__(self, port: int, *, decodes: bool = False) -> None:
        super().__init__(port)
        self.decodes = decodes
        self.changes = 0
        self._previous: set[ListedRoom] = set()

    def receive(self, packet: bytes) -> None:
        """Count the changes."""
        super().receive(packet)
        if self.decodes and packet.startswith(_LIST):
            rooms = set(_decode_list(memoryview(packet)[2:]).rooms)
            self.changes += len(rooms - self._previous)
            self._previous = rooms


class RoomHost(LobbyClient):
    """Leaves its room and joins it again, so that the list changes and keeps its length."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.changed = 0
        self._room = b""
        self._joined = asyncio.Event()

    async def create_room(self) -> None:
        """Create the room."""
        self.emit(b'42["create-room",{"name":"room"}]')
        await self.wait(self._joined)

    def change(self) -> None:
        """Change one room of the list."""
        self.changed += 1
        if self._joined.is_set():
            self._joined.clear()
            self.emit(b'42["leave-room",{"roomId":"%b"}]' % self._room)
        else:
            self.emit(b'42["join-room",{"roomId":"%b"}]' % self._room)

    def receive(self, packet: bytes) -> None:
        """Store the id of its room."""
        super().receive(packet)
        if packet.startswith(_JOINED):
            self._room = _decode_joined(memoryview(packet)[2:]).payload.room.id.encode()
            self._joined.set()
