"""Notices: everything a client receives; also the outgoing frames of the native protocol."""

from typing import Any, Literal

from msgspec import Struct

from qipai.kernel.chat_lines import Phrase
from qipai.kernel.ids import NO_NONCE, Millis, Nonce, RoomId, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import ClockView, LobbyRow, RoomView, SeatRatings
from qipai.kernel.view_values import ChatLineView, ClockPlanView


class BotRatings(Struct, frozen=True):
    """Measured ratings of the bots of a game with one twist, in the order of the bots; null: not known."""

    twist: str
    ratings: tuple[int | None, ...]


class GameDescription(Struct, frozen=True, omit_defaults=True):
    """A game that the server offers, with its bots and its chat phrases.

    `module` is the URL of its web module, for a game that the page does not contain. `bot_ratings`: how
    strong the bots are, as far as that was measured.
    """

    name: str
    seats: int
    bots: tuple[str, ...]
    phrases: tuple[Phrase, ...] = ()
    module: str = ""
    bot_ratings: tuple[BotRatings, ...] = ()


class Welcome(Struct, frozen=True, tag="welcome"):
    """Your identity. Keep the token: your name and seats belong to it. `rooms`: where you have a seat.

    `account`: whether you are signed in; then there is no token, and the name is that of the account.
    `bot`: whether it is a bot account, which takes seats only with an API token.
    """

    v: int
    token: str
    name: str
    at: Millis
    games: tuple[GameDescription, ...]
    rooms: tuple[RoomId, ...]
    account: bool = False
    bot: bool = False


class FullRoom(Struct, frozen=True, tag="room"):
    """The whole room as you may see it; `you` is your seat, null for a spectator."""

    room: RoomView
    version: int
    at: Millis
    you: Seat | None


class RoomEvents(Struct, frozen=True, tag="events", omit_defaults=True):
    """The events that lead to `version`. `seat` and `nonce` are those of the command that caused them."""

    room: RoomId
    version: int
    at: Millis
    events: tuple[Any, ...]
    to_act: tuple[Seat, ...]
    seat: Seat | None = None
    nonce: Nonce = NO_NONCE
    clock: ClockView | None = None


class Refused(Struct, frozen=True, tag="refused", omit_defaults=True):
    """Your intent was refused and nothing has changed; `incident` is the log number of an internal fault.

    With `muted` and `unrated`, `about` is the reason and `until` the end, null for good.
    """

    code: Refusal
    room: str = ""
    nonce: str = ""
    about: str = ""
    incident: str = ""
    until: Millis | None = None


class Unchanged(Struct, frozen=True, tag="unchanged", omit_defaults=True):
    """The command with this nonce was carried out before, or there was nothing to do."""

    room: RoomId
    version: int
    nonce: Nonce = NO_NONCE


class Left(Struct, frozen=True, tag="left", omit_defaults=True):
    """You no longer follow this room; `replaced`: another of your connections took over.

    The reason `transferred`: another device claimed your seat with your ticket; `matched`: quick match moves
    you to the room of another player, which the next notices show.
    """

    room: RoomId
    replaced: bool = False
    reason: Literal["", "transferred", "matched"] = ""


class TransferTicket(Struct, frozen=True, tag="ticket"):
    """A ticket for your seat: the first client that claims the seat with it before `expires` gets it."""

    room: RoomId
    ticket: str
    expires: Millis
    nonce: Nonce


class SpectatorChat(Struct, frozen=True, tag="spectator_chat"):
    """A chat line among spectators of a delayed room; it is sent at once and belongs to no version."""

    room: RoomId
    line: ChatLineView


class SpectatorCount(Struct, frozen=True, tag="spectators"):
    """The number of spectators of a room: sent when it changes, and after a `resume` if it is not 0."""

    room: RoomId
    spectators: int


class RatingsChanged(Struct, frozen=True, tag="ratings"):
    """The ratings of the players of a room, as in `RoomView`: sent when they change, and after a `resume`."""

    room: RoomId
    ratings: SeatRatings


class LobbyUpdate(Struct, frozen=True, tag="lobby", omit_defaults=True):
    """New and changed rooms, and those that are gone; `full`: this is the whole list, drop the old one."""

    online: int
    rooms: tuple[LobbyRow, ...] = ()
    gone: tuple[RoomId, ...] = ()
    full: bool = False


class FeaturedRoom(Struct, frozen=True, tag="featured"):
    """The public game with the most spectators, as they see it and without chat; null: there is none."""

    room: RoomView | None
    at: Millis


class ChallengeMade(Struct, frozen=True, tag="challenge", omit_defaults=True):
    """Somebody challenges you: `join` the room, or `decline_challenge`; it ends by itself at `expires`.

    `name`: the other player. `outgoing`: it is your own challenge, and nobody says whether it was seen. Those
    that are open are sent again after a `welcome`.
    """

    room: RoomId
    name: str
    game: str
    options: Any
    expires: Millis
    clock: ClockPlanView | None = None
    rated: bool = False
    outgoing: bool = False


class ChallengeEnded(Struct, frozen=True, tag="challenge_ended"):
    """A challenge is no longer open. The room of an `expired` or `declined` one stays open.

    `withdrawn`: the challenger has left, or the table is full or closed.
    """

    room: RoomId
    reason: Literal["accepted", "declined", "expired", "withdrawn"]


class BlockedPlayers(Struct, frozen=True, tag="blocked"):
    """The names of all players whom you have blocked: hide what they write. Sent when they change."""

    names: tuple[str, ...]


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a `ping`, with the time of the server."""

    n: int
    at: Millis


class SanctionView(Struct, frozen=True):
    """A sanction of you or of your address; `ends` is null for good."""

    id: int
    kind: Literal["warning", "mute", "unrated", "ban"]
    reason: str
    made: Millis
    ends: Millis | None


class Sanctions(Struct, frozen=True, tag="sanctions", omit_defaults=True):
    """All sanctions in force for you: after `welcome` if there are any, and when they change.

    `new`: the one that was imposed just now. After a ban, the server closes the connection with 4403.
    """

    sanctions: tuple[SanctionView, ...]
    new: int = 0


class Announcement(Struct, frozen=True, tag="announcement", omit_defaults=True):
    """A text of the operators for everybody, until `ends`; an empty text ends it.

    With a `room`, it says why an operator closes this room.
    """

    text: str
    at: Millis
    ends: Millis | None = None
    room: str = ""


OperatorNotice = Sanctions | Announcement
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
    | RatingsChanged
    | LobbyUpdate
    | FeaturedRoom
    | ChallengeMade
    | ChallengeEnded
    | BlockedPlayers
    | Sanctions
    | Announcement
    | Pong
)

NativeOnly = (
    TransferTicket
    | SpectatorChat
    | SpectatorCount
    | RatingsChanged
    | FeaturedRoom
    | ChallengeMade
    | ChallengeEnded
    | BlockedPlayers
)
"""Notices for which the older clients have no frame."""
