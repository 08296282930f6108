"""Every command that can change a room, and the rules of a table. The journal is a list of commands."""

from typing import Any, Final

from msgspec import Struct

from .chat_lines import Phrase
from .clock import ClockPlan
from .ids import Code, Millis, Person, RoomId, Seat
from .offers import OfferKind

MAX_TITLE: Final = 30
MAX_DELAY: Final = 900


class LegacyTableRules(Struct, frozen=True):
    """How a room of an older client differs from other rooms.

    `host_starts`: the host starts each game; an offer stands until the asked player has moved in reply.
    `open_seats`: anyone may take a reserved seat of a running game, or that of a long absent player.
    `chat_with_spectators`: players read the spectators' chat during a game.
    """

    host_starts: bool = False
    open_seats: bool = False
    chat_with_spectators: bool = False

    @property
    def repeats_offers(self) -> bool:
        """Tell whether a declined offer may be made again at once."""
        return self.host_starts or self.chat_with_spectators


NOT_LEGACY: Final = LegacyTableRules()


class TableRules(Struct, frozen=True):
    """What the creator of a room chose beside the options of the game.

    `disconnect_timeout`: seconds until a disconnected player forfeits; 0 waits without limit.
    `empty_timeout`: seconds the room stays open when all players have left; 0 closes it at once.
    `substitute_bot`: the bot that plays for a long absent player and replaces a player who leaves.
    `spectator_delay`: seconds by which spectators see everything later.
    `sees_hidden_allowed`: clients that must receive hidden information may take a seat.
    `rated`: the result counts for the ratings of the players.
    `legacy`: rules that only rooms of older clients have.
    """

    public: bool = True
    spectators: bool = True
    disconnect_timeout: int = 60
    clock: ClockPlan | None = None
    title: str = ""
    empty_timeout: int = 0
    substitute_bot: str = ""
    spectator_delay: int = 0
    undo_allowed: bool = True
    legacy: LegacyTableRules = NOT_LEGACY
    sees_hidden_allowed: bool = False
    rated: bool = False


class OpenRoom(Struct, frozen=True):
    """Create the room; always its first record."""

    id: RoomId
    code: Code
    game: str
    options: Any
    table: TableRules


class TakeSeat(Struct, frozen=True):
    """Give a person a seat. The game starts when the last seat is taken.

    `reserved`: the seat is kept for a person who has not connected yet. `sees_hidden`: the person's client
    receives hidden information. `move`: played with the seat of a running game; both are done, or neither.
    `bot_account`: the person is an account for which a program plays.
    """

    person: Person
    name: str
    seat: Seat | None = None
    bot: str = ""
    player_entropy: bytes = b""
    sees_hidden: bool = False
    reserved: bool = False
    move: Any = None
    bot_account: bool = False


class LeaveSeat(Struct, frozen=True):
    """Leave the seat; in a running game this forfeits it."""


class StartGame(Struct, frozen=True):
    """Start a game where the host starts games. `host_data` is passed to the rules and sent to no one."""

    options: Any
    clock: ClockPlan | None = None
    host_data: bytes = b""


class Play(Struct, frozen=True):
    """Make a move of the game. `lag`: milliseconds that the network took, as measured by the server."""

    move: Any
    lag: int | None = None


class MakeOffer(Struct, frozen=True):
    """Make an offer to the other seats."""

    kind: OfferKind


class AnswerOffer(Struct, frozen=True):
    """Answer a standing offer."""

    offer: int
    yes: bool


class WithdrawOffer(Struct, frozen=True):
    """Withdraw the seat's own standing offer."""

    offer: int


class Resign(Struct, frozen=True):
    """Resign the game."""


class Say(Struct, frozen=True):
    """Add a chat line; `name` is the author's if a spectator writes. With a `phrase`, `text` is ignored."""

    text: str
    name: str = ""
    phrase: Phrase | None = None


class SetPhrasesOnly(Struct, frozen=True):
    """Restrict the chat to phrases, or lift that; only the host may."""

    on: bool


class Disconnected(Struct, frozen=True):
    """The person of this seat has been disconnected for longer than the grace period."""

    seat: Seat


class Reconnected(Struct, frozen=True):
    """The person of this seat is connected again."""

    seat: Seat


class TransferSeat(Struct, frozen=True):
    """Give a seat to another person (a player's other device); refused unless `old` holds it."""

    seat: Seat
    old: Person
    person: Person


class TimeUp(Struct, frozen=True):
    """A deadline has passed: apply the time-out of every overdue seat."""


class OutageEnded(Struct, frozen=True):
    """The server is running again after an outage that began at `down`; clocks start after `head_start`."""

    down: Millis
    head_start: Millis


class Close(Struct, frozen=True):
    """Close the room for good."""


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
