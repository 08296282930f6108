"""Event structs of mahjong, as on the wire, and the points that an event changes."""

from msgspec import Struct

from qipai.kernel.game_interface.rules_interface import Event
from qipai.kernel.ids import Seat

from .wire_types import ClaimAnswer, ClaimWindow, Meld, PrivateView, Stage, View


class DiceRolled(Struct, frozen=True, tag_field="e", tag="dice_rolled", omit_defaults=True):
    """Dice were rolled for the positions, or for the dealer, who is named then."""

    dice: tuple[int, ...]
    dealer: Seat | None = None


class HandStarted(Struct, frozen=True, tag_field="e", tag="hand_started"):
    """A hand was dealt, or may be dealt next; `position` replaces the viewer's."""

    position: View


class Drew(Struct, frozen=True, tag_field="e", tag="drew", omit_defaults=True):
    """A seat drew; only its owner learns the tile. `flowers` were shown before it.

    `empty`: no tile was left to draw. `waiting`: the last flower may be robbed before it is replaced.
    """

    seat: Seat
    tile: int | None = None
    flowers: tuple[int, ...] = ()
    empty: bool = False
    waiting: bool = False


class Discarded(Struct, frozen=True, tag_field="e", tag="discarded", omit_defaults=True):
    """A seat discarded a tile."""

    seat: Seat
    tile: int
    ready: bool = False


class ClaimAnswered(Struct, frozen=True, tag_field="e", tag="claim_answered", omit_defaults=True):
    """A seat answered a claim window; only itself learns the answer."""

    seat: Seat
    answer: ClaimAnswer | None = None


class Melded(Struct, frozen=True, tag_field="e", tag="melded", omit_defaults=True):
    """A seat made a meld; `place` is its index among the seat's melds: a new one, or the pong it extends."""

    seat: Seat
    place: int
    meld: Meld


class TurnChanged(Struct, frozen=True, tag_field="e", tag="turn_changed", omit_defaults=True):
    """What the table waits for now, as in the view; the answers to the last claim window are cleared."""

    stage: Stage
    turn: Seat
    left: int
    drawable: int
    claim_window: ClaimWindow = ClaimWindow.DISCARD
    tile: int | None = None


class PrivateViewChanged(Struct, frozen=True, tag_field="e", tag="private_view_changed"):
    """The viewer's private view changed."""

    private: PrivateView


class HandEnded(Struct, frozen=True, tag_field="e", tag="hand_ended"):
    """A hand ended; `position` replaces the viewer's, with the result and nothing hidden."""

    position: View


GameEvent = (
    DiceRolled
    | HandStarted
    | Drew
    | Discarded
    | ClaimAnswered
    | Melded
    | TurnChanged
    | PrivateViewChanged
    | HandEnded
)


def points(event: Event) -> tuple[int, ...] | None:
    """Return the points that each seat gained by the hand that this event ends; None for other events."""
    match event:
        case HandEnded(position) if position.stage is Stage.HAND_OVER and position.result is not None:
            return position.result.delta
        case _:
            return None
