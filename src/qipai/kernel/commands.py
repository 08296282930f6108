"""Everything that can be done to a room; the journal is a list of these."""

from typing import Annotated, Any, Final

from msgspec import Meta, Struct

from .clock import ClockPlan
from .ids import Code, Millis, Person, RoomId, Seat
from .offers import OfferKind
from .phrases import Phrase

MAX_TITLE: Final = 30
MAX_DELAY: Final = 900


class TableRules(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The house rules of a table. `away`: seconds until a lost player forfeits; 0 waits for ever.

    `linger`: seconds that it is kept when everybody has left; 0 closes it with the last one.
    `relaxed`: players hear watchers during a game, and what was declined may be asked again at once.
    `hosted`: whoever has been there longest begins each game, an offer outlasts the next move, and what
    was declined may be asked again at once. `open_seats`: whoever comes may take a vacant seat of a running
    game, or that of somebody long gone. `standin`: the bot that plays for whoever is long gone, and goes
    on for whoever leaves. `delay`: seconds that watchers see everything later. `takebacks`: whether a move
    may be asked back.
    """

    public: bool = True
    spectators: bool = True
    disconnect_timeout: Annotated[int, Meta(ge=0, le=3600)] = 60
    clock: ClockPlan | None = None
    title: Annotated[str, Meta(max_length=MAX_TITLE)] = ""
    empty_timeout: Annotated[int, Meta(ge=0, le=600)] = 0
    relaxed: bool = False
    hosted: bool = False
    open_seats: bool = False
    substitute_bot: Annotated[str, Meta(max_length=32)] = ""
    spectator_delay: Annotated[int, Meta(ge=0, le=MAX_DELAY)] = 0
    undo_allowed: bool = True


class OpenRoom(Struct, frozen=True, tag_field="do", tag="open"):
    """Create the room; always its first record."""

    id: RoomId
    code: Code
    game: str
    options: Any
    table: TableRules


class TakeSeat(Struct, frozen=True, tag_field="do", tag="take_seat", omit_defaults=True):
    """Give a person a seat. The game is dealt when the last one is taken.

    `vacant`: nobody sits there yet, and the game goes on without him. Whoever takes a seat of a running
    game may make a `move` with it: both are done, or neither. `dated`: it is kept who came before whom,
    by which the host is known; records of releases that did not ask are not.
    """

    person: Person
    name: str
    seat: Seat | None = None
    bot: str = ""
    player_entropy: bytes = b""
    sees_hidden: bool = False
    reserved: bool = False
    move: Any = None
    dated: bool = False


class LeaveSeat(Struct, frozen=True, tag_field="do", tag="leave_seat"):
    """Leave the seat; in a running game this forfeits it."""


class StartGame(Struct, frozen=True, tag_field="do", tag="start", omit_defaults=True):
    """Begin a game at a hosted table, with these options and this clock; `given` is known to nobody else."""

    options: Any
    clock: ClockPlan | None = None
    host_data: bytes = b""


class Play(Struct, frozen=True, tag_field="do", tag="play"):
    """Make a move of the game."""

    move: Any


class MakeOffer(Struct, frozen=True, tag_field="do", tag="offer"):
    """Propose something to the other seats."""

    kind: OfferKind


class AnswerOffer(Struct, frozen=True, tag_field="do", tag="answer"):
    """Answer a standing offer."""

    offer: int
    yes: bool


class WithdrawOffer(Struct, frozen=True, tag_field="do", tag="withdraw"):
    """Take one's own standing offer back."""

    offer: int


class Resign(Struct, frozen=True, tag_field="do", tag="resign"):
    """Give the game up."""


class Say(Struct, frozen=True, tag_field="do", tag="say", omit_defaults=True):
    """Say something; `name` is used for a watcher, a seat speaks under its own. A `phrase` needs no text."""

    text: str
    name: str = ""
    phrase: Phrase | None = None


class SetPhrasesOnly(Struct, frozen=True, tag_field="do", tag="phrases_only"):
    """Close the chat for all but phrases, or open it again; only the host may."""

    on: bool


class Disconnected(Struct, frozen=True, tag_field="do", tag="disconnected"):
    """The person of this seat has been out of reach for longer than the grace."""

    seat: Seat


class Reconnected(Struct, frozen=True, tag_field="do", tag="reconnected"):
    """The person of this seat is connected again."""

    seat: Seat


class TransferSeat(Struct, frozen=True, tag_field="do", tag="transfer_seat"):
    """Make a seat another person's; only `old` can have asked for it, and everything else stays."""

    seat: Seat
    old: Person
    person: Person


class TimeUp(Struct, frozen=True, tag_field="do", tag="time_up"):
    """A deadline has passed; settles every overdue seat."""


class OutageEnded(Struct, frozen=True, tag_field="do", tag="outage_ended"):
    """The server is up again after an outage that began at `down`."""

    down: Millis
    head_start: Millis


class Close(Struct, frozen=True, tag_field="do", tag="close"):
    """Nobody is coming back; nothing happens in this room any more."""


OtherCommand = (
    TakeSeat
    | StartGame
    | LeaveSeat
    | MakeOffer
    | AnswerOffer
    | WithdrawOffer
    | Resign
    | Say
    | SetPhrasesOnly
    | TransferSeat
    | Disconnected
    | Reconnected
    | TimeUp
    | OutageEnded
    | Close
)
Command = Play | OtherCommand
