"""Finds five in a row on bitboards.

Bit x + 16 * y is the stone in column x from the left and row y from the top. The sixteenth column stays
empty, so that no shift carries a stone from one edge of the board to the other.
"""

from typing import Final

SIZE: Final = 15
CELLS: Final = SIZE * SIZE
FIVE: Final = 5
STRIDE: Final = SIZE + 1
BYTES: Final = SIZE * STRIDE // 8
"""Bytes of a stored board, little-endian."""

BITS: Final = tuple(1 << cell % SIZE + STRIDE * (cell // SIZE) for cell in range(CELLS))
"""The bit of each cell; cells are counted by rows from the top left, x + 15 * y."""
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The order in which directions are checked."""

_SHIFTS: Final = tuple(
    (step, 2 * step, 4 * step) for step in (abs(right + STRIDE * down) for right, down in DIRECTIONS)
)


def board_from_bytes(board: bytes) -> int:
    """Return a board from its bytes."""
    return int.from_bytes(board, "little")


def board_to_bytes(board: int) -> bytes:
    """Return a board as bytes."""
    return board.to_bytes(BYTES, "little")


def winning_line(board: int, cell: int) -> bytes:
    """Return the cells of the first line of five or more through this stone, empty if there is none.

    All cells of the line, from the end with the smaller x (or y, if x is the same) to the other.
    """
    for (one, two, four), direction in zip(_SHIFTS, DIRECTIONS, strict=True):
        pairs = board & board >> one
        # Four in a row, and a fifth behind them.
        if pairs and pairs & pairs >> two & board >> four:
            found = run_through(board, cell, direction)
            if len(found) >= FIVE:
                return found
    return b""


def run_through(board: int, cell: int, direction: tuple[int, int]) -> bytes:
    """Return the cells of the unbroken row of stones through this one in a direction."""
    right, down = direction
    y, x = divmod(cell, SIZE)
    while _stone(board, x - right, y - down):
        x, y = x - right, y - down
    found = bytearray()
    while _stone(board, x, y):
        found.append(x + SIZE * y)
        x, y = x + right, y + down
    return bytes(found)


def _stone(board: int, x: int, y: int) -> bool:
    return 0 <= x < SIZE and 0 <= y < SIZE and board >> x + STRIDE * y & 1 == 1
