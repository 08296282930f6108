"""Mines (踩地雷): a piece whose move ends on one is gone; squares landed on tell of the mines around them."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .position import INDEX, SQUARES
from .state import Mines
from .wire_types import Explosion, MineCount

FIELD: Final = tuple(square for square in SQUARES if square[1] in "3456")
"""Where mines may be: the squares that are empty at the beginning."""


def lay(count: int, given: bytes, random: Random) -> Mines | None:
    """Return the mines of a new game: those given, if they are well laid, or so many drawn from the dice."""
    if given:
        squares = [SQUARES[number] for number in given if number < len(SQUARES)]
        if count == 0 or len(set(squares)) != len(given) or not set(squares) <= set(FIELD):
            raise IllegalCommand(Refusal.BAD_OPTIONS)
        return Mines(_sorted(squares))
    return Mines(_sorted(random.shuffle(FIELD)[:count])) if count else None


def landed(mines: Mines, square: str, piece: str, ply: int) -> Mines:
    """Return the mines after a piece has ended its move on a square; one that lay there is no more."""
    squares = mines.landed if square in mines.landed else _sorted((*mines.landed, square))
    if square not in mines.laid:
        return replace(mines, landed=squares)
    laid = tuple(mine for mine in mines.laid if mine != square)
    return replace(mines, laid=laid, landed=squares, blasts=(*mines.blasts, Explosion(ply, square, piece)))


def numbers(mines: Mines) -> tuple[MineCount, ...]:
    """Return for each square landed on how many unexploded mines are among its neighbours."""
    return tuple(
        MineCount(square, sum(_touch(square, mine) for mine in mines.laid)) for square in mines.landed
    )


def all_of(mines: Mines) -> tuple[str, ...]:
    """Return where the mines were in the beginning."""
    return _sorted((*mines.laid, *(blast.square for blast in mines.blasts)))


def _touch(one: str, other: str) -> bool:
    columns, rows = abs(ord(one[0]) - ord(other[0])), abs(ord(one[1]) - ord(other[1]))
    return max(columns, rows) == 1


def _sorted(squares: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(squares, key=INDEX.__getitem__))
