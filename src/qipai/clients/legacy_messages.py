"""Intents and notices that only older clients use: nicknames, whole lists, spectators by name.

No native frame decodes to one of these intents, and native clients never receive the notices.
"""

from typing import Any

from msgspec import Struct

from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.room_view import LobbyRow, RoomView
from qipai.kernel.view_values import TableRulesView
from qipai.protocol.dialect_interface import LegacyIntent, LegacyNotice

# Intents


class SetNickname(LegacyIntent, frozen=True):
    """Choose a nickname, or change it; a connection without a person becomes a guest."""

    game: str
    name: str


class BecomeGuest(LegacyIntent, frozen=True):
    """Become a guest, if the connection has no person."""


class StartGameWith(LegacyIntent, frozen=True):
    """Start a game in a room whose host starts games; only the rules read `host_data`."""

    room: RoomId
    options: Any
    clock: ClockPlan | None = None
    host_data: bytes = b""
    nonce: Nonce = NO_NONCE


class RelayNote(LegacyIntent, frozen=True):
    """Relay opaque bytes to the other players of a room."""

    room: RoomId
    note: bytes


class JoinOrWatch(LegacyIntent, frozen=True):
    """Take a seat in a room of this game, the one that begins if it is free; or `watch`.

    `default_options`: the client knows no options of the game, so only rooms without any exist for it.
    """

    room: str
    game: str
    watch: bool = False
    default_options: bool = False


class PairOrOpen(LegacyIntent, frozen=True):
    """Join any public room of this game that waits for a player, or open one with these rules."""

    game: str
    table: TableRulesView


class ActAs(LegacyIntent, frozen=True):
    """Handle an intent as another seat of the same socket; `dialect` receives the notices of that seat.

    The key names the seat: the first intent creates it, and it ends with the connection.
    """

    key: str
    dialect: Any
    intent: Any


class TakeOpenSeat(LegacyIntent, frozen=True):
    """Take a reserved or long abandoned seat of a running game, or the one that `token` is for.

    With a `move`, both are done or neither.
    """

    room: RoomId
    seat: Seat
    token: str = ""
    move: Any = None
    nonce: Nonce = NO_NONCE


class PlayAnySeat(LegacyIntent, frozen=True):
    """Make a move that every seat may make now, with or without a seat, in a room with open seats."""

    room: RoomId
    move: Any
    nonce: Nonce = NO_NONCE


class LookUpRoom(LegacyIntent, frozen=True):
    """Ask for a room; `about` is returned with the answer."""

    room: str
    about: str


class ListRooms(LegacyIntent, frozen=True):
    """Ask for all public rooms of a game, and for the number of nicknames of it."""

    game: str


class SetReminder(LegacyIntent, frozen=True):
    """Set the reminder of the connection, which has one; `about` is returned when it is due."""

    after: Millis
    about: str


class SayInLobby(LegacyIntent, frozen=True):
    """Send a line to all connections of this dialect's lobby chat that are in no room."""

    text: str


# Notices


class NicknameSet(LegacyNotice, frozen=True):
    """The connection has this nickname."""

    name: str


class NoteRelayed(LegacyNotice, frozen=True):
    """Bytes relayed from another player of the room."""

    room: RoomId
    seat: Seat
    note: bytes


class RoomFound(LegacyNotice, frozen=True):
    """The room that was asked for as spectators see it, if there is one, and its spectator count."""

    key: str
    room: RoomView | None
    spectators: int
    about: str


class ListedRoom(Struct, frozen=True):
    """The row of a room, and the seat that would begin a game now."""

    row: LobbyRow
    first: Seat


class RoomList(LegacyNotice, frozen=True):
    """All public rooms of a game, the oldest first, and the number of nicknames of it."""

    game: str
    rows: tuple[ListedRoom, ...]
    people: int


class ReminderDue(LegacyNotice, frozen=True):
    """The reminder is due."""

    about: str


class SpectatorNames(LegacyNotice, frozen=True):
    """The spectators of a room by name; `came` has joined, `gone` has left."""

    room: RoomId
    names: tuple[str, ...]
    came: str = ""
    gone: str = ""


class LobbyChatLine(LegacyNotice, frozen=True):
    """A line of the lobby chat."""

    at: Millis
    name: str
    text: str
