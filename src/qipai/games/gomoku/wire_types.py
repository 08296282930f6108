"""Options, moves, view and events of gomoku, as clients send and receive them."""

from enum import StrEnum
from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from qipai.kernel.ids import Seat

from .lines import GRIDS, LARGE_SIZE, SIZE

Coordinate = Annotated[int, Meta(ge=0, le=LARGE_SIZE - 1)]
Size = Literal[15, 19]


class OpeningRule(StrEnum):
    """How the advantage of the first move is reduced.

    `free`: it is not. `swap2`: the first player places three stones, then the other one chooses. `renju`:
    double-threes, double-fours and overlines are forbidden for black.
    """

    FREE = "free"
    SWAP2 = "swap2"
    RENJU = "renju"


class Choice(StrEnum):
    """What a player chooses in swap2: a colour, or to place two more stones and let the opponent choose."""

    BLACK = "black"
    WHITE = "white"
    TWO_MORE = "two_more"


class ForbiddenKind(StrEnum):
    """Why a point is forbidden for black in renju."""

    DOUBLE_THREE = "double_three"
    DOUBLE_FOUR = "double_four"
    OVERLINE = "overline"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The opening rule, and the lines of the board in each direction."""

    rule: OpeningRule = OpeningRule.FREE
    size: Size = 15


def twist(options: Options) -> str:
    """Return the twist of a game: its opening rule."""
    return options.rule.value


class Place(Struct, frozen=True, tag_field="do", tag="place", forbid_unknown_fields=True):
    """Put a stone on an empty point: column from the left, row from the top."""

    x: Coordinate
    y: Coordinate


class Choose(Struct, frozen=True, tag_field="do", tag="choose", forbid_unknown_fields=True):
    """Choose in swap2; `two_more` only after the first three stones."""

    choice: Choice


Move = Place | Choose


class ForbiddenPoint(Struct, frozen=True):
    """A point where black may not place a stone now; the cell is x + size * y."""

    cell: int
    kind: ForbiddenKind


class View(Struct, frozen=True, omit_defaults=True):
    """The game, the same for every viewer; cells are x + size * y, `moves` black and white in turn.

    Until a colour is chosen in swap2, `black` is the seat that began. `choices`: those made in swap2.
    `forbidden`: in renju, where black may not place a stone, while black is to move.
    """

    black: Seat
    turn: Seat
    moves: tuple[int, ...]
    line: tuple[int, ...]
    rule: OpeningRule = OpeningRule.FREE
    size: int = SIZE
    choices: tuple[Choice, ...] = ()
    forbidden: tuple[ForbiddenPoint, ...] = ()


class Placed(Struct, frozen=True, tag_field="e", tag="placed", omit_defaults=True):
    """A stone was placed. `forbidden`: in renju, where black may not answer."""

    seat: Seat
    x: int
    y: int
    forbidden: tuple[ForbiddenPoint, ...] = ()


class Chosen(Struct, frozen=True, tag_field="e", tag="chosen"):
    """A player chose in swap2; `black` is the seat that plays black now."""

    seat: Seat
    choice: Choice
    black: Seat


class FiveInRow(Struct, frozen=True, tag_field="e", tag="five_in_row"):
    """The last stone completed a line; its cells are x + size * y, from one end to the other."""

    cells: tuple[int, ...]


GameEvent = Placed | Chosen | FiveInRow

OTHER: Final = (Seat(1), Seat(0))
PLACES_OF: Final = {
    size: tuple(Place(cell % size, cell // size) for cell in range(grid.cells))
    for size, grid in GRIDS.items()
}
"""A move for each cell, by board size."""
PLACES: Final = PLACES_OF[SIZE]
"""A move for each cell of the usual board."""
