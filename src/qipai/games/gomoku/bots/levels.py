"""The three gomoku bots: easy, normal, hard."""

from collections.abc import Sequence
from typing import Final

from qipai.games.gomoku.wire_types import PLACES_OF, Move, OpeningRule, Place, View
from qipai.kernel.game_interface.bot_interface import FULL_EFFORT
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .opening import first_move, swap2_move
from .search import Search, score_moves
from .search_board import Board, cells

SEARCH_BUDGET: Final = 160_000
"""Stones that the hard bot may place in its search: about half a second of one core."""
_LARGE_BOARD: Final = 300
"""A board with more cells takes a part of the budget, because each stone costs more time there."""
_EASY_EFFORT: Final = 100
_NORMAL_EFFORT: Final = 1_000
"""Stones that a quick bot places to evaluate a swap2 opening."""
_FOURS_SEEN: Final = 7
"""How many of eight fours the easy bot notices."""
_THREES_SEEN: Final = 4
"""How many of eight open threes it notices."""
_SCORE_TOLERANCE: Final = 12
"""The normal bot chooses randomly among scores that differ by less."""


class Easy:
    """Completes a five, blocks most fours, and otherwise plays near the stones."""

    name = "easy"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], random: Random) -> Move | None:
        """Return a weak move."""
        if not moves:
            return None
        if (opening := swap2_move(view, moves, random, _EASY_EFFORT)) is not None:
            return opening
        board, colour = _board(view), _colour(view, seat)
        layout, forbidden = board.layout, _forbidden(view)
        any_direction, _, _ = board.fields()
        own = any_direction >> colour * layout.colour_bits
        theirs = any_direction >> (1 - colour) * layout.colour_bits
        allowed = layout.all_cells & ~forbidden
        if fives := own & allowed:
            return _random_place(view, list(cells(fives)), random)
        for noticed, urgent in (
            (_FOURS_SEEN, theirs & allowed),
            (_FOURS_SEEN, own >> layout.open_fours & allowed),
            (_THREES_SEEN, theirs >> layout.blocks & allowed),
        ):
            if urgent and random.below(8) < noticed:
                return _random_place(view, list(cells(urgent)), random)
        adjacent = list(cells(_adjacent_cells(board) & allowed))
        if not adjacent:
            return first_move(view, moves, random)
        sample = random.shuffle(adjacent)[:4]
        return PLACES_OF[view.size][max(sample, key=lambda cell: _score_gain(board, cell, colour))]


class Normal:
    """Evaluates every candidate after the opponent's best answer."""

    name = "normal"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], random: Random) -> Move | None:
        """Return one of the moves with the best scores."""
        if (opening := swap2_move(view, moves, random, _NORMAL_EFFORT)) is not None:
            return opening
        if not moves or len(view.moves) < 2:
            return first_move(view, moves, random)
        scores = score_moves(_board(view), _colour(view, seat), _forbidden(view))
        if not scores:
            return first_move(view, moves, random)
        best = max(scores.values())
        chosen = [cell for cell, score in scores.items() if score > best - _SCORE_TOLERANCE]
        return _random_place(view, chosen, random)


class Hard:
    """Finds forced wins by fours, defends against them, and searches otherwise."""

    name = "hard"
    slow = True

    def __init__(self, budget: int = SEARCH_BUDGET) -> None:
        self._budget = budget

    def with_effort(self, effort: int) -> "Hard":
        """Return this bot with a part of its search budget."""
        return Hard(self._budget * effort // FULL_EFFORT)

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], random: Random) -> Move | None:
        """Return the best move found within the budget."""
        budget = budget_for(view, self._budget)
        if (opening := swap2_move(view, moves, random, budget)) is not None:
            return opening
        if not moves or len(view.moves) < 2:
            return first_move(view, moves, random)
        search = Search(_board(view), _colour(view, seat), budget, forbidden=_forbidden(view))
        best = search.best_move()
        return first_move(view, moves, random) if best is None else PLACES_OF[view.size][best]


def budget_for(view: View, budget: int) -> int:
    """Return how many stones may be placed on this board in the time that the usual board takes."""
    large, renju = view.size * view.size > _LARGE_BOARD, view.rule is OpeningRule.RENJU
    return budget * (2 if large else 3) * (2 if renju else 3) // 9


def _board(view: View) -> Board:
    return Board(view.moves, view.size, renju=view.rule is OpeningRule.RENJU)


def _forbidden(view: View) -> int:
    """Return the forbidden points as bits."""
    return sum(1 << point.cell for point in view.forbidden)


def _colour(view: View, seat: Seat) -> int:
    return int(seat != view.black)


def _random_place(view: View, choices: Sequence[int], random: Random) -> Place:
    return PLACES_OF[view.size][choices[random.below(len(choices))]]


def _adjacent_cells(board: Board) -> int:
    """Return the empty cells next to stones, as bits."""
    layout, size = board.layout, board.layout.size
    left = sum(1 << cell for cell in range(0, size * size, size))
    right = left << size - 1
    stones = (board.key | board.key >> layout.field_bits) & layout.all_cells
    grown = stones | (stones & ~right) << 1 | (stones & ~left) >> 1
    return (grown | grown << size | grown >> size) & layout.all_cells & ~stones


def _score_gain(board: Board, cell: int, colour: int) -> int:
    """Return how much a stone improves the score of this colour."""
    undo = board.place(cell, colour)
    after = board.score
    board.remove(cell, colour, undo)
    return board.score - after if colour else after - board.score
