"""The two tic-tac-toe bots: perfect and random."""

from collections.abc import Sequence
from functools import cache

from qipai.games.tictactoe.rules import Mark, Move, View, won_lines
from qipai.kernel import randomness
from qipai.kernel.ids import Seat


class Perfect:
    """Plays one of the best moves; leaves the start of the next round to the other player."""

    name = "perfect"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], random: randomness.Random) -> Move | None:
        """Return a random one of the moves with the best score."""
        cells = [move.cell for move in moves if isinstance(move, Mark)]
        if not cells:
            return None
        own, theirs = ("X", "O") if seat == view.x else ("O", "X")
        scores = {cell: -round_score(with_mark(view.board, cell, own), cell, theirs, own) for cell in cells}
        best = max(scores.values())
        choices = [cell for cell in cells if scores[cell] == best]
        return Mark(choices[random.below(len(choices))])


class Random:
    """Plays random legal moves."""

    name = "random"

    def choose(self, view: View, seat: Seat, moves: Sequence[Move], random: randomness.Random) -> Move | None:
        """Return a random empty cell."""
        marks = [move for move in moves if isinstance(move, Mark)]
        return marks[random.below(len(marks))] if marks else None


def with_mark(board: str, cell: int, symbol: str) -> str:
    """Return the board with one more mark."""
    return board[:cell] + symbol + board[cell + 1 :]


@cache
def round_score(board: str, last: int, mover: str, waiting: str) -> int:
    """Return the score of a round for the side to move; an earlier win or a later loss is better."""
    if won_lines(board, last):
        return -1 - board.count(".")
    empty = [cell for cell in range(9) if board[cell] == "."]
    return max(
        (-round_score(with_mark(board, cell, mover), cell, waiting, mover) for cell in empty), default=0
    )
