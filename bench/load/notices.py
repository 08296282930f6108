"""The server's frames, as far as a player needs them; everything else is skipped while reading.

The reference relay answers with the same shapes and about the same bytes as the native protocol: its
event is the relayed move itself (`do`), ours is what happened (`e`). So one player plays on both, at
the same cost, and both servers read and write frames of the same size.
"""

from typing import Final

import msgspec
from msgspec import Raw, Struct


class Event(Struct):
    """One thing that happened at a table."""

    e: str = ""
    do: str = ""


class Happened(Struct, tag="events"):
    """A step of the table."""

    version: int
    events: list[Event]
    to_act: list[int]
    seat: int | None = None


class Position(Struct):
    """The board of a table, nine letters."""

    board: str = ""


class Room(Struct):
    """A table as a whole."""

    id: str
    phase: str = ""
    to_act: list[int] = []
    offers: list[Raw] = []
    position: Position | None = None


class Shown(Struct, tag="room"):
    """The whole table, on coming to it."""

    room: Room
    version: int
    you: int | None = None


class Welcome(Struct, tag="welcome"):
    """The answer to `hello`."""

    token: str


class Denied(Struct, tag="refused"):
    """The server did not do it."""

    code: str
    about: str = ""


class Done(Struct, tag="unchanged"):
    """There was nothing left to do."""

    version: int


class Left(Struct, tag="left"):
    """The table is behind us."""

    room: str


class Row(Struct):
    """A public table."""

    id: str


class LobbyNews(Struct, tag="lobby"):
    """What changed in the list of tables."""

    rooms: list[Row] = []
    gone: list[str] = []


class Pong(Struct, tag="pong"):
    """The answer to `ping`."""


Notice = Happened | Shown | Welcome | Denied | Done | Left | LobbyNews | Pong

read: Final = msgspec.json.Decoder(Notice).decode
