"""Board for the search: updates the line patterns of both colours with every stone.

Each of the four directions has one long integer: a bit field of cells for every pattern and colour. A line
that changes flips its bits in it. States of lines are cached with the difference that each further stone
makes, so that a stone costs four lookups.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from qipai.games.gomoku.forbidden_points import RenjuBoard
from qipai.games.gomoku.lines import SIZE

from .line_patterns import LinePatterns, line_patterns

MAX_LINE_STATES: Final = 60_000
"""Cached line states of all boards before the cache is cleared: less than 100 MB, with 19 lines 150 MB."""

_DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))
_WHITE: Final = 20
"""A stone of a line is its bit number: below this black, from it white."""
_BLACK_STONES: Final = (1 << _WHITE) - 1
_DIGIT: Final = 30
"""Bits of a digit of a Python integer; whole digits are shifted faster."""


class Layout:
    """Where the fields of a direction are: their offsets, the bits of one and of all fields of a colour.

    The cells that make five have the offset 0. Fields of white are `colour_bits` higher.
    """

    __slots__ = (
        "all_cells", "blocks", "candidates", "colour_bits", "exact", "field_bits", "field_count", "fours",
        "lines", "open_fours", "open_threes", "overlines", "place_fields", "size", "steps", "stone_bits",
    )  # fmt: skip

    def __init__(self, size: int, *, exact: bool) -> None:
        self.size = size
        self.exact = exact
        self.all_cells = (1 << size * size) - 1
        self.field_bits = field = -(-size * size // _DIGIT) * _DIGIT
        # Only renju needs to know where black would make an overline.
        self.field_count = 7 if exact else 6
        self.colour_bits = self.field_count * field
        self.open_fours, self.fours, self.open_threes, self.candidates, self.blocks, self.overlines = range(
            field, 7 * field, field
        )
        self.place_fields = sum(1 << offset for offset in range(0, self.blocks, field))
        """One bit for each field of cells where a colour places its own stones."""
        self.lines, through = self._board_lines()
        self.steps = tuple(
            tuple(tuple(n + _WHITE * colour * (i & 1) for i, n in enumerate(steps)) for steps in through)
            for colour in (0, 1)
        )
        self.stone_bits = tuple(
            tuple(1 << cell + field * colour for cell in range(size * size)) for colour in (0, 1)
        )

    def _board_lines(self) -> tuple[list["BoardLine"], list[list[int]]]:
        """Return all lines, and for every cell four pairs: number of the line, cell of the line."""
        size = self.size
        lines: list[BoardLine] = []
        lines_through: list[list[int]] = [[] for _ in range(size * size)]
        for dx, dy in _DIRECTIONS:
            stride = dx + size * dy
            for start in range(size * size):
                x, y = start % size, start // size
                if 0 <= x - dx < size and y >= dy:
                    continue
                length = 0
                while 0 <= x < size and y < size:
                    lines_through[x + size * y] += [len(lines), length]
                    x, y, length = x + dx, y + dy, length + 1
                lines.append(BoardLine(self, start, stride, length))
        return lines, lines_through


class LineState(dict[int, "tuple[LineState, int, int]"]):
    """One line with its stones; maps each further stone to the next state and what changes."""

    __slots__ = ("fields", "line", "score", "stones")

    def __init__(self, line: "BoardLine", stones: int) -> None:
        self.line = line
        self.stones = stones
        black, white = stones & _BLACK_STONES, stones >> _WHITE
        layout = line.layout
        black_patterns, white_patterns = (
            line_patterns(line.length, black, white, exact=layout.exact),
            line_patterns(line.length, white, black),
        )
        self.fields = line.fields_of(black_patterns) | line.fields_of(white_patterns) << layout.colour_bits
        self.score = black_patterns.score - white_patterns.score

    def __missing__(self, stone: int) -> "tuple[LineState, int, int]":
        after = self.line.state(self.stones | 1 << stone)
        transition = self[stone] = (after, self.fields ^ after.fields, after.score - self.score)
        return transition


class BoardLine:
    """A line of the board: its cells, and every state it had so far."""

    def __init__(self, layout: Layout, start: int, stride: int, length: int) -> None:
        self.layout = layout
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
        for cells in patterns[self.layout.field_count - 1 :: -1]:
            fields = fields << self.layout.field_bits
            if cells:
                fields |= (self._low[cells & 1023] | self._high[cells >> 10]) << self.start
        return fields

    def __len__(self) -> int:
        return len(self._lines)

    def clear(self) -> None:
        """Remove every cached state."""
        self._lines.clear()


@cache
def _spread_bits(stride: int) -> tuple[list[int], list[int]]:
    """Return ten bits spread by the stride of a line, for the first and the next ten cells."""
    low = [sum(1 << stride * i for i in range(10) if bits >> i & 1) for bits in range(1024)]
    return low, [cells << 10 * stride for cells in low]


_layouts: Final[dict[tuple[int, bool], Layout]] = {}


def layout_of(size: int, *, renju: bool) -> Layout:
    """Return the layout of the boards of a size; it is made once."""
    layout = _layouts.get((size, renju))
    if layout is None:
        layout = _layouts[size, renju] = Layout(size, exact=renju)
    return layout


Undo = tuple[LineState, LineState, LineState, LineState, int, int, int, int, int]


class Board:
    """Stones on lines. `a` to `d` are the fields of the four directions, `score` is black's advantage.

    `key` has the stones of both colours: white's cells are `field_bits` higher. `placed` counts placed
    stones. With `renju`, the fields of black have no cells that are forbidden.
    """

    __slots__ = ("_lines", "a", "b", "c", "d", "key", "layout", "placed", "renju", "score")

    def __init__(self, moves: Sequence[int] = (), size: int = SIZE, *, renju: bool = False) -> None:
        self.layout = layout_of(size, renju=renju)
        self.renju = renju
        lines = [line for layout in _layouts.values() for line in layout.lines]
        if sum(map(len, lines)) > MAX_LINE_STATES:
            for line in lines:
                line.clear()
        self._lines = [line.state(0) for line in self.layout.lines]
        self.a = self.b = self.c = self.d = 0
        self.key = self.score = self.placed = 0
        for number, cell in enumerate(moves):
            self.place(cell, number & 1)

    def place(self, cell: int, colour: int) -> Undo:
        """Place a stone; return what `remove` needs to take it away."""
        i, p, j, q, k, r, m, s = self.layout.steps[colour][cell]
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
        self.key ^= self.layout.stone_bits[colour][cell]
        self.placed += 1
        return undo

    def remove(self, cell: int, colour: int, undo: Undo) -> None:
        """Remove the last stone."""
        i, _, j, _, k, _, m, _ = self.layout.steps[colour][cell]
        lines = self._lines
        lines[i], lines[j], lines[k], lines[m], self.a, self.b, self.c, self.d, self.score = undo
        self.key ^= self.layout.stone_bits[colour][cell]

    def fields(self) -> tuple[int, int, int]:
        """Return the bits set in any direction, those set in two or more, and the cells barred for black.

        In renju a cell with two fours or two open threes is barred, although a three may turn out to be false
        (`is_forbidden` tells).
        """
        a, b, c, d = self.a, self.b, self.c, self.d
        ab, cd = a | b, c | d
        any_direction, two_directions = ab | cd, a & b | c & d | ab & cd
        if not self.renju:
            return any_direction, two_directions, 0
        layout = self.layout
        shapes = two_directions >> layout.fours | two_directions >> layout.open_threes
        barred = (shapes | any_direction >> layout.overlines) & ~any_direction & layout.all_cells
        if not barred:
            return any_direction, two_directions, 0
        allowed = ~(barred * layout.place_fields)
        return any_direction & allowed, two_directions & allowed, barred

    def is_forbidden(self, cell: int) -> bool:
        """Tell whether black may not place a stone on an empty cell."""
        if not self.renju or not self.fields()[2] >> cell & 1:
            return False
        layout = self.layout
        black, white = self.key & layout.all_cells, self.key >> layout.field_bits
        return RenjuBoard(layout.size, cells(black), cells(white)).forbidden_kind(cell) is not None


def cells(field: int) -> Iterator[int]:
    """Yield the cells of a field."""
    while field:
        low = field & -field
        yield low.bit_length() - 1
        field ^= low
