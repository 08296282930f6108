"""Two players of tic-tac-toe: one never loses, one does not think at all."""

from collections.abc import Sequence
from functools import cache

from qipai.games.tictactoe.rules import Mark, Move, View, won_lines
from qipai.kernel import randomness
from qipai.kernel.ids import Seat


class Perfect:
    """Plays one of the best moves; leaves it to the person to begin the next round."""

    name = "perfect"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], dice: randomness.Random) -> Move | None:
        """Return a move of the best worth."""
        cells = [move.cell for move in moves if isinstance(move, Mark)]
        if not cells:
            return None
        mine, theirs = ("X", "O") if seat == view.x else ("O", "X")
        worths = {cell: -worth(put(view.board, cell, mine), cell, theirs, mine) for cell in cells}
        best = max(worths.values())
        choices = [cell for cell in cells if worths[cell] == best]
        return Mark(choices[dice.below(len(choices))])


class Random:
    """Plays anything legal."""

    name = "random"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], dice: randomness.Random) -> Move | None:
        """Return any empty cell."""
        marks = [move for move in moves if isinstance(move, Mark)]
        return marks[dice.below(len(marks))] if marks else None


def put(board: str, cell: int, symbol: str) -> str:
    """Return the board with one more symbol."""
    return board[:cell] + symbol + board[cell + 1 :]


@cache
def worth(board: str, last: int, mover: str, waiter: str) -> int:
    """Return what the round is worth to the side to move: quicker wins and later losses are better."""
    if won_lines(board, last):
        return -1 - board.count(".")
    empty = [cell for cell in range(9) if board[cell] == "."]
    return max((-worth(put(board, cell, mover), cell, waiter, mover) for cell in empty), default=0)
