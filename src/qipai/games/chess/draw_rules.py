"""How a game of chess ends without mate: repetition, moves without progress, too few pieces."""

from typing import Final

from .position import letters

THREEFOLD: Final = "threefold"
FIFTY: Final = "fifty"
FIVEFOLD: Final = "fivefold"
SEVENTY_FIVE: Final = "seventyfive"
MATERIAL: Final = "material"

FIFTY_MOVES: Final = 100
"""Half-moves without a capture or a pawn's move after which a draw may be claimed (FIDE 9.3)."""
SEVENTY_FIVE_MOVES: Final = 150
"""Half-moves after which the game is drawn (FIDE 9.6.2)."""
SOONEST: Final = 4
"""No position can be there a third time before so many half-moves without a capture or a pawn's move."""


def claimable(times: int, quiet: int) -> str:
    """Return the draw that may be claimed in a position that is there for so many times (FIDE 9.2, 9.3)."""
    if times >= 3:
        return THREEFOLD
    return FIFTY if quiet >= FIFTY_MOVES else ""


def automatic(times: int, quiet: int) -> str:
    """Return the draw that ends the game by itself (FIDE 9.6)."""
    if times >= 5:
        return FIVEFOLD
    return SEVENTY_FIVE if quiet >= SEVENTY_FIVE_MOVES else ""


def dead(fen: str) -> bool:
    """Tell whether neither side has the pieces to mate (FIDE 5.2.2)."""
    pieces = fen.split(" ", 1)[0]
    if any(strong in pieces for strong in "PpRrQq"):
        return False
    return not can_mate(fen, white=True) and not can_mate(fen, white=False)


def can_mate(fen: str, *, white: bool) -> bool:
    """Tell whether this side could mate with its pieces, if the other helped (FIDE 6.9)."""
    board = letters(fen)
    ours = [piece.upper() for piece in board if piece.isalpha() and piece.isupper() is white]
    theirs = {piece.upper() for piece in board if piece.isalpha() and piece.isupper() is not white}
    if {"P", "R", "Q"} & set(ours):
        return True
    if "N" in ours:
        # A lone knight needs a piece of the other side's that takes a square from its king.
        return len(ours) > 2 or bool(theirs - {"K", "Q"})
    if "B" in ours:
        # Bishops on squares of one colour need a pawn, a knight or a bishop on the others.
        shades = {(place // 8 + place) % 2 for place, piece in enumerate(board) if piece in "Bb"}
        return len(shades) > 1 or bool(theirs & {"P", "N"})
    return False
