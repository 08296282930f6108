"""What only some dialects ask for and are told: nicknames, whole lists, watchers by name.

Native frames cannot ask for these, and native clients never hear them.
"""

from typing import Any

from msgspec import Struct

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Table
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.room_view import LobbyRow, RoomView

# Intents


class Enter(Struct, frozen=True):
    """Come in under a nickname, or change it; who is nobody yet becomes a guest."""

    game: str
    name: str


class Appear(Struct, frozen=True):
    """Become a guest, if the peer is nobody yet."""


class Launch(Struct, frozen=True):
    """Begin a game at a hosted table; `given` goes to the rules and to nobody else."""

    room: RoomId
    options: Any
    clock: ClockPlan | None = None
    given: bytes = b""
    nonce: Nonce = NO_NONCE


class Hand(Struct, frozen=True):
    """Give the other players of a table a note that means nothing to us."""

    room: RoomId
    note: bytes


class Visit(Struct, frozen=True):
    """Take a seat at a table of this game, the one that begins if it is free; or `watch`."""

    room: str
    game: str
    watch: bool = False


class Pair(Struct, frozen=True):
    """Play whoever waits at any public table of this game, or open this one and wait."""

    game: str
    table: Table


class As(Struct, frozen=True):
    """Do this as another person behind the same peer; `dialect` hears what that one is told.

    The key names the person: with the first wish he comes, and he goes when the peer does.
    """

    key: str
    dialect: Any
    wish: Any


class Take(Struct, frozen=True):
    """Take a seat of a running game that is vacant or long deserted, or the one that `token` is for.

    With a `move` both are done, or neither.
    """

    room: RoomId
    seat: Seat
    token: str = ""
    move: Any = None
    nonce: Nonce = NO_NONCE


class Anyone(Struct, frozen=True):
    """Make a move that all seats may make now, seated or not, where seats are open."""

    room: RoomId
    move: Any
    nonce: Nonce = NO_NONCE


class Look(Struct, frozen=True):
    """Ask what there is at a table; `about` comes back with the answer."""

    room: str
    about: str


class ListTables(Struct, frozen=True):
    """Ask for every public table of a game, and for the number of people who came in for it."""

    game: str


class Remind(Struct, frozen=True):
    """Ask to be told `about` this later; a peer has one such reminder."""

    after: Millis
    about: str


Aside = Enter | Appear | Launch | Hand | Visit | Pair | As | Take | Anyone | Look | ListTables | Remind


# Notices


class Entered(Struct, frozen=True):
    """The peer is known by this name now."""

    name: str


class Handed(Struct, frozen=True):
    """A note from another player of the table."""

    room: RoomId
    seat: Seat
    note: bytes


class Seen(Struct, frozen=True):
    """What a watcher would see at the table somebody asked for, if there is one, and how many watch it."""

    key: str
    room: RoomView | None
    watchers: int
    about: str


class Listed(Struct, frozen=True):
    """A table in one line, and the seat that begins its games as people sit now."""

    row: LobbyRow
    first: Seat


class Listing(Struct, frozen=True):
    """Every public table of a game, the oldest first, and the number of people who came in for it."""

    game: str
    rows: tuple[Listed, ...]
    people: int


class Reminded(Struct, frozen=True):
    """The time asked for has passed."""

    about: str


class Company(Struct, frozen=True):
    """Who looks on at a table, by name; one of them has come, or somebody has gone."""

    room: RoomId
    watchers: tuple[str, ...]
    came: str = ""
    gone: str = ""


Overheard = Entered | Handed | Seen | Listing | Reminded | Company
