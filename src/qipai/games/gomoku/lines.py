"""Lines of stones: a colour's board is one integer, and a line of five shows by shifting it over itself.

Bit x + 16 * y is the stone in column x from the left and row y from the top. The sixteenth column
stays empty, so that no shift carries a stone from one edge of the board to the other.
"""

from typing import Final

SIZE: Final = 15
CELLS: Final = SIZE * SIZE
FIVE: Final = 5
STRIDE: Final = SIZE + 1
BYTES: Final = SIZE * STRIDE // 8
"""What a board takes when it is written, low bits first."""

BITS: Final = tuple(1 << cell % SIZE + STRIDE * (cell // SIZE) for cell in range(CELLS))
"""The bit of each cell; cells are counted by rows from the top left, x + 15 * y."""
DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))
"""The order in which lines are looked for."""

_SHIFTS: Final = tuple(
    (step, 2 * step, 4 * step) for step in (abs(right + STRIDE * down) for right, down in DIRECTIONS)
)


def read(board: bytes) -> int:
    """Return a board from its bytes."""
    return int.from_bytes(board, "little")


def write(board: int) -> bytes:
    """Return a board as bytes."""
    return board.to_bytes(BYTES, "little")


def line(board: int, cell: int) -> bytes:
    """Return the cells of the first line of five or more through this stone, or nothing.

    The whole line, from its end with the smaller x (or y, where x stays the same) to the other.
    """
    for (one, two, four), direction in zip(_SHIFTS, DIRECTIONS, strict=True):
        pairs = board & board >> one
        # Four in a row, and one more behind them.
        if pairs and pairs & pairs >> two & board >> four:
            found = run(board, cell, direction)
            if len(found) >= FIVE:
                return found
    return b""


def run(board: int, cell: int, direction: tuple[int, int]) -> bytes:
    """Return all stones that stand in one row with this one, itself among them."""
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
