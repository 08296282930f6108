"""Event structs of chess, as on the wire."""

from msgspec import Struct

from qipai.kernel.ids import Seat

from .wire_types import CurrentDice


class Moved(Struct, frozen=True, tag_field="e", tag="moved", omit_defaults=True):
    """A move was made; `fen` is the position after it and its explosion. `taken` is the captured piece."""

    seat: Seat
    uci: str
    fen: str
    check: bool = False
    taken: str = ""
    claim: str = ""


class MoveInFog(Struct, frozen=True, tag_field="e", tag="moved_in_fog", omit_defaults=True):
    """A move was made in fog, or the visible squares changed; `uci` is empty if the viewer saw no move.

    `plies` is the number of moves so far. The other fields are as in the view.
    """

    seat: Seat
    uci: str
    plies: int
    board: str
    dests: str
    turn: Seat
    check: bool = False
    taken: str = ""
    claim: str = ""


class Rolled(Struct, frozen=True, tag_field="e", tag="rolled", omit_defaults=True):
    """Dice were rolled. `picks`: in free mode, the index of each die in the list of movable kinds."""

    seat: Seat
    dice: str
    again: bool = False
    picks: tuple[int, ...] = ()
    brought: bool = False
    """An older client rolled them itself."""


class DiceChanged(Struct, frozen=True, tag_field="e", tag="dice_changed", omit_defaults=True):
    """The dice on the table changed; `fen` is the position if it changed without a move."""

    dice: CurrentDice
    fen: str = ""


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat could use none of its dice and lost its turn."""

    seat: Seat


class Exploded(Struct, frozen=True, tag_field="e", tag="exploded", omit_defaults=True):
    """A mine exploded; `piece` only for viewers who could see it. `left` is the number of mines left."""

    square: str
    left: int
    piece: str = ""


class LandedOnNumber(Struct, frozen=True, tag_field="e", tag="landed_on_number"):
    """The mine count of a square on which a move has ended is new or changed."""

    square: str
    mines: int


class Claimed(Struct, frozen=True, tag_field="e", tag="draw_claimed"):
    """A seat claimed a draw, which ends the game."""

    seat: Seat


GameEvent = Moved | MoveInFog | Rolled | DiceChanged | Passed | Exploded | LandedOnNumber | Claimed
