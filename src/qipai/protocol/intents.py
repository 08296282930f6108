"""Intents: everything a client can ask for; also the incoming frames of the native protocol."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import NO_NONCE, Nonce, RoomId
from qipai.kernel.offers import OfferKind
from qipai.kernel.phrases import Phrase

PROTOCOL = 2

RoomKey = Annotated[str, Meta(min_length=1, max_length=32)]
"""A room id or a table's short code."""
NonceText = Annotated[Nonce, Meta(max_length=32)]
"""A word the client makes up once per command, so that sending it twice is safe."""
GameName = Annotated[str, Meta(max_length=32)]
ShortText = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
EntropyHex = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{2})*$")]


class Hello(Struct, frozen=True, tag="hello"):
    """Say who you are: with the token of an earlier welcome, or as a new guest."""

    v: Number = PROTOCOL
    token: Annotated[str, Meta(max_length=400)] = ""
    name: ShortText = ""


class OpenRoom(Struct, frozen=True, tag="open"):
    """Open a table and sit down at it, alone or against a bot.

    `bots`: how many of the other seats are its, the first ones after the sitter's; without it all are.
    """

    game: GameName
    nonce: Annotated[NonceText, Meta(min_length=1)]
    options: Raw | UnsetType = UNSET
    table: TableRules = TableRules()
    seat: SeatNumber | None = None
    bot: GameName = ""
    bots: Annotated[int, Meta(ge=1, le=16)] | None = None
    player_entropy: EntropyHex = ""


class Join(Struct, frozen=True, tag="join"):
    """Take a seat (any, or this one); who sits there already comes back to it."""

    room: RoomKey
    seat: SeatNumber | None = None
    player_entropy: EntropyHex = ""


class Watch(Struct, frozen=True, tag="watch"):
    """Look on without a seat."""

    room: RoomKey


class QuickMatch(Struct, frozen=True, tag="quick_match"):
    """Play whoever waits for this game, or wait for somebody.

    `back`: go back to a table of this game where you sit already, while it waits or is being played.
    """

    game: GameName
    player_entropy: EntropyHex = ""
    rejoin: bool = False


class Play(Struct, frozen=True, tag="play"):
    """Make a move; `at_version` is the version of the table it was meant for (0: any)."""

    room: Annotated[RoomId, Meta(min_length=1, max_length=32)]
    move: Raw
    nonce: NonceText = NO_NONCE
    at_version: Number = 0


class MakeOffer(Struct, frozen=True, tag="offer"):
    """Propose a draw, an undo, a change of sides or a rematch."""

    room: RoomKey
    kind: OfferKind
    nonce: NonceText = NO_NONCE


class AnswerOffer(Struct, frozen=True, tag="answer"):
    """Answer a standing offer."""

    room: RoomKey
    offer: Number
    yes: bool
    nonce: NonceText = NO_NONCE


class WithdrawOffer(Struct, frozen=True, tag="withdraw"):
    """Take your own standing offer back."""

    room: RoomKey
    offer: Number
    nonce: NonceText = NO_NONCE


class StartGame(Struct, frozen=True, tag="start"):
    """Begin a game, where the host does that: with these options and this clock, or as before."""

    room: RoomKey
    options: Raw | UnsetType = UNSET
    clock: ClockPlan | UnsetType | None = UNSET
    nonce: NonceText = NO_NONCE


class Resign(Struct, frozen=True, tag="resign"):
    """Resign the game."""

    room: RoomKey
    nonce: NonceText = NO_NONCE


class Say(Struct, frozen=True, tag="say"):
    """Say something at the table: a text of your own, or a phrase that this game has."""

    room: RoomKey
    text: Annotated[str, Meta(max_length=2000)] = ""
    nonce: NonceText = NO_NONCE
    phrase: Phrase | None = None


class SetPhrasesOnly(Struct, frozen=True, tag="phrases_only"):
    """Close the chat for all but phrases, or open it again; the host may."""

    room: RoomKey
    on: bool
    nonce: NonceText = NO_NONCE


class ChatLineRef(Struct, frozen=True):
    """A line of chat by what is known of it: when, by whom, what."""

    at: Number
    name: ShortText
    text: Annotated[str, Meta(max_length=2000)]


class Report(Struct, frozen=True, tag="report"):
    """Tell whoever runs the server that something is not right, about a line of chat or the table."""

    room: RoomKey
    text: Annotated[str, Meta(max_length=2000)]
    nonce: Annotated[NonceText, Meta(min_length=1)]
    line: ChatLineRef | None = None


class RequestSeatTransfer(Struct, frozen=True, tag="transfer_seat"):
    """Ask for a ticket with which another device can take your seat."""

    room: RoomKey
    nonce: Annotated[NonceText, Meta(min_length=1)]


class ClaimSeat(Struct, frozen=True, tag="claim_seat"):
    """Take the seat that the ticket is for: it is yours from now on."""

    ticket: Annotated[str, Meta(min_length=1, max_length=400)]
    nonce: NonceText = NO_NONCE


class Leave(Struct, frozen=True, tag="leave"):
    """Leave the table for good; in a running game this forfeits it."""

    room: RoomKey


class Resume(Struct, frozen=True, tag="resume"):
    """Come back to a table after a cut; `version` is the last one seen."""

    room: RoomKey
    version: Number


class SubscribeLobby(Struct, frozen=True, tag="lobby"):
    """Follow the list of public tables, or stop following it."""

    on: bool = True


class Ping(Struct, frozen=True, tag="ping"):
    """Ask for a pong."""

    n: Number = 0


Intent = (
    Play
    | Hello
    | OpenRoom
    | Join
    | Watch
    | QuickMatch
    | MakeOffer
    | AnswerOffer
    | WithdrawOffer
    | StartGame
    | Resign
    | Say
    | SetPhrasesOnly
    | Report
    | RequestSeatTransfer
    | ClaimSeat
    | Leave
    | Resume
    | SubscribeLobby
    | Ping
)
