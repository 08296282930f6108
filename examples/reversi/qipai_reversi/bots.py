"""The three bots: easy plays any move, normal looks one move ahead, hard searches."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .rules import Place, View
from .search import MAX_POSITIONS, best_square, boards_of, evaluate, with_move


class Easy:
    """Plays any legal move."""

    name = "easy"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return a random move."""
        return moves[random.below(len(moves))] if moves else None


class Normal:
    """Looks at the position after each of its moves."""

    name = "normal"

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return a move with the best evaluation, a random one of several."""
        if not moves:
            return None
        own, other = boards_of(view, seat)
        values = [-evaluate(*with_move(own, other, move.square)) for move in moves]
        best = [move for move, value in zip(moves, values, strict=True) if value == max(values)]
        return best[random.below(len(best))]


class Hard:
    """Searches several moves ahead, and the last moves to the end."""

    name = "hard"
    slow = True

    def __init__(self, positions: int = MAX_POSITIONS) -> None:
        self._positions = positions

    def with_effort(self, effort: int) -> "Hard":
        """Return this bot with a percentage of its computation, for a busy server."""
        return Hard(self._positions * effort // 100)

    def choose(self, view: View, seat: Seat, moves: Sequence[Place], random: Random) -> Place | None:
        """Return the best move that the search finds; at the start, where moves are equal, a random one."""
        if not moves:
            return None
        if len(view.moves) < 4:
            return moves[random.below(len(moves))]
        return Place(best_square(*boards_of(view, seat), self._positions))


BOTS: Final = (Easy(), Normal(), Hard())
