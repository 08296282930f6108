"""Fog of war (霧戰): which squares a player sees.

A player sees the own pieces, every square to which one of them could move if it were the player's turn, and
the pieces that give check. Dice do not change what is visible.
"""

from typing import Final

from qipai.kernel.ids import Seat

from . import position
from .position import SQUARES_FROM_A8, START
from .state import State, is_white

ALL_HIDDEN: Final = "?" * 64
"""The board that spectators see."""
_WHITE: Final = frozenset("PNBRQK")
_BLACK: Final = frozenset("pnbrqk")


def visible_squares(fen: str, *, white: bool) -> frozenset[str]:
    """Return the squares that a side sees."""
    pieces = _WHITE if white else _BLACK
    squares = zip(SQUARES_FROM_A8, position.board_letters(fen), strict=True)
    own = {square for square, letter in squares if letter in pieces}
    reachable = position.reachable_squares(position.with_side_to_move(fen, white=white))
    return frozenset(own | reachable | position.checkers(fen, white=white))


def fogged_board(fen: str, visible: frozenset[str]) -> str:
    """Return the 64 squares from a8 to h1, with `?` for those that are not visible."""
    squares = zip(SQUARES_FROM_A8, position.board_letters(fen), strict=True)
    return "".join([letter if square in visible else "?" for square, letter in squares])


MAX_BOARDS: Final = 600
"""Longest game, in moves, whose boards are rebuilt: each move takes 0.2 ms."""


def destinations(fen: str, *, white: bool) -> str:
    """Return a side's legal moves as if it were its turn."""
    return " ".join(sorted(position.legal_moves(position.with_side_to_move(fen, white=white))))


def king_is_visible(state: State, visible: frozenset[str]) -> bool:
    """Tell whether the king of the side to move is on a visible square."""
    king = "K" if is_white(state, state.turn) else "k"
    return any(
        letter == king and square in visible
        for square, letter in zip(SQUARES_FROM_A8, position.board_letters(state.fen), strict=True)
    )


def boards_seen(state: State, seat: Seat) -> tuple[str, ...]:
    """Return the boards that a seat saw at the start and after each move."""
    white = is_white(state, seat)
    explosions = {
        explosion.ply: explosion.square
        for explosion in (state.mines.explosions if state.mines is not None else ())
    }
    sides = state.sides or ("wb" * len(state.moves))[: len(state.moves)]
    fen = START
    boards = []
    for number, uci in enumerate(state.moves):
        # With dice a side may move twice in a row: the side of the next move was to move.
        fen = position.with_side_to_move(fen, white=sides[number] == "w")
        boards.append(fogged_board(fen, visible_squares(fen, white=white)))
        applied = None if state.options.unchecked_moves else position.apply_move(fen, uci)
        fen = position.move_unchecked(fen, uci) if applied is None else applied[0]
        if number + 1 in explosions:
            fen = position.remove_piece(fen, explosions[number + 1])
    boards.append(fogged_board(state.fen, visible_squares(state.fen, white=white)))
    return tuple(boards)
