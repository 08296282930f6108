"""Intents: everything a client can ask for; also the incoming frames of the native protocol."""

from typing import Annotated

from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from qipai.kernel.chat_lines import Phrase
from qipai.kernel.ids import NO_NONCE, Nonce, RoomId
from qipai.kernel.offers import OfferKind
from qipai.kernel.view_values import ClockPlanView, TableRulesView

PROTOCOL = 2

RoomKey = Annotated[str, Meta(min_length=1, max_length=32)]
"""A room id or a room code."""
NonceText = Annotated[Nonce, Meta(max_length=32)]
"""A text that the client uses for one command only, so that sending the command twice is safe."""
GameName = Annotated[str, Meta(max_length=32)]
ShortText = Annotated[str, Meta(max_length=200)]
Number = Annotated[int, Meta(ge=0, le=2**53)]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
EntropyHex = Annotated[str, Meta(max_length=64, pattern="^([0-9a-f]{2})*$")]


class Hello(Struct, frozen=True, tag="hello"):
    """Identify yourself: with the token of an earlier `welcome`, or without a token as a new guest.

    `session`: the secret of a session, for clients of accounts. Browsers send it as a cookie instead.
    `api_token`: an API token of a bot account; nothing else of the intent counts then.
    """

    v: Number = PROTOCOL
    token: Annotated[str, Meta(max_length=400)] = ""
    name: ShortText = ""
    session: Annotated[str, Meta(max_length=100)] = ""
    api_token: Annotated[str, Meta(max_length=100)] = ""


class OpenRoom(Struct, frozen=True, tag="open"):
    """Create a room and take a seat in it.

    `bot`: the name of the bot that takes other seats. `bots`: how many seats it takes, starting with the
    one after yours; without it, all of them.
    """

    game: GameName
    nonce: Annotated[NonceText, Meta(min_length=1)]
    options: Raw | UnsetType = UNSET
    table: TableRulesView = TableRulesView()
    seat: SeatNumber | None = None
    bot: GameName = ""
    bots: Annotated[int, Meta(ge=1, le=16)] | None = None
    player_entropy: EntropyHex = ""


class Join(Struct, frozen=True, tag="join"):
    """Take a seat: the one given, or any free one. If you already have a seat in the room, return to it.

    `accept_sees_hidden`: you know that clients that receive hidden information may play at this table.
    Without it, such a table refuses with `sees_hidden`.
    """

    room: RoomKey
    seat: SeatNumber | None = None
    player_entropy: EntropyHex = ""
    accept_sees_hidden: bool = False


class Watch(Struct, frozen=True, tag="watch"):
    """Watch a room as a spectator."""

    room: RoomKey


class QuickMatch(Struct, frozen=True, tag="quick_match"):
    """Join a room of this game in which a player is waiting; if there is none, open one and wait.

    `options`, `clock`: only a room with the same ones counts; by default those of the game, and no clock.
    `rated`: only a rated room of a player with similar rating counts; the difference may grow while you wait.
    Then you may be moved to the room of a player who waits longer: `left` with the reason `matched`.
    `rejoin`: if you have a seat in a waiting or running room of this game, return to that room instead.
    """

    game: GameName
    player_entropy: EntropyHex = ""
    rejoin: bool = False
    options: Raw | UnsetType = UNSET
    clock: ClockPlanView | None = None
    rated: bool = False


class ChallengePlayer(Struct, frozen=True, tag="challenge"):
    """Open an unlisted room as with `open`, and invite the account with this name to it for a minute.

    Needs the session of an account. At least one seat stays free of bots. That it is carried out does not
    tell whether the player is online or sees the challenge.
    """

    name: ShortText
    open: OpenRoom


class DeclineChallenge(Struct, frozen=True, tag="decline_challenge"):
    """Decline a challenge that you received."""

    room: Annotated[RoomId, Meta(min_length=1, max_length=32)]


class Play(Struct, frozen=True, tag="play"):
    """Make a move; `at_version` is the version of the room that the move is for (0: any)."""

    room: Annotated[RoomId, Meta(min_length=1, max_length=32)]
    move: Raw
    nonce: NonceText = NO_NONCE
    at_version: Number = 0


class MakeOffer(Struct, frozen=True, tag="offer"):
    """Make an offer to the other seats."""

    room: RoomKey
    kind: OfferKind
    nonce: NonceText = NO_NONCE


class AnswerOffer(Struct, frozen=True, tag="answer"):
    """Accept or decline a standing offer."""

    room: RoomKey
    offer: Number
    yes: bool
    nonce: NonceText = NO_NONCE


class WithdrawOffer(Struct, frozen=True, tag="withdraw"):
    """Withdraw your own standing offer."""

    room: RoomKey
    offer: Number
    nonce: NonceText = NO_NONCE


class StartGame(Struct, frozen=True, tag="start"):
    """Start a game in a room where the host starts games; without `options` or `clock`, as the last one."""

    room: RoomKey
    options: Raw | UnsetType = UNSET
    clock: ClockPlanView | UnsetType | None = UNSET
    nonce: NonceText = NO_NONCE


class Resign(Struct, frozen=True, tag="resign"):
    """Resign the game."""

    room: RoomKey
    nonce: NonceText = NO_NONCE


class Say(Struct, frozen=True, tag="say"):
    """Send a chat line: a text, or one of the phrases of the game."""

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
    """Take over the seat that a ticket is for."""

    ticket: Annotated[str, Meta(min_length=1, max_length=400)]
    nonce: NonceText = NO_NONCE


class Leave(Struct, frozen=True, tag="leave"):
    """Leave the room and give up your seat; in a running game you forfeit."""

    room: RoomKey


class Resume(Struct, frozen=True, tag="resume"):
    """Return to a room after a disconnect; `version` is the last one that you received."""

    room: RoomKey
    version: Number


class SubscribeLobby(Struct, frozen=True, tag="lobby"):
    """Subscribe to the list of public rooms, or unsubscribe; `featured`: to the featured room too."""

    on: bool = True
    featured: bool = False


class Ping(Struct, frozen=True, tag="ping"):
    """Ask for a `pong`."""

    n: Number = 0


Intent = (
    Play
    | Hello
    | OpenRoom
    | Join
    | Watch
    | QuickMatch
    | ChallengePlayer
    | DeclineChallenge
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
