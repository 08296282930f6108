"""What only some dialects ask for and are told: nicknames, whole lists, watchers by name.

Native frames cannot ask for these, and native clients never hear them.
"""

from typing import Any

from msgspec import Struct

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.room_view import LobbyRow, RoomView
from qipai.protocol.dialect_interface import LegacyIntent, LegacyNotice

# Intents


class SetNickname(LegacyIntent, frozen=True):
    """Come in under a nickname, or change it; who is nobody yet becomes a guest."""

    game: str
    name: str


class BecomeGuest(LegacyIntent, frozen=True):
    """Become a guest, if the peer is nobody yet."""


class StartGameWith(LegacyIntent, frozen=True):
    """Begin a game at a hosted table; `given` goes to the rules and to nobody else."""

    room: RoomId
    options: Any
    clock: ClockPlan | None = None
    host_data: bytes = b""
    nonce: Nonce = NO_NONCE


class RelayNote(LegacyIntent, frozen=True):
    """Give the other players of a table a note that means nothing to us."""

    room: RoomId
    note: bytes


class JoinOrWatch(LegacyIntent, frozen=True):
    """Take a seat at a table of this game, the one that begins if it is free; or `watch`."""

    room: str
    game: str
    watch: bool = False


class PairOrOpen(LegacyIntent, frozen=True):
    """Play whoever waits at any public table of this game, or open this one and wait."""

    game: str
    table: TableRules


class ActAs(LegacyIntent, frozen=True):
    """Do this as another person behind the same peer; `dialect` hears what that one is told.

    The key names the person: with the first wish he comes, and he goes when the peer does.
    """

    key: str
    dialect: Any
    intent: Any


class TakeOpenSeat(LegacyIntent, frozen=True):
    """Take a seat of a running game that is vacant or long deserted, or the one that `token` is for.

    With a `move` both are done, or neither.
    """

    room: RoomId
    seat: Seat
    token: str = ""
    move: Any = None
    nonce: Nonce = NO_NONCE


class PlayAnySeat(LegacyIntent, frozen=True):
    """Make a move that all seats may make now, seated or not, where seats are open."""

    room: RoomId
    move: Any
    nonce: Nonce = NO_NONCE


class LookUpRoom(LegacyIntent, frozen=True):
    """Ask what there is at a table; `about` comes back with the answer."""

    room: str
    about: str


class ListRooms(LegacyIntent, frozen=True):
    """Ask for every public table of a game, and for the number of people who came in for it."""

    game: str


class SetReminder(LegacyIntent, frozen=True):
    """Ask to be told `about` this later; a peer has one such reminder."""

    after: Millis
    about: str


class SayInLobby(LegacyIntent, frozen=True):
    """Send a line to all connections of this dialect's lobby chat that are in no room."""

    text: str


# Notices


class NicknameSet(LegacyNotice, frozen=True):
    """The peer is known by this name now."""

    name: str


class NoteRelayed(LegacyNotice, frozen=True):
    """A note from another player of the table."""

    room: RoomId
    seat: Seat
    note: bytes


class RoomFound(LegacyNotice, frozen=True):
    """What a watcher would see at the table somebody asked for, if there is one, and how many watch it."""

    key: str
    room: RoomView | None
    spectators: int
    about: str


class ListedRoom(Struct, frozen=True):
    """A table in one line, and the seat that begins its games as people sit now."""

    row: LobbyRow
    first: Seat


class RoomList(LegacyNotice, frozen=True):
    """Every public table of a game, the oldest first, and the number of people who came in for it."""

    game: str
    rows: tuple[ListedRoom, ...]
    people: int


class ReminderDue(LegacyNotice, frozen=True):
    """The time asked for has passed."""

    about: str


class SpectatorNames(LegacyNotice, frozen=True):
    """Who looks on at a table, by name; one of them has come, or somebody has gone."""

    room: RoomId
    names: tuple[str, ...]
    came: str = ""
    gone: str = ""


class LobbyChatLine(LegacyNotice, frozen=True):
    """A line of the lobby chat."""

    at: Millis
    name: str
    text: str
