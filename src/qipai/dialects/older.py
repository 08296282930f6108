"""The older clients' namespace: each socket's first event tells which program it belongs to."""

from collections.abc import Callable

from qipai.kernel.talk import Dialect

from .gomoku import Gomoku, Salon
from .gomoku.asks import question
from .tictactoe import TicTacToe


def older() -> Callable[[str], Dialect]:
    """Return what makes the dialect of a socket from its id; all made by one share their rooms."""
    salon = Salon()

    def elsewhere(sid: str, frame: bytes) -> Dialect | None:
        return None if question(frame) is None else Gomoku(sid, salon)

    return lambda sid: TicTacToe(sid, elsewhere)
