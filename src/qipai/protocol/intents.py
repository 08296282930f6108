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
"""A room id or a room code."""
NonceText = Annotated[Nonce, Meta(max_length=32)]
"""A word that the client chooses once per command; sending the same command twice is safe."""
GameName = Annotated[str, Meta(max_length=32)]
ShortText = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
EntropyHex = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{2})*$")]


class Hello(Struct, frozen=True, tag="hello"):
    """Start a session: with the token of an earlier `welcome`, or as a new guest."""

    v: Number = PROTOCOL
    token: Annotated[str, Meta(max_length=400)] = ""
    name: ShortText = ""


class OpenRoom(Struct, frozen=True, tag="open"):
    """Open a room and take a seat in it, against a bot if one is named.

    `bots`: how many of the other seats the bot gets, counted from the seat after yours; all if missing.
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
    """Take a seat: any free one, or this one. A player of the room gets the same seat back."""

    room: RoomKey
    seat: SeatNumber | None = None
    player_entropy: EntropyHex = ""


class Watch(Struct, frozen=True, tag="watch"):
    """Watch a room without a seat."""

    room: RoomKey


class QuickMatch(Struct, frozen=True, tag="quick_match"):
    """Join a public room that waits for a player of this game, or open one and wait.

    `rejoin`: return to a room of this game in which you have a seat, if it waits or plays.
    """

    game: GameName
    player_entropy: EntropyHex = ""
    rejoin: bool = False


class Play(Struct, frozen=True, tag="play"):
    """Make a move; `at_version` is the room version it was chosen at (0: any)."""

    room: Annotated[RoomId, Meta(min_length=1, max_length=32)]
    move: Raw
    nonce: NonceText = NO_NONCE
    at_version: Number = 0


class MakeOffer(Struct, frozen=True, tag="offer"):
    """Offer a draw, an undo, a swap of sides or a rematch."""

    room: RoomKey
    kind: OfferKind
    nonce: NonceText = NO_NONCE


class AnswerOffer(Struct, frozen=True, tag="answer"):
    """Answer an open offer."""

    room: RoomKey
    offer: Number
    yes: bool
    nonce: NonceText = NO_NONCE


class WithdrawOffer(Struct, frozen=True, tag="withdraw"):
    """Withdraw your own open offer."""

    room: RoomKey
    offer: Number
    nonce: NonceText = NO_NONCE


class StartGame(Struct, frozen=True, tag="start"):
    """Start a game in a room whose host starts games; options and clock stay as they are if missing."""

    room: RoomKey
    options: Raw | UnsetType = UNSET
    clock: ClockPlan | UnsetType | None = UNSET
    nonce: NonceText = NO_NONCE


class Resign(Struct, frozen=True, tag="resign"):
    """Resign the game."""

    room: RoomKey
    nonce: NonceText = NO_NONCE


class Say(Struct, frozen=True, tag="say"):
    """Send a chat line: free text, or a phrase of this game."""

    room: RoomKey
    text: Annotated[str, Meta(max_length=2000)] = ""
    nonce: NonceText = NO_NONCE
    phrase: Phrase | None = None


class SetPhrasesOnly(Struct, frozen=True, tag="phrases_only"):
    """Restrict the chat to phrases, or lift that; only the host may."""

    room: RoomKey
    on: bool
    nonce: NonceText = NO_NONCE


class ChatLineRef(Struct, frozen=True):
    """A chat line, named by its time, author and text."""

    at: Number
    name: ShortText
    text: Annotated[str, Meta(max_length=2000)]


class Report(Struct, frozen=True, tag="report"):
    """Report a chat line or a room to the operator of the server."""

    room: RoomKey
    text: Annotated[str, Meta(max_length=2000)]
    nonce: Annotated[NonceText, Meta(min_length=1)]
    line: ChatLineRef | None = None


class RequestSeatTransfer(Struct, frozen=True, tag="transfer_seat"):
    """Ask for a ticket with which another device can claim your seat."""

    room: RoomKey
    nonce: Annotated[NonceText, Meta(min_length=1)]


class ClaimSeat(Struct, frozen=True, tag="claim_seat"):
    """Claim the seat that the ticket is for; it is yours from then on."""

    ticket: Annotated[str, Meta(min_length=1, max_length=400)]
    nonce: NonceText = NO_NONCE


class Leave(Struct, frozen=True, tag="leave"):
    """Leave the room and give up your seat; in a running game you forfeit."""

    room: RoomKey


class Resume(Struct, frozen=True, tag="resume"):
    """Resume a room after a disconnection; `version` is the last one you received, 0 for none."""

    room: RoomKey
    version: Number


class SubscribeLobby(Struct, frozen=True, tag="lobby"):
    """Subscribe to the list of public rooms, or end the subscription."""

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
