"""Finds the points that are forbidden for black in renju, by the definitions of the RIF.

A line of eleven cells with the point in its middle decides what a stone there makes in one direction:

- five: exactly five in a row; overline: six or more.
- four: four stones of which one more stone makes a five. Two fours in one line are two.
- straight four: four in a row that can become five at both ends.
- three: three stones of which one more stone makes a straight four.

A five wins and is never forbidden. Otherwise an overline is forbidden, and so are two fours or two threes at
once. A three counts only if the stone that makes the straight four is itself allowed, which is the same
question with one more stone on the board (RIF rule 9.3).
"""

from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple

from .lines import FIVE
from .wire_types import ForbiddenKind, ForbiddenPoint

EMPTY, BLACK, WALL = range(3)
"""A cell: empty, a black stone, or a white stone or the edge."""
REACH: Final = 5
"""Cells on each side of a point that matter to it."""
FEWEST_STONES: Final = 4
"""Black stones that it takes to make a point forbidden: two for each three."""
_MIDDLE: Final = bytes((BLACK,))


class LineShape(NamedTuple):
    """What a black stone in the middle of a line makes there.

    `straight_fours`: where, counted from the stone, another stone would make a straight four of a three.
    """

    five: bool = False
    overline: bool = False
    fours: int = 0
    straight_fours: tuple[int, ...] = ()


@cache
def line_shape(line: bytes) -> LineShape:
    """Return what a stone in the middle of eleven cells makes; there are at most 3**10 such lines."""
    cells = line[:REACH] + _MIDDLE + line[REACH + 1 :]
    run = _run_length(cells, REACH)
    if run >= FIVE:
        return LineShape(five=run == FIVE, overline=run > FIVE)
    return LineShape(
        fours=len(_fours(cells)),
        straight_fours=tuple(at - REACH for at in range(len(cells)) if _makes_straight_four(cells, at)),
    )


def _run_length(cells: bytes, at: int) -> int:
    """Return the length of the row of black stones through a cell."""
    start, end = at, at
    while start > 0 and cells[start - 1] == BLACK:
        start -= 1
    while end + 1 < len(cells) and cells[end + 1] == BLACK:
        end += 1
    return end - start + 1


def _fours(cells: bytes) -> set[int]:
    """Return the sets of four stones, one of them in the middle, that one more stone makes exactly five."""
    fours = set()
    for start in range(1, REACH + 1):
        window = cells[start : start + FIVE]
        if window.count(BLACK) == 4 and EMPTY in window and _is_exact(cells, start):
            fours.add(sum(1 << start + at for at, cell in enumerate(window) if cell == BLACK))
    return fours


def _is_exact(cells: bytes, start: int) -> bool:
    """Tell whether five stones from this cell on are not part of a longer row."""
    return cells[start - 1] != BLACK and cells[start + FIVE] != BLACK


def _makes_straight_four(cells: bytes, at: int) -> bool:
    """Tell whether a stone on an empty cell makes four in a row with the middle, to be five at both ends."""
    if cells[at] != EMPTY or not 1 < at < len(cells) - 2:
        return False
    after = cells[:at] + _MIDDLE + cells[at + 1 :]
    start = end = at
    while after[start - 1] == BLACK:
        start -= 1
        if start == 0:
            return False
    while after[end + 1] == BLACK:
        end += 1
        if end == len(after) - 1:
            return False
    return (
        end - start == 3
        and start <= REACH <= end
        and after[start - 1] == after[end + 1] == EMPTY
        and _is_exact(after, start - 1)
        and _is_exact(after, start)
    )


class RenjuBoard:
    """The cells of a board with five more around it, so that every line of eleven cells is a slice."""

    __slots__ = ("_cells", "_size", "_steps", "_width")

    def __init__(self, size: int, black: Iterable[int], white: Iterable[int]) -> None:
        self._size = size
        self._width = width = size + REACH
        self._steps = (1, width, width + 1, width - 1)
        row = bytes((EMPTY,)) * size + bytes((WALL,)) * REACH
        # The cells to the right of one row are those to the left of the next.
        edge = bytes((WALL,)) * (REACH * width + REACH)
        cells = bytearray(edge + row * size + edge)
        for colour, stones in ((BLACK, black), (WALL, white)):
            for cell in stones:
                cells[self._index(cell)] = colour
        self._cells = bytes(cells)

    def _index(self, cell: int) -> int:
        y, x = divmod(cell, self._size)
        return (y + REACH) * self._width + REACH + x

    def forbidden_points(self) -> tuple[ForbiddenPoint, ...]:
        """Return all forbidden points."""
        cells = self._cells
        if cells.count(BLACK) < FEWEST_STONES:
            return ()
        found = []
        for cell in range(self._size * self._size):
            index = self._index(cell)
            if cells[index] != EMPTY:
                continue
            lines = self._lines(cells, index)
            if sum([line.count(BLACK) for line in lines]) < FEWEST_STONES:
                continue
            if (kind := self._forbidden(cells, index, lines)) is not None:
                found.append(ForbiddenPoint(cell, kind))
        return tuple(found)

    def forbidden_kind(self, cell: int) -> ForbiddenKind | None:
        """Return why an empty cell is forbidden, None if it is allowed."""
        index = self._index(cell)
        return self._forbidden(self._cells, index, self._lines(self._cells, index))

    def _forbidden(self, cells: bytes, index: int, lines: list[bytes]) -> ForbiddenKind | None:
        shapes = [line_shape(line) for line in lines]
        if any(shape.five for shape in shapes):
            return None
        if any(shape.overline for shape in shapes):
            return ForbiddenKind.OVERLINE
        if sum([shape.fours for shape in shapes]) > 1:
            return ForbiddenKind.DOUBLE_FOUR
        threes = [
            [index + step * far for far in shape.straight_fours]
            for step, shape in zip(self._steps, shapes, strict=True)
            if shape.straight_fours
        ]
        if len(threes) < 2:
            return None
        after = cells[:index] + _MIDDLE + cells[index + 1 :]
        real = sum(any(self._allows_straight_four(after, at) for at in three) for three in threes)
        return ForbiddenKind.DOUBLE_THREE if real > 1 else None

    def _allows_straight_four(self, cells: bytes, index: int) -> bool:
        """Tell whether a stone may be placed here and makes no five."""
        lines = self._lines(cells, index)
        makes_five = any(line_shape(line).five for line in lines)
        return not makes_five and self._forbidden(cells, index, lines) is None

    def _lines(self, cells: bytes, index: int) -> list[bytes]:
        """Return the line of eleven cells in each direction."""
        return [cells[index - REACH * step : index + REACH * step + 1 : step] for step in self._steps]
