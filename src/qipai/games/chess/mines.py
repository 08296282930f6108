"""Mines (踩地雷): placing them, explosions, and the mine counts of visited squares."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.randomness import Random
from qipai.kernel.refusals import Refusal

from .position import SQUARE_NUMBER, SQUARES
from .state import Mines
from .wire_types import Explosion, MineCount

MINE_SQUARES: Final = tuple(square for square in SQUARES if square[1] in "3456")
"""Squares that may have a mine: those that are empty at the start."""


_NEIGHBOURS: Final = {
    square: frozenset(
        chr(ord(square[0]) + file) + chr(ord(square[1]) + rank)
        for file in (-1, 0, 1)
        for rank in (-1, 0, 1)
        if (file, rank) != (0, 0)
    )
    for square in SQUARES
}
"""The squares around each square; those outside the board have no mines."""


def place_mines(count: int, host_data: bytes, random: Random) -> Mines | None:
    """Return the mines of a new game: those of `host_data` if valid, or `count` random ones."""
    if host_data:
        squares = [SQUARES[number] for number in host_data if number < len(SQUARES)]
        if count == 0 or len(set(squares)) != len(host_data) or not set(squares) <= set(MINE_SQUARES):
            raise IllegalCommand(Refusal.BAD_OPTIONS)
        return Mines(_in_square_order(squares))
    return Mines(_in_square_order(random.shuffle(MINE_SQUARES)[:count])) if count else None


def land_on(mines: Mines, square: str, piece: str, ply: int) -> Mines:
    """Return the mines after a move has ended on a square; a mine on it explodes."""
    visited = mines.visited if square in mines.visited else _in_square_order((*mines.visited, square))
    if square not in mines.unexploded:
        return replace(mines, visited=visited)
    unexploded = tuple(mine for mine in mines.unexploded if mine != square)
    return replace(
        mines,
        unexploded=unexploded,
        visited=visited,
        explosions=(*mines.explosions, Explosion(ply, square, piece)),
    )


def mine_counts(mines: Mines) -> tuple[MineCount, ...]:
    """Return the number of unexploded mines around each visited square."""
    return tuple(
        [
            MineCount(square, len(_NEIGHBOURS[square].intersection(mines.unexploded)))
            for square in mines.visited
        ]
    )


def initial_mines(mines: Mines) -> tuple[str, ...]:
    """Return the squares of all mines at the start."""
    return _in_square_order((*mines.unexploded, *(explosion.square for explosion in mines.explosions)))


def _in_square_order(squares: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(squares, key=SQUARE_NUMBER.__getitem__))
