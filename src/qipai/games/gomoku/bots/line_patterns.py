"""What the stones of one colour are worth in a stretch of a line that the other colour has not touched.

A stretch is its length and a number whose bit i says whether cell i holds a stone. Everything about
it is a number of the same kind: the cells where something would happen.
"""

from functools import cache
from typing import Final, NamedTuple

WINDOW: Final = 0b11111
WORTH: Final = (0, 1, 6, 24, 90, 0)
"""What five neighbouring cells are worth by the stones of one colour in them, the others empty."""
_LIVELY: Final = 15
"""How much a cell must add to the worth to be worth a look: next to a stone, or one cell away."""


class Shape(NamedTuple):
    """Cells of a stretch: where its colour would make what, and where the other would spoil it."""

    fives: int = 0
    """A stone here makes five."""
    straights: int = 0
    """A stone here makes a four that becomes five in two ways."""
    fours: int = 0
    """A stone here makes a four of any kind."""
    threes: int = 0
    """A stone here makes a three that threatens to become a straight four."""
    lively: int = 0
    """A stone here works together with others."""
    spoils: int = 0
    """A stone of the other colour here leaves no cell for a straight four."""
    worth: int = 0


_NOTHING: Final = Shape()


@cache
def stretch(length: int, stones: int) -> Shape:
    """Return the shape of a stretch; there are not more than 2**16 of them."""
    fives = fours = lively = worth = 0
    gains = [0] * length
    for start in range(length - 4):
        window = WINDOW << start
        count = (stones & window).bit_count()
        worth += WORTH[count]
        empty = window & ~stones
        if count == 4:
            fives |= empty
        elif count == 3:
            fours |= empty
        gain = WORTH[min(count + 1, 4)] - WORTH[count]
        for cell in range(start, start + 5):
            gains[cell] += gain
    for cell, gain in enumerate(gains):
        if gain >= _LIVELY and not stones >> cell & 1:
            lively |= 1 << cell
    fours &= ~fives
    straights = straight_cells(length, stones)
    threes = spoils = 0
    for cell in range(length):
        bit = 1 << cell
        if stones & bit:
            continue
        if not (fives | fours) & bit and straight_cells(length, stones | bit) & ~straights:
            threes |= bit
        if straights and not _straights_around(length, stones, cell):
            spoils |= bit
    return Shape(fives, straights, fours, threes, lively, spoils, worth)


@cache
def straight_cells(length: int, stones: int) -> int:
    """Return the cells where one more stone, not yet five, leaves two cells that make five."""
    once: dict[int, int] = {}
    fives = 0
    for start in range(length - 4):
        window = WINDOW << start
        empty = window & ~stones
        match (stones & window).bit_count():
            case 4:
                fives |= empty
            case 3:
                low = empty & -empty
                high = empty ^ low
                once[low] = once.get(low, 0) | high
                once[high] = once.get(high, 0) | low
    found = 0
    for cell, completions in once.items():
        if completions.bit_count() > 1 and not cell & fives:
            found |= cell
    return found


def _straights_around(length: int, stones: int, cell: int) -> bool:
    below = straight_cells(cell, stones & (1 << cell) - 1)
    above = straight_cells(length - cell - 1, stones >> cell + 1)
    return bool(below or above)


def shape(length: int, mine: int, theirs: int) -> Shape:
    """Return the shape of a whole line for the colour of `mine`."""
    if not mine:
        return _NOTHING
    fives = straights = fours = threes = lively = spoils = worth = 0
    start = 0
    fence = theirs | 1 << length
    while start < length:
        end = ((fence >> start) & -(fence >> start)).bit_length() - 1 + start
        size = end - start
        stones = mine >> start & (1 << size) - 1
        if stones and size >= 5:
            part = stretch(size, stones)
            fives |= part.fives << start
            straights |= part.straights << start
            fours |= part.fours << start
            threes |= part.threes << start
            lively |= part.lively << start
            spoils |= part.spoils << start
            worth += part.worth
        start = end + 1
    return Shape(fives, straights, fours, threes, lively, spoils, worth)
