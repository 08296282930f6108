"""Legal squares and flipped discs on bitboards: bit x + 8 * y is the square in column x and row y."""

from collections.abc import Iterator
from typing import Final

SQUARES: Final = 64
FULL: Final = (1 << SQUARES) - 1
CENTRE: Final = 1 << 27 | 1 << 28 | 1 << 35 | 1 << 36
"""The four squares in the middle: d4, e4, d5, e5."""
START: Final = (1 << 28 | 1 << 35, 1 << 27 | 1 << 36)
"""The first discs of black and white."""
_INNER_COLUMNS: Final = 0x7E7E7E7E7E7E7E7E
_DIRECTIONS: Final = ((1, _INNER_COLUMNS), (8, FULL), (7, _INNER_COLUMNS), (9, _INNER_COLUMNS))
"""Distance to the next square, and the squares on which a disc can be enclosed in that direction."""
_LONGEST: Final = 6
"""Most discs that can be enclosed in one direction."""


def legal_squares(own: int, other: int) -> int:
    """Return the empty squares on which a disc encloses at least one of the other side."""
    found = 0
    for distance, enclosable in _DIRECTIONS:
        inside = other & enclosable
        up, down = inside & own << distance, inside & own >> distance
        for _ in range(_LONGEST - 1):
            up |= inside & up << distance
            down |= inside & down >> distance
        found |= up << distance | down >> distance
    return found & ~(own | other) & FULL


def flipped_discs(own: int, other: int, square: int) -> int:
    """Return the discs of the other side that a disc on this square encloses."""
    disc, flipped = 1 << square, 0
    for distance, enclosable in _DIRECTIONS:
        inside = other & enclosable
        up, down = inside & disc << distance, inside & disc >> distance
        for _ in range(_LONGEST - 1):
            up |= inside & up << distance
            down |= inside & down >> distance
        if own & up << distance:
            flipped |= up
        if own & down >> distance:
            flipped |= down
    return flipped


def squares(board: int) -> Iterator[int]:
    """Yield the squares of a bitboard in order."""
    while board:
        lowest = board & -board
        yield lowest.bit_length() - 1
        board ^= lowest
