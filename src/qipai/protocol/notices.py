"""Notices: everything a client receives; also the outgoing frames of the native protocol."""

from typing import Any, Literal

from msgspec import Struct

from qipai.kernel.chat import ChatLine
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.phrases import Phrase
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import ClockView, LobbyRow, RoomView


class GameDescription(Struct, frozen=True):
    """A game of this server, with its bots and the phrases of its chat."""

    name: str
    seats: int
    bots: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()


class Welcome(Struct, frozen=True, tag="welcome"):
    """Answer to `hello`. Keep the token: it proves your name and your seats. `rooms`: where you have a seat."""

    v: int
    token: str
    name: str
    at: Millis
    games: tuple[GameDescription, ...]
    rooms: tuple[RoomId, ...]


class FullRoom(Struct, frozen=True, tag="room"):
    """The whole room as you may see it; `you` is your seat, null for a spectator."""

    room: RoomView
    version: int
    at: Millis
    you: Seat | None


class RoomEvents(Struct, frozen=True, tag="events", omit_defaults=True):
    """The events that lead from the previous version to `version`. `seat` acted, with `nonce`."""

    room: RoomId
    version: int
    at: Millis
    events: tuple[Any, ...]
    to_act: tuple[Seat, ...]
    seat: Seat | None = None
    nonce: Nonce = NO_NONCE
    clock: ClockView | None = None


class Refused(Struct, frozen=True, tag="refused", omit_defaults=True):
    """An intent was refused, and why; `incident` names the log entry of an internal error."""

    code: Refusal
    room: str = ""
    nonce: str = ""
    about: str = ""
    incident: str = ""


class Unchanged(Struct, frozen=True, tag="unchanged", omit_defaults=True):
    """The command with this nonce was done before, or changes nothing."""

    room: RoomId
    version: int
    nonce: Nonce = NO_NONCE


class Left(Struct, frozen=True, tag="left", omit_defaults=True):
    """You are no longer in this room; `replaced`: another of your connections is.

    The reason `transferred`: another device claimed your seat with your ticket, and it is no longer yours.
    """

    room: RoomId
    replaced: bool = False
    reason: Literal["", "transferred"] = ""


class TransferTicket(Struct, frozen=True, tag="ticket"):
    """The first device that claims your seat with this ticket, before it expires, gets it."""

    room: RoomId
    ticket: str
    expires: Millis
    nonce: Nonce


class SpectatorChat(Struct, frozen=True, tag="spectator_chat"):
    """A chat line among spectators of a delayed room: sent at once, and part of no version."""

    room: RoomId
    line: ChatLine


class SpectatorCount(Struct, frozen=True, tag="spectators"):
    """The number of spectators of your room, when it changed; after a `resume` whenever it is not zero."""

    room: RoomId
    spectators: int


class LobbyUpdate(Struct, frozen=True, tag="lobby", omit_defaults=True):
    """Changed rooms, and those that left the list; `full`: this replaces the whole list."""

    online: int
    rooms: tuple[LobbyRow, ...] = ()
    gone: tuple[RoomId, ...] = ()
    full: bool = False


class Pong(Struct, frozen=True, tag="pong"):
    """Answer to a ping, with the server's time."""

    n: int
    at: Millis


Notice = (
    RoomEvents
    | FullRoom
    | Welcome
    | Refused
    | Unchanged
    | Left
    | TransferTicket
    | SpectatorChat
    | SpectatorCount
    | LobbyUpdate
    | Pong
)
