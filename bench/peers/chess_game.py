"""One game of chess with clocks: what both Python peers need of the rules."""

import time
from typing import Final, NamedTuple

import chess

BUDGET: Final = 600_000
INCREMENT: Final = 2_000


class Clock(NamedTuple):
    """What both players are told after a move; times in milliseconds."""

    white: int
    black: int
    turn: str
    at: int
    over: bool


class ChessGame:
    """A board and the time that each side has left."""

    def __init__(self) -> None:
        self.board = chess.Board()
        self.left = [BUDGET, BUDGET]
        self.since = 0

    def play(self, uci: str) -> Clock | None:
        """Play a move and press the clock; return None if the move is illegal."""
        board = self.board
        move, mover = chess.Move.from_uci(uci), 0 if board.turn else 1
        if not board.is_legal(move):
            return None
        board.push(move)
        now = time.time_ns() // 1_000_000
        if self.since:
            self.left[mover] += INCREMENT - (now - self.since)
        self.since = now
        white, black = self.left
        return Clock(white, black, "White" if board.turn else "Black", now, board.is_game_over())
