"""Alpha-beta search for the bots. A position is a pair of bitboards: the side to move first."""

from typing import Final

from qipai.kernel.ids import Seat

from .discs import CENTRE, FULL, START, flipped_discs, legal_squares, squares
from .rules import View

MAX_POSITIONS: Final = 8_000
"""Positions that one search may look at: about half a second of one core."""
_WIN: Final = 100_000
_CORNERS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
_NEXT_TO_CORNER: Final = {
    0: 1 << 1 | 1 << 8 | 1 << 9,
    7: 1 << 6 | 1 << 15 | 1 << 14,
    56: 1 << 48 | 1 << 57 | 1 << 49,
    63: 1 << 55 | 1 << 62 | 1 << 54,
}
"""Squares that give the corner away as long as it is empty."""


def boards_of(view: View, seat: Seat) -> tuple[int, int]:
    """Return the bitboards of a seat and of its opponent."""
    black, white = (0, 0) if view.empty_start else START
    own, other = (black, white) if seat == view.black else (white, black)
    for move in view.moves:
        flipped = sum(1 << square for square in move.flipped)
        placed = 1 << move.square | flipped
        own, other = (
            (own | placed, other & ~flipped) if move.seat == seat else (own & ~flipped, other | placed)
        )
    return own, other


def with_move(own: int, other: int, square: int) -> tuple[int, int]:
    """Return the position after a disc on this square; the opponent is to move."""
    # The first four discs of an empty board flip nothing.
    flipped = flipped_discs(own, other, square) if (own | other) & CENTRE == CENTRE else 0
    return other & ~flipped, own | flipped | 1 << square


def evaluate(own: int, other: int) -> int:
    """Return how good a position is for the side to move: corners, squares beside them, mobility."""
    value = 80 * ((own & _CORNERS).bit_count() - (other & _CORNERS).bit_count())
    occupied = own | other
    for corner, beside in _NEXT_TO_CORNER.items():
        if not occupied >> corner & 1:
            value -= 20 * ((own & beside).bit_count() - (other & beside).bit_count())
    mobility = legal_squares(own, other).bit_count() - legal_squares(other, own).bit_count()
    return value + 6 * mobility - (own.bit_count() - other.bit_count())


def best_square(own: int, other: int, positions: int = MAX_POSITIONS) -> int:
    """Return the square of the best move found in about this many positions; there is at least one."""
    search, empty = _Search(positions), (FULL & ~(own | other)).bit_count()
    order = _ordered(legal_squares(own, other))
    for depth in range(1, empty + 1):
        found = search.best(own, other, order, depth)
        if found is None:
            break
        # The best move so far first: the next search then cuts off more.
        order = [found, *(square for square in order if square != found)]
    return order[0]


class _Search:
    """One search with its limit of positions."""

    def __init__(self, positions: int) -> None:
        self._left = positions

    def best(self, own: int, other: int, order: list[int], depth: int) -> int | None:
        """Return the best square at this depth, or None if the limit is reached before it is known."""
        best, alpha = order[0], -_WIN
        for square in order:
            value = -self._value(*with_move(own, other, square), depth - 1, -_WIN, -alpha)
            if self._left <= 0 and depth > 1:
                return None
            if value > alpha:
                best, alpha = square, value
        return best

    def _value(self, own: int, other: int, depth: int, alpha: int, beta: int) -> int:
        self._left -= 1
        moves = legal_squares(own, other)
        if not moves:
            if not legal_squares(other, own):
                return 1_000 * (own.bit_count() - other.bit_count())
            return -self._value(other, own, depth, -beta, -alpha)
        if depth <= 0 or self._left <= 0:
            return evaluate(own, other)
        for square in _ordered(moves):
            alpha = max(alpha, -self._value(*with_move(own, other, square), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha


def _ordered(moves: int) -> list[int]:
    """Return the squares of a bitboard, corners first."""
    return [*squares(moves & _CORNERS), *squares(moves & ~_CORNERS)]
