"""What a room tells its viewers, beside the events of its game."""

from typing import Any

from msgspec import Struct

from .chat import ChatLine
from .clock import ClockPlan
from .ids import Millis, Seat
from .offers import Offer, OfferKind


class SeatTaken(Struct, frozen=True, tag_field="e", tag="seat_taken", omit_defaults=True):
    """Somebody took a seat. `luck` is the hex of the bytes he adds to the deal.

    A `seer`'s client is told all secrets. `vacant`: it is kept for somebody.
    """

    seat: Seat
    name: str
    bot: str = ""
    player_entropy: str = ""
    sees_hidden: bool = False
    reserved: bool = False


class SeatLeft(Struct, frozen=True, tag_field="e", tag="seat_left"):
    """A seat is empty again."""

    seat: Seat


class GameStarted(Struct, frozen=True, tag_field="e", tag="game_started"):
    """A game begins: its number at this table, its commitment and what the reader may see of it."""

    match: int
    commitment: str
    position: Any


class OptionsChosen(Struct, frozen=True, tag_field="e", tag="options_chosen"):
    """The host begins a game with these options and this clock."""

    options: Any
    clock: ClockPlan | None


class HostChanged(Struct, frozen=True, tag_field="e", tag="host_changed"):
    """The table has another host: whoever has sat there longest."""

    seat: Seat


class MoveUndone(Struct, frozen=True, tag_field="e", tag="move_undone"):
    """A move was taken back; `position` replaces the reader's."""

    position: Any


class SidesSwapped(Struct, frozen=True, tag_field="e", tag="sides_swapped"):
    """The players changed sides; `position` replaces the reader's."""

    position: Any


class OfferMade(Struct, frozen=True, tag_field="e", tag="offer_made"):
    """A proposal stands."""

    offer: Offer


class OfferAnswered(Struct, frozen=True, tag_field="e", tag="offer_answered"):
    """A seat answered a proposal."""

    offer: int
    kind: OfferKind
    seat: Seat
    yes: bool


class OfferEnded(Struct, frozen=True, tag_field="e", tag="offer_ended"):
    """A proposal no longer stands."""

    offer: int


class Said(Struct, frozen=True, tag_field="e", tag="said"):
    """Somebody spoke."""

    line: ChatLine


class PhrasesOnlySet(Struct, frozen=True, tag_field="e", tag="phrases_only_set"):
    """The host closed the chat for all but phrases, or opened it again."""

    seat: Seat
    on: bool


class Disconnected(Struct, frozen=True, tag_field="e", tag="disconnected"):
    """A player is out of reach; at `until` he forfeits (null: he is waited for)."""

    seat: Seat
    forfeits_at: Millis | None


class Reconnected(Struct, frozen=True, tag_field="e", tag="reconnected"):
    """A player is in reach again."""

    seat: Seat


class GameOver(Struct, frozen=True, tag_field="e", tag="game_over"):
    """The game ended; `seed` is the secret behind its commitment, in hex."""

    winners: tuple[Seat, ...]
    reason: str
    seed: str


class SecretsRevealed(Struct, frozen=True, tag_field="e", tag="secrets_revealed"):
    """The game is over and had secrets: `position` replaces the reader's and hides nothing."""

    position: Any


class OutageEnded(Struct, frozen=True, tag_field="e", tag="outage_ended"):
    """The server was away from `down` until now; no clock was charged for it."""

    down: Millis


class Closed(Struct, frozen=True, tag_field="e", tag="closed"):
    """The room is gone."""


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
