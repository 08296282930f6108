"""The three gomoku bots: easy, normal, hard."""

from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.lines import CELLS, SIZE
from qipai.games.gomoku.rules import PLACES, Place, View
from qipai.kernel.game_interface.bot_interface import FULL_EFFORT
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .search import Search, score_moves
from .search_board import ALL_CELLS, BLOCKS, COLOUR_BITS, FIELD_BITS, FIVES, OPEN_FOURS, Board, cells

CENTRE: Final = CELLS // 2
SEARCH_BUDGET: Final = 160_000
"""Stones that the hard bot may place in its search: about half a second of one core."""
_LEFT: Final = sum(1 << cell for cell in range(0, CELLS, SIZE))
_RIGHT: Final = _LEFT << SIZE - 1
_FOURS_SEEN: Final = 7
"""How many of eight fours the easy bot notices."""
_THREES_SEEN: Final = 4
"""How many of eight open threes it notices."""
_SCORE_TOLERANCE: Final = 12
"""The normal bot chooses randomly among scores that differ by less."""


class Easy:
    """Completes a five, blocks most fours, and otherwise plays near the stones."""

    name = "easy"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return a weak move."""
        if not moves:
            return None
        board, colour = Board(view.moves), _colour(view, seat)
        any_direction, _ = board.fields()
        own, theirs = any_direction >> colour * COLOUR_BITS, any_direction >> (1 - colour) * COLOUR_BITS
        if fives := own >> FIVES & ALL_CELLS:
            return _random_place(list(cells(fives)), random)
        for noticed, urgent in (
            (_FOURS_SEEN, theirs >> FIVES & ALL_CELLS),
            (_FOURS_SEEN, own >> OPEN_FOURS & ALL_CELLS),
            (_THREES_SEEN, theirs >> BLOCKS & ALL_CELLS),
        ):
            if urgent and random.below(8) < noticed:
                return _random_place(list(cells(urgent)), random)
        adjacent = list(cells(_adjacent_cells(board.key)))
        if not adjacent:
            return _opening(view, moves, random)
        sample = random.shuffle(adjacent)[:4]
        return PLACES[max(sample, key=lambda cell: _score_gain(board, cell, colour))]


class Normal:
    """Evaluates every candidate after the opponent's best answer."""

    name = "normal"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return one of the moves with the best scores."""
        if not moves or len(view.moves) < 2:
            return _opening(view, moves, random)
        scores = score_moves(Board(view.moves), _colour(view, seat))
        if not scores:
            return _opening(view, moves, random)
        best = max(scores.values())
        return _random_place(
            [cell for cell, score in scores.items() if score > best - _SCORE_TOLERANCE], random
        )


class Hard:
    """Finds forced wins by fours, defends against them, and searches otherwise."""

    name = "hard"
    slow = True

    def __init__(self, budget: int = SEARCH_BUDGET) -> None:
        self._budget = budget

    def with_effort(self, effort: int) -> "Hard":
        """Return this bot with a part of its search budget."""
        return Hard(self._budget * effort // FULL_EFFORT)

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return the best move found within the budget."""
        if not moves or len(view.moves) < 2:
            return _opening(view, moves, random)
        best = Search(Board(view.moves), _colour(view, seat), self._budget).best_move()
        return _opening(view, moves, random) if best is None else PLACES[best]


def _colour(view: View, seat: Seat) -> int:
    return int(seat != view.black)


def _random_place(choices: Sequence[int], random: Random) -> Place:
    return PLACES[choices[random.below(len(choices))]]


def _opening(view: View, moves: Sequence[Place], random: Random) -> Place | None:
    """Return the centre, else a cell diagonally next to the first stone and not at the edge, else any."""
    if not moves:
        return None
    if not view.moves:
        return PLACES[CENTRE]
    first = PLACES[view.moves[0]]
    inner = range(1, SIZE - 1)
    # Orthogonally next to the first stone is weaker: black's diagonals stay open.
    beside = [
        move
        for move in moves
        if abs(move.x - first.x) == abs(move.y - first.y) == 1 and move.x in inner and move.y in inner
    ]
    choices = beside or moves
    return choices[random.below(len(choices))]


def _adjacent_cells(key: int) -> int:
    """Return the empty cells next to stones, as bits."""
    stones = (key | key >> FIELD_BITS) & ALL_CELLS
    grown = stones | (stones & ~_RIGHT) << 1 | (stones & ~_LEFT) >> 1
    return (grown | grown << SIZE | grown >> SIZE) & ALL_CELLS & ~stones


def _score_gain(board: Board, cell: int, colour: int) -> int:
    """Return how much a stone improves the score of this colour."""
    undo = board.place(cell, colour)
    after = board.score
    board.remove(cell, colour, undo)
    return board.score - after if colour else after - board.score
