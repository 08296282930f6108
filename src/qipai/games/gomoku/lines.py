"""Finds five in a row on bitboards of each board size.

Bit x + (size + 1) * y is the stone in column x from the left and row y from the top. The last column of the
bits stays empty, so that no shift carries a stone from one edge of the board to the other.
"""

from typing import Final

SIZE: Final = 15
"""The usual size, and the only one of the older clients."""
LARGE_SIZE: Final = 19
FIVE: Final = 5
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The order in which directions are checked."""


class Grid:
    """The cells of a board of one size; they are counted by rows from the top left, x + size * y.

    `bits` has the bit of each cell on a bitboard; a bitboard is stored in `byte_count` bytes, little-endian.
    """

    __slots__ = ("_shifts", "_stride", "bits", "byte_count", "cells", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.cells = size * size
        self._stride = stride = size + 1
        self.byte_count = -(-size * stride // 8)
        self.bits = tuple(1 << cell % size + stride * (cell // size) for cell in range(self.cells))
        steps = [(abs(right + stride * down), (right, down)) for right, down in DIRECTIONS]
        self._shifts = tuple((step, 2 * step, 4 * step, direction) for step, direction in steps)

    def winning_line(self, board: int, cell: int, *, exact: bool = False) -> tuple[int, ...]:
        """Return the cells of the first winning line through this stone, empty if there is none.

        Five or more stones win; with `exact` five only. The cells go from the end with the smaller x (or y,
        if x is the same) to the other.
        """
        for one, two, four, direction in self._shifts:
            pairs = board & board >> one
            # Four in a row, and a fifth behind them.
            if pairs and pairs & pairs >> two & board >> four:
                found = self.run_through(board, cell, direction)
                if len(found) == FIVE or (len(found) > FIVE and not exact):
                    return found
        return ()

    def run_through(self, board: int, cell: int, direction: tuple[int, int]) -> tuple[int, ...]:
        """Return the cells of the unbroken row of stones through this one in a direction."""
        right, down = direction
        y, x = divmod(cell, self.size)
        while self._is_stone(board, x - right, y - down):
            x, y = x - right, y - down
        found = []
        while self._is_stone(board, x, y):
            found.append(x + self.size * y)
            x, y = x + right, y + down
        return tuple(found)

    def _is_stone(self, board: int, x: int, y: int) -> bool:
        return 0 <= x < self.size and 0 <= y < self.size and board >> x + self._stride * y & 1 == 1


GRIDS: Final = {size: Grid(size) for size in (SIZE, LARGE_SIZE)}
"""The grid of each board size."""
