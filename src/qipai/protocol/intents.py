"""What dialects and the hall say to each other: intents inwards, notices outwards.

Written as JSON these are also the frames of the native protocol. They stay in one file, long as it is: this
is the list that its documents, its schema and the page's types are made from.
"""

from collections.abc import Hashable, Sequence
from typing import Annotated, Any, Literal, Protocol

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from qipai.clients.legacy_messages import Aside, Overheard
from qipai.kernel import commands
from qipai.kernel.chat import Line
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Table
from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.phrases import Phrase
from qipai.kernel.room_view import ClockView, LobbyRow, RoomView

PROTOCOL = 1

Key = Annotated[str, Meta(min_length=1, max_length=32)]
"""A room id or a table's short code."""
OneUse = Annotated[Nonce, Meta(max_length=32)]
"""A word the client makes up once per command, so that sending it twice is safe."""
GameName = Annotated[str, Meta(max_length=32)]
Short = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Luck = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{2})*$")]


# Intents


class Hello(Struct, frozen=True, tag="hello"):
    """Say who you are: with the token of an earlier welcome, or as a new guest."""

    v: Number = PROTOCOL
    token: Annotated[str, Meta(max_length=400)] = ""
    name: Short = ""


class OpenTable(Struct, frozen=True, tag="open"):
    """Open a table and sit down at it, alone or against a bot.

    `bots`: how many of the other seats are its, the first ones after the sitter's; without it all are.
    """

    game: GameName
    nonce: Annotated[OneUse, Meta(min_length=1)]
    options: Raw | UnsetType = UNSET
    table: Table = Table()
    seat: SeatNumber | None = None
    bot: GameName = ""
    bots: Annotated[int, Meta(ge=1, le=16)] | None = None
    luck: Luck = ""


class Join(Struct, frozen=True, tag="join"):
    """Take a seat (any, or this one); who sits there already comes back to it."""

    room: Key
    seat: SeatNumber | None = None
    luck: Luck = ""


class Watch(Struct, frozen=True, tag="watch"):
    """Look on without a seat."""

    room: Key


class Match(Struct, frozen=True, tag="match"):
    """Play whoever waits for this game, or wait for somebody.

    `back`: go back to a table of this game where you sit already, while it waits or is being played.
    """

    game: GameName
    luck: Luck = ""
    back: bool = False


class Play(Struct, frozen=True, tag="play"):
    """Make a move; `at_version` is the version of the table it was meant for (0: any)."""

    room: Annotated[RoomId, Meta(min_length=1, max_length=32)]
    move: Raw
    nonce: OneUse = NO_NONCE
    at_version: Number = 0


class Propose(Struct, frozen=True, tag="offer"):
    """Propose a draw, an undo, a change of sides or a rematch."""

    room: Key
    kind: OfferKind
    nonce: OneUse = NO_NONCE


class Reply(Struct, frozen=True, tag="answer"):
    """Answer a standing offer."""

    room: Key
    offer: Number
    yes: bool
    nonce: OneUse = NO_NONCE


class TakeBack(Struct, frozen=True, tag="withdraw"):
    """Take your own standing offer back."""

    room: Key
    offer: Number
    nonce: OneUse = NO_NONCE


class Begin(Struct, frozen=True, tag="start"):
    """Begin a game, where the host does that: with these options and this clock, or as before."""

    room: Key
    options: Raw | UnsetType = UNSET
    clock: ClockPlan | UnsetType | None = UNSET
    nonce: OneUse = NO_NONCE


class GiveUp(Struct, frozen=True, tag="resign"):
    """Resign the game."""

    room: Key
    nonce: OneUse = NO_NONCE


class Speak(Struct, frozen=True, tag="say"):
    """Say something at the table: a text of your own, or a phrase that this game has."""

    room: Key
    text: Annotated[str, Meta(max_length=2000)] = ""
    nonce: OneUse = NO_NONCE
    phrase: Phrase | None = None


class Quiet(Struct, frozen=True, tag="hush"):
    """Close the chat for all but phrases, or open it again; the host may."""

    room: Key
    closed: bool
    nonce: OneUse = NO_NONCE


class Quote(Struct, frozen=True):
    """A line of chat by what is known of it: when, by whom, what."""

    at: Number
    name: Short
    text: Annotated[str, Meta(max_length=2000)]


class Complain(Struct, frozen=True, tag="report"):
    """Tell whoever runs the server that something is not right, about a line of chat or the table."""

    room: Key
    text: Annotated[str, Meta(max_length=2000)]
    nonce: Annotated[OneUse, Meta(min_length=1)]
    line: Quote | None = None


class HandOver(Struct, frozen=True, tag="hand"):
    """Ask for a ticket with which another device can take your seat."""

    room: Key
    nonce: Annotated[OneUse, Meta(min_length=1)]


class TakeSeat(Struct, frozen=True, tag="take"):
    """Take the seat that the ticket is for: it is yours from now on."""

    ticket: Annotated[str, Meta(min_length=1, max_length=400)]
    nonce: OneUse = NO_NONCE


class Leave(Struct, frozen=True, tag="leave"):
    """Leave the table for good; in a running game this forfeits it."""

    room: Key


class Resume(Struct, frozen=True, tag="resume"):
    """Come back to a table after a cut; `version` is the last one seen."""

    room: Key
    version: Number


class Lobby(Struct, frozen=True, tag="lobby"):
    """Follow the list of public tables, or stop following it."""

    on: bool = True


class Ping(Struct, frozen=True, tag="ping"):
    """Ask for a pong."""

    n: Number = 0


Intent = (
    Play
    | Hello
    | OpenTable
    | Join
    | Watch
    | Match
    | Propose
    | Reply
    | TakeBack
    | Begin
    | GiveUp
    | Speak
    | Quiet
    | Complain
    | HandOver
    | TakeSeat
    | Leave
    | Resume
    | Lobby
    | Ping
)


# Intents that dialects have and native frames cannot ask for


class Call(Struct, frozen=True):
    """Say something to everybody of this dialect's foyer who is at no table."""

    text: str


class Act(Struct, frozen=True):
    """Make a move that the dialect has read already; otherwise as `Play`."""

    room: RoomId
    move: commands.Play
    nonce: Nonce = NO_NONCE
    at_version: int = 0


class Quit(Struct, frozen=True):
    """Leave the table and end it for everybody; a running game is abandoned."""

    room: RoomId


class Bounce(Struct, frozen=True):
    """The dialect itself found a frame wrong: refuse it, with the nonce, when its turn comes."""

    code: Refusal
    nonce: str = ""


class Become(Struct, frozen=True):
    """The frame belongs to another dialect, and so does its peer from now on; that one hears it."""

    dialect: "Dialect"
    frame: bytes


Wish = Act | Intent | Call | Quit | Bounce | Become | Aside


# Notices


class GameCard(Struct, frozen=True):
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
    games: tuple[GameCard, ...]
    rooms: tuple[RoomId, ...]


class Shown(Struct, frozen=True, tag="room"):
    """The whole table as you may see it; `you` is your seat, null for a watcher."""

    room: RoomView
    version: int
    at: Millis
    you: Seat | None


class Happened(Struct, frozen=True, tag="events", omit_defaults=True):
    """What made `version` out of the one before. `seat` acted with `nonce`."""

    room: RoomId
    version: int
    at: Millis
    events: tuple[Any, ...]
    to_act: tuple[Seat, ...]
    seat: Seat | None = None
    nonce: Nonce = NO_NONCE
    clock: ClockView | None = None


class Denied(Struct, frozen=True, tag="refused", omit_defaults=True):
    """Nothing was changed, and why; `incident` names our log entry when the fault is ours."""

    code: Refusal
    room: str = ""
    nonce: str = ""
    about: str = ""
    incident: str = ""


class Done(Struct, frozen=True, tag="done", omit_defaults=True):
    """The command with this nonce had been done before, or there was nothing to do."""

    room: RoomId
    version: int
    nonce: Nonce = NO_NONCE


class Left(Struct, frozen=True, tag="left", omit_defaults=True):
    """You are no longer at this table; `replaced`: another of your connections took it over.

    The reason `moved`: another device took your seat with a ticket of yours, and it is no longer yours.
    """

    room: RoomId
    replaced: bool = False
    reason: Literal["", "moved"] = ""


class Ticket(Struct, frozen=True, tag="ticket"):
    """Whoever brings this ticket first, until it expires, gets your seat at this table."""

    room: RoomId
    ticket: str
    expires: Millis
    nonce: Nonce


class Whispered(Struct, frozen=True, tag="whisper"):
    """A line among watchers, who see their table later: it is heard at once, and belongs to no version."""

    room: RoomId
    line: Line


class Watched(Struct, frozen=True, tag="watching"):
    """How many look on at your table, when that has changed; after a `resume` also if anybody does."""

    room: RoomId
    watching: int


class LobbyNews(Struct, frozen=True, tag="lobby", omit_defaults=True):
    """Changed tables and those that are gone; `full`: forget what you had before."""

    online: int
    rooms: tuple[LobbyRow, ...] = ()
    gone: tuple[RoomId, ...] = ()
    full: bool = False


class Pong(Struct, frozen=True, tag="pong"):
    """Answers a ping with the server's time."""

    n: int
    at: Millis


Notice = Happened | Shown | Welcome | Denied | Done | Left | Ticket | Whispered | Watched | LobbyNews | Pong


# Notices that some dialects need and native clients never hear


class Present(Struct, frozen=True):
    """Which connection holds a seat now, by its handle; `new`: its person has only just sat down."""

    room: RoomId
    seat: Seat
    handle: str
    new: bool = False


class Heard(Struct, frozen=True):
    """A line spoken in the foyer."""

    at: Millis
    name: str
    text: str


Tidings = Notice | Present | Heard | Overheard


class Dialect(Protocol):
    """A wire protocol without a socket, one object per connection.

    Connections whose dialects have the same `voice` get the same bytes for the same notice; one
    that remembers what it was told has none, and is told everything itself. Only such a one wishes.
    """

    wishes: Sequence[Wish]
    """What the last notices made the dialect want; whoever told it takes them away and does them."""

    @property
    def voice(self) -> Hashable | None: ...

    @property
    def grace(self) -> Millis:
        """Return how long a cut connection that is at a table is waited for in silence."""

    @property
    def discreet(self) -> bool:
        """Tell whether others hear nothing of a cut while the connection is waited for."""

    @property
    def seer(self) -> bool:
        """Tell whether its clients hide secrets themselves, and so must be told them."""

    @property
    def foyer(self) -> str:
        """Return where its people talk while they are at no table; empty: nowhere."""

    def hear(self, frame: bytes) -> Sequence[Wish]:
        """Return what the frame asks for, or raise `Malformed`."""

    def say(self, notice: Tidings) -> Sequence[bytes]:
        """Return the frames that tell this."""

    def farewell(self) -> Sequence[Wish]:
        """Return what is done when the peer is gone for good."""
