"""Events of a room; events of a game are defined by the game."""

from typing import Any

from msgspec import Struct

from .ids import Millis, Seat
from .offers import OfferKind
from .view_values import ChatLineView, ClockPlanView, OfferView


class SeatTaken(Struct, frozen=True, tag_field="e", tag="seat_taken", omit_defaults=True):
    """A seat was taken. `player_entropy`: hex of the bytes the player adds to the randomness.

    `sees_hidden`: the player's client receives hidden information. `reserved`: the player never connected.
    `bot_account`: a program plays for an account.
    """

    seat: Seat
    name: str
    bot: str = ""
    player_entropy: str = ""
    sees_hidden: bool = False
    reserved: bool = False
    bot_account: bool = False


class SeatLeft(Struct, frozen=True, tag_field="e", tag="seat_left"):
    """A seat is empty again."""

    seat: Seat


class GameStarted(Struct, frozen=True, tag_field="e", tag="game_started"):
    """A game started: its number in this room, its commitment, and the position as the reader may see it."""

    match: int
    commitment: str
    position: Any


class OptionsChosen(Struct, frozen=True, tag_field="e", tag="options_chosen"):
    """The host starts a game with these options and this clock."""

    options: Any
    clock: ClockPlanView | None


class HostChanged(Struct, frozen=True, tag_field="e", tag="host_changed"):
    """Another seat is the host."""

    seat: Seat


class MoveUndone(Struct, frozen=True, tag_field="e", tag="move_undone"):
    """A move was undone; `position` replaces the reader's."""

    position: Any


class SidesSwapped(Struct, frozen=True, tag_field="e", tag="sides_swapped"):
    """The players swapped sides; `position` replaces the reader's."""

    position: Any


class OfferMade(Struct, frozen=True, tag_field="e", tag="offer_made"):
    """An offer was made."""

    offer: OfferView


class OfferAnswered(Struct, frozen=True, tag_field="e", tag="offer_answered"):
    """A seat accepted or declined an offer."""

    offer: int
    kind: OfferKind
    seat: Seat
    yes: bool


class OfferEnded(Struct, frozen=True, tag_field="e", tag="offer_ended"):
    """An offer no longer stands."""

    offer: int


class Said(Struct, frozen=True, tag_field="e", tag="said"):
    """A chat line was added."""

    line: ChatLineView


class PhrasesOnlySet(Struct, frozen=True, tag_field="e", tag="phrases_only_set"):
    """The host restricted the chat to phrases, or lifted that."""

    seat: Seat
    on: bool


class Disconnected(Struct, frozen=True, tag_field="e", tag="disconnected"):
    """A player is disconnected and forfeits at `forfeits_at` (null: the game waits)."""

    seat: Seat
    forfeits_at: Millis | None


class Reconnected(Struct, frozen=True, tag_field="e", tag="reconnected"):
    """A player is connected again."""

    seat: Seat


class GameOver(Struct, frozen=True, tag_field="e", tag="game_over"):
    """The game ended; `seed` is the secret behind its commitment, in hex."""

    winners: tuple[Seat, ...]
    reason: str
    seed: str


class SecretsRevealed(Struct, frozen=True, tag_field="e", tag="secrets_revealed"):
    """The game is over: `position` replaces the reader's and contains what was hidden."""

    position: Any


class OutageEnded(Struct, frozen=True, tag_field="e", tag="outage_ended"):
    """The server was down from `down` until now; no clock was charged for that time."""

    down: Millis


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """The room is closed."""


RoomEvent = (
    SeatTaken
    | SeatLeft
    | GameStarted
    | OptionsChosen
    | HostChanged
    | MoveUndone
    | SidesSwapped
    | OfferMade
    | OfferAnswered
    | OfferEnded
    | Said
    | PhrasesOnlySet
    | Disconnected
    | Reconnected
    | GameOver
    | SecretsRevealed
    | OutageEnded
    | Closed
)
