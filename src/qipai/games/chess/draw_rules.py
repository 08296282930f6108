"""Draws by repetition, move count and insufficient material (FIDE 5.2.2, 6.9, 9.2, 9.3, 9.6)."""

from typing import Final

from .position import board_letters

THREEFOLD: Final = "threefold"
FIFTY: Final = "fifty"
FIVEFOLD: Final = "fivefold"
SEVENTY_FIVE: Final = "seventyfive"
MATERIAL: Final = "material"

FIFTY_MOVES: Final = 100
"""Plies without a capture or a pawn move after which a draw may be claimed (FIDE 9.3)."""
SEVENTY_FIVE_MOVES: Final = 150
"""Plies without a capture or a pawn move after which the game is drawn (FIDE 9.6.2)."""
EARLIEST_THREEFOLD: Final = 4
"""Lower bound of the halfmove clock at a second or later occurrence of a position."""


def claimable_draw(repetitions: int, halfmove_clock: int) -> str:
    """Return the draw that may be claimed: threefold repetition (FIDE 9.2) or fifty moves (FIDE 9.3)."""
    if repetitions >= 3:
        return THREEFOLD
    return FIFTY if halfmove_clock >= FIFTY_MOVES else ""


def automatic_draw(repetitions: int, halfmove_clock: int) -> str:
    """Return the draw that ends the game without a claim (FIDE 9.6)."""
    if repetitions >= 5:
        return FIVEFOLD
    return SEVENTY_FIVE if halfmove_clock >= SEVENTY_FIVE_MOVES else ""


def is_dead_position(fen: str) -> bool:
    """Tell whether neither side has the material to mate (FIDE 5.2.2)."""
    pieces = fen.split(" ", 1)[0]
    if any(strong in pieces for strong in "PpRrQq"):
        return False
    return not can_mate(fen, white=True) and not can_mate(fen, white=False)


def can_mate(fen: str, *, white: bool) -> bool:
    """Tell whether any sequence of legal moves could let this side mate, by material (FIDE 6.9)."""
    board = board_letters(fen)
    ours = [piece.upper() for piece in board if piece.isalpha() and piece.isupper() is white]
    theirs = {piece.upper() for piece in board if piece.isalpha() and piece.isupper() is not white}
    if {"P", "R", "Q"} & set(ours):
        return True
    if "N" in ours:
        # A lone knight needs an enemy piece that blocks a square of the enemy king.
        return len(ours) > 2 or bool(theirs - {"K", "Q"})
    if "B" in ours:
        # Bishops on one colour need an enemy pawn or knight, or a bishop on the other colour.
        colours = {(index // 8 + index) % 2 for index, piece in enumerate(board) if piece in "Bb"}
        return len(colours) > 1 or bool(theirs & {"P", "N"})
    return False
