"""Fog of war (霧戰): who sees which squares.

A player sees his own pieces, every square one of them could go to if it were his turn, and whatever gives
check to his king. Dice change nothing about sight.
"""

from typing import Final

from qipai.kernel.ids import Seat

from . import position
from .position import SHOWN, START
from .state import State, is_white

DARK: Final = "?" * 64
"""What watchers see."""


def sees(fen: str, *, white: bool) -> frozenset[str]:
    """Return the squares that a side sees."""
    board = position.letters(fen)
    own = {SHOWN[place] for place, sign in enumerate(board) if sign.isalpha() and sign.isupper() is white}
    reach = position.in_reach(position.turned(fen, white=white))
    return frozenset(own | reach | position.checkers(fen, white=white))


def board(fen: str, sight: frozenset[str]) -> str:
    """Return the 64 squares from a8 to h1, with `?` for those out of sight."""
    shown = zip(SHOWN, position.letters(fen), strict=True)
    return "".join([sign if square in sight else "?" for square, sign in shown])


MOST_BOARDS: Final = 600
"""Moves of a game that is shown again as it was seen: each takes a fifth of a millisecond."""


def dests(fen: str, *, white: bool) -> str:
    """Return a side's legal moves as if it were its turn."""
    return " ".join(sorted(position.legal(position.turned(fen, white=white))))


def king_in(state: State, sight: frozenset[str]) -> bool:
    """Tell whether the king of the side to move is in sight."""
    king = "K" if is_white(state, state.turn) else "k"
    return any(
        sign == king and square in sight
        for square, sign in zip(SHOWN, position.letters(state.fen), strict=True)
    )


def boards(state: State, seat: Seat) -> tuple[str, ...]:
    """Return what a seat saw in the beginning and after each move, by playing the game again."""
    white = is_white(state, seat)
    blasts = {blast.ply: blast.square for blast in (state.mines.blasts if state.mines is not None else ())}
    sides = state.sides or ("wb" * len(state.moves))[: len(state.moves)]
    fen = START
    found = []
    for number, uci in enumerate(state.moves):
        # Between its moves the position was that of whoever moved next.
        fen = position.turned(fen, white=sides[number] == "w")
        found.append(board(fen, sees(fen, white=white)))
        made = None if state.options.trusting else position.make(fen, uci)
        fen = position.put(fen, uci) if made is None else made[0]
        if number + 1 in blasts:
            fen = position.without(fen, blasts[number + 1])
    found.append(board(state.fen, sees(state.fen, white=white)))
    return tuple(found)
