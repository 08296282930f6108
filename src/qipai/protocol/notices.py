"""Notices: everything a client is told; also the outgoing frames of the native protocol."""

from typing import Any, Literal

from msgspec import Struct

from qipai.kernel.chat import ChatLine
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.phrases import Phrase
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import ClockView, LobbyRow, RoomView


class GameDescription(Struct, frozen=True):
    """A game this server plays; `phrases` are all that can be said at its tables without typing."""

    name: str
    seats: int
    bots: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()


class Welcome(Struct, frozen=True, tag="welcome"):
    """Who you are from now on. Keep the token: it is your name, your seats and your tables."""

    v: int
    token: str
    name: str
    at: Millis
    games: tuple[GameDescription, ...]
    rooms: tuple[RoomId, ...]


class FullRoom(Struct, frozen=True, tag="room"):
    """The whole table as you may see it; `you` is your seat, null for a watcher."""

    room: RoomView
    version: int
    at: Millis
    you: Seat | None


class RoomEvents(Struct, frozen=True, tag="events", omit_defaults=True):
    """What made `version` out of the one before. `seat` acted with `nonce`."""

    room: RoomId
    version: int
    at: Millis
    events: tuple[Any, ...]
    to_act: tuple[Seat, ...]
    seat: Seat | None = None
    nonce: Nonce = NO_NONCE
    clock: ClockView | None = None


class Refused(Struct, frozen=True, tag="refused", omit_defaults=True):
    """Nothing was changed, and why; `incident` names our log entry when the fault is ours."""

    code: Refusal
    room: str = ""
    nonce: str = ""
    about: str = ""
    incident: str = ""


class Unchanged(Struct, frozen=True, tag="unchanged", omit_defaults=True):
    """The command with this nonce had been done before, or there was nothing to do."""

    room: RoomId
    version: int
    nonce: Nonce = NO_NONCE


class Left(Struct, frozen=True, tag="left", omit_defaults=True):
    """You are no longer at this table; `replaced`: another of your connections took it over.

    The reason `transferred`: another device took your seat with a ticket of yours, and it is no longer yours.
    """

    room: RoomId
    replaced: bool = False
    reason: Literal["", "transferred"] = ""


class TransferTicket(Struct, frozen=True, tag="ticket"):
    """Whoever brings this ticket first, until it expires, gets your seat at this table."""

    room: RoomId
    ticket: str
    expires: Millis
    nonce: Nonce


class SpectatorChat(Struct, frozen=True, tag="spectator_chat"):
    """A line among watchers, who see their table later: it is heard at once, and belongs to no version."""

    room: RoomId
    line: ChatLine


class SpectatorCount(Struct, frozen=True, tag="spectators"):
    """How many look on at your table, when that has changed; after a `resume` also if anybody does."""

    room: RoomId
    spectators: int


class LobbyUpdate(Struct, frozen=True, tag="lobby", omit_defaults=True):
    """Changed tables and those that are gone; `full`: forget what you had before."""

    online: int
    rooms: tuple[LobbyRow, ...] = ()
    gone: tuple[RoomId, ...] = ()
    full: bool = False


class Pong(Struct, frozen=True, tag="pong"):
    """Answers a ping with the server's time."""

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
