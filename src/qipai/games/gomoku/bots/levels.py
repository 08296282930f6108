"""Three players of gomoku: one for children, one that sees what is there, one that looks ahead."""

from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.lines import CELLS, SIZE
from qipai.games.gomoku.rules import PLACES, Place, View
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .search import Engine, weigh
from .search_board import FIELD, FIVES, FULL, SIDE, SPOILS, STRAIGHTS, Board, cells

CENTRE: Final = CELLS // 2
BUDGET: Final = 160_000
"""Stones the hard bot may put while it thinks: about half a second of one core."""
_LEFT: Final = sum(1 << cell for cell in range(0, CELLS, SIZE))
_RIGHT: Final = _LEFT << SIZE - 1
_FOURS_SEEN: Final = 7
"""How many fours of eight the easy bot sees."""
_THREES_SEEN: Final = 4
"""How many open threes of eight it sees."""
_TASTE: Final = 12
"""Worths that differ by less are the same to the normal bot."""


class Easy:
    """Makes its own five, mostly stops one, and else puts a stone near the others."""

    name = "easy"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return a friendly move."""
        if not moves:
            return None
        board, colour = Board(view.moves), _colour(view, seat)
        once, _ = board.fields()
        mine, theirs = once >> colour * SIDE, once >> (1 - colour) * SIDE
        if fives := mine >> FIVES & FULL:
            return _any(list(cells(fives)), random)
        for seen, urgent in (
            (_FOURS_SEEN, theirs >> FIVES & FULL),
            (_FOURS_SEEN, mine >> STRAIGHTS & FULL),
            (_THREES_SEEN, theirs >> SPOILS & FULL),
        ):
            if urgent and random.below(8) < seen:
                return _any(list(cells(urgent)), random)
        near = list(cells(_near(board.key)))
        if not near:
            return _opening(view, moves, random)
        some = random.shuffle(near)[:4]
        return PLACES[max(some, key=lambda cell: _gain(board, cell, colour))]


class Normal:
    """Sees fours and open threes of both sides, and one answer ahead."""

    name = "normal"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return one of the moves that look best."""
        if not moves or len(view.moves) < 2:
            return _opening(view, moves, random)
        worths = weigh(Board(view.moves), _colour(view, seat))
        if not worths:
            return _opening(view, moves, random)
        best = max(worths.values())
        return _any([cell for cell, worth in worths.items() if worth > best - _TASTE], random)


class Hard:
    """Finds wins by fours however long, stops those of the other side, and searches for the rest."""

    name = "hard"
    slow = True

    def __init__(self, budget: int = BUDGET) -> None:
        self._budget = budget

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return the best move that the budget finds."""
        if not moves or len(view.moves) < 2:
            return _opening(view, moves, random)
        best = Engine(Board(view.moves), _colour(view, seat), self._budget).best()
        return _opening(view, moves, random) if best is None else PLACES[best]


def _colour(view: View, seat: Seat) -> int:
    return int(seat != view.black)


def _any(choices: Sequence[int], random: Random) -> Place:
    return PLACES[choices[random.below(len(choices))]]


def _opening(view: View, moves: Sequence[Place], random: Random) -> Place | None:
    """Return the centre, else a stone diagonally beside the first and not at the edge, else anything."""
    if not moves:
        return None
    if not view.moves:
        return PLACES[CENTRE]
    first = PLACES[view.moves[0]]
    inner = range(1, SIZE - 1)
    # Beside it in a row or column the second stone is worth less: black's diagonals stay open.
    beside = [
        move
        for move in moves
        if abs(move.x - first.x) == abs(move.y - first.y) == 1 and move.x in inner and move.y in inner
    ]
    choices = beside or moves
    return choices[random.below(len(choices))]


def _near(key: int) -> int:
    """Return the empty cells around the stones."""
    stones = (key | key >> FIELD) & FULL
    wide = stones | (stones & ~_RIGHT) << 1 | (stones & ~_LEFT) >> 1
    return (wide | wide << SIZE | wide >> SIZE) & FULL & ~stones


def _gain(board: Board, cell: int, colour: int) -> int:
    """Return how much better the lines are for this colour, and worse for the other, after a stone."""
    before = board.place(cell, colour)
    after = board.worth
    board.lift(cell, colour, before)
    return board.worth - after if colour else after - board.worth
