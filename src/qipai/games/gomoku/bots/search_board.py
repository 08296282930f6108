"""Board for the search: updates the line patterns of both colours with every stone.

Each of the four directions has one long integer: a bit field of cells for every pattern and colour. A line
that changes flips its bits in it. States of lines are cached with the difference that each further stone
makes, so that a stone costs four lookups.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from qipai.games.gomoku.lines import CELLS, SIZE

from .line_patterns import LinePatterns, line_patterns

FIELD_BITS: Final = 240
"""Bits of a field: the cells, rounded up to whole digits of a Python integer."""
ALL_CELLS: Final = (1 << CELLS) - 1
COLOUR_BITS: Final = 6 * FIELD_BITS
"""Bits of all fields of one colour."""
FIVES, OPEN_FOURS, FOURS, OPEN_THREES, CANDIDATES, BLOCKS = range(0, COLOUR_BITS, FIELD_BITS)
"""Offsets of the fields of black; those of white are COLOUR_BITS higher."""
MAX_LINE_STATES: Final = 60_000
"""Cached line states before the cache is cleared: less than 100 MB."""

_DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))


class LineState(dict[int, "tuple[LineState, int, int]"]):
    """One line with its stones; maps each further stone to the next state and what changes.

    A stone is its bit number: below 16 black, from 16 white.
    """

    __slots__ = ("fields", "line", "score", "stones")

    def __init__(self, line: "BoardLine", stones: int) -> None:
        self.line = line
        self.stones = stones
        black, white = stones & 0xFFFF, stones >> 16
        black_patterns, white_patterns = (
            line_patterns(line.length, black, white),
            line_patterns(line.length, white, black),
        )
        self.fields = line.fields_of(black_patterns) | line.fields_of(white_patterns) << COLOUR_BITS
        self.score = black_patterns.score - white_patterns.score

    def __missing__(self, stone: int) -> "tuple[LineState, int, int]":
        after = self.line.state(self.stones | 1 << stone)
        transition = self[stone] = (after, self.fields ^ after.fields, after.score - self.score)
        return transition


class BoardLine:
    """A line of the board: its cells, and every state it had so far."""

    def __init__(self, start: int, stride: int, length: int) -> None:
        self.start = start
        self.length = length
        self._low, self._high = _spread_bits(stride)
        self._lines: dict[int, LineState] = {}

    def state(self, stones: int) -> LineState:
        """Return the state of this line with these stones."""
        line_state = self._lines.get(stones)
        if line_state is None:
            line_state = self._lines[stones] = LineState(self, stones)
        return line_state

    def fields_of(self, patterns: LinePatterns) -> int:
        """Return the fields of the patterns of this line, as cells of the board."""
        fields = 0
        for cells in patterns[5::-1]:
            fields = fields << FIELD_BITS
            if cells:
                fields |= (self._low[cells & 255] | self._high[cells >> 8]) << self.start
        return fields

    def __len__(self) -> int:
        return len(self._lines)

    def clear(self) -> None:
        """Remove every cached state."""
        self._lines.clear()


@cache
def _spread_bits(stride: int) -> tuple[list[int], list[int]]:
    """Return each byte with its bits spread by the stride of a line, for the first and next eight cells."""
    low = [sum(1 << stride * i for i in range(8) if bits >> i & 1) for bits in range(256)]
    return low, [cells << 8 * stride for cells in low]


Undo = tuple[LineState, LineState, LineState, LineState, int, int, int, int, int]


class Board:
    """Stones on lines. `a` to `d` are the fields of the four directions, `score` is black's advantage.

    `key` has the stones of both colours: white's cells are FIELD_BITS higher. `placed` counts placed stones.
    """

    __slots__ = ("_lines", "a", "b", "c", "d", "key", "placed", "score")

    def __init__(self, moves: Sequence[int] = ()) -> None:
        if sum(map(len, _LINES)) > MAX_LINE_STATES:
            for line in _LINES:
                line.clear()
        self._lines = [line.state(0) for line in _LINES]
        self.a = self.b = self.c = self.d = 0
        self.key = self.score = self.placed = 0
        for number, cell in enumerate(moves):
            self.place(cell, number & 1)

    def place(self, cell: int, colour: int) -> Undo:
        """Place a stone; return what `remove` needs to take it away."""
        i, p, j, q, k, r, m, s = _STEPS[colour][cell]
        lines = self._lines
        u, v, w, x = lines[i], lines[j], lines[k], lines[m]
        undo = (u, v, w, x, self.a, self.b, self.c, self.d, self.score)
        lines[i], changed_fields, gain = u[p]
        self.a ^= changed_fields
        lines[j], changed_fields, gain_more = v[q]
        self.b ^= changed_fields
        gain += gain_more
        lines[k], changed_fields, gain_more = w[r]
        self.c ^= changed_fields
        gain += gain_more
        lines[m], changed_fields, gain_more = x[s]
        self.d ^= changed_fields
        self.score += gain + gain_more
        self.key ^= _BITS[colour][cell]
        self.placed += 1
        return undo

    def remove(self, cell: int, colour: int, undo: Undo) -> None:
        """Remove the last stone."""
        i, _, j, _, k, _, m, _ = _STEPS[colour][cell]
        lines = self._lines
        lines[i], lines[j], lines[k], lines[m], self.a, self.b, self.c, self.d, self.score = undo
        self.key ^= _BITS[colour][cell]

    def fields(self) -> tuple[int, int]:
        """Return the bits set in any direction, and those set in two or more."""
        a, b, c, d = self.a, self.b, self.c, self.d
        ab, cd = a | b, c | d
        return ab | cd, a & b | c & d | ab & cd


def cells(field: int) -> Iterator[int]:
    """Yield the cells of a field."""
    while field:
        low = field & -field
        yield low.bit_length() - 1
        field ^= low


def _board_lines() -> tuple[list[BoardLine], list[list[int]]]:
    """Return all lines, and for every cell four pairs: number of the line, cell of the line."""
    lines: list[BoardLine] = []
    lines_through: list[list[int]] = [[] for _ in range(CELLS)]
    for dx, dy in _DIRECTIONS:
        stride = dx + SIZE * dy
        for start in range(CELLS):
            x, y = start % SIZE, start // SIZE
            if 0 <= x - dx < SIZE and y >= dy:
                continue
            length = 0
            while 0 <= x < SIZE and y < SIZE:
                lines_through[x + SIZE * y] += [len(lines), length]
                x, y, length = x + dx, y + dy, length + 1
            lines.append(BoardLine(start, stride, length))
    return lines, lines_through


_LINES, _LINES_THROUGH = _board_lines()
_STEPS: Final = tuple(
    tuple(tuple(n + 16 * colour * (i & 1) for i, n in enumerate(steps)) for steps in _LINES_THROUGH)
    for colour in (0, 1)
)
_BITS: Final = tuple(tuple(1 << cell + FIELD_BITS * colour for cell in range(CELLS)) for colour in (0, 1))
