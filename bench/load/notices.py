"""The notices of the server, with the fields that a player needs; decoding skips all others.

The reference relay sends notices of the same shape and about the same size as the native protocol: its event
is the relayed move (`do`), that of Qipai is a room event (`e`). So the same player plays on both, at the same
cost, and both servers read and write frames of the same size.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct


class Event(Struct):
    """An event of a room, or a relayed move; `x` and `y` are the point of a gomoku stone."""

    e: str = ""
    do: str = ""
    x: int = 0
    y: int = 0


class RoomEvents(Struct, tag="events"):
    """Events of one version of a room."""

    room: str
    version: int
    events: list[Event]
    to_act: list[int]
    seat: int | None = None


class Position(Struct):
    """The board, as nine letters."""

    board: str = ""


class Room(Struct):
    """A full room."""

    id: str
    phase: str = ""
    to_act: list[int] = []
    offers: list[Raw] = []
    position: Position | None = None


class FullRoom(Struct, tag="room"):
    """The full room, after joining it."""

    room: Room
    version: int
    you: int | None = None


class Welcome(Struct, tag="welcome"):
    """The answer to `hello`."""

    token: str


class Refused(Struct, tag="refused"):
    """An intent was refused."""

    code: str
    about: str = ""


class Unchanged(Struct, tag="unchanged"):
    """The command was done before."""

    version: int


class Left(Struct, tag="left"):
    """The room was left."""

    room: str


class Row(Struct):
    """A public table."""

    id: str


class LobbyUpdate(Struct, tag="lobby"):
    """Changes of the list of tables."""

    rooms: list[Row] = []
    gone: list[str] = []


class SpectatorCount(Struct, tag="spectators"):
    """The number of spectators has changed."""


class Pong(Struct, tag="pong"):
    """The answer to `ping`."""


Notice = RoomEvents | FullRoom | Welcome | Refused | Unchanged | Left | LobbyUpdate | SpectatorCount | Pong

read: Final = msgspec.json.Decoder(Notice).decode
