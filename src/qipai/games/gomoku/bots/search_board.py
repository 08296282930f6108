"""A board for thinking: after every stone it knows what each colour could make anywhere.

Each of the four directions keeps one long number: a field of cells for every kind of shape and
colour. A line that changes flips its own bits in it. All lines that were ever seen are kept, with
the difference every further stone makes, so that a stone costs four look-ups.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from qipai.games.gomoku.lines import CELLS, SIZE

from .line_patterns import Shape, shape

FIELD: Final = 240
"""Bits of a field: the cells, rounded up to whole digits of a Python integer."""
FULL: Final = (1 << CELLS) - 1
SIDE: Final = 6 * FIELD
"""Bits of all fields of one colour."""
FIVES, STRAIGHTS, FOURS, THREES, LIVELY, SPOILS = range(0, SIDE, FIELD)
"""Where the fields of a colour begin; white's are SIDE further up."""
MANY: Final = 60_000
"""Lines to remember before beginning anew: less than a hundred megabytes."""

_DIRECTIONS: Final = ((1, 0), (0, 1), (1, 1), (-1, 1))


class Line(dict[int, "tuple[Line, int, int]"]):
    """One line in one state; it knows the next state, and what changes, for each stone put into it.

    Stones are named by their bit: bits below 16 are black, the others white.
    """

    __slots__ = ("fields", "stones", "track", "worth")

    def __init__(self, track: "Track", stones: int) -> None:
        self.track = track
        self.stones = stones
        black, white = stones & 0xFFFF, stones >> 16
        blacks, whites = shape(track.length, black, white), shape(track.length, white, black)
        self.fields = track.spread(blacks) | track.spread(whites) << SIDE
        self.worth = blacks.worth - whites.worth

    def __missing__(self, stone: int) -> "tuple[Line, int, int]":
        after = self.track.line(self.stones | 1 << stone)
        found = self[stone] = (after, self.fields ^ after.fields, after.worth - self.worth)
        return found


class Track:
    """Where a line is: its cells on the board, and every state it was seen in."""

    def __init__(self, start: int, stride: int, length: int) -> None:
        self.start = start
        self.length = length
        self._low, self._high = _spaced(stride)
        self._lines: dict[int, Line] = {}

    def line(self, stones: int) -> Line:
        """Return this line with these stones."""
        found = self._lines.get(stones)
        if found is None:
            found = self._lines[stones] = Line(self, stones)
        return found

    def spread(self, shape: Shape) -> int:
        """Return the fields of a shape, on the board."""
        fields = 0
        for cells in shape[5::-1]:
            fields = fields << FIELD
            if cells:
                fields |= (self._low[cells & 255] | self._high[cells >> 8]) << self.start
        return fields

    def __len__(self) -> int:
        return len(self._lines)

    def forget(self) -> None:
        """Forget every state."""
        self._lines.clear()


@cache
def _spaced(stride: int) -> tuple[list[int], list[int]]:
    """Return for every byte its bits so far apart as the cells of a line are, and the next eight."""
    low = [sum(1 << stride * i for i in range(8) if bits >> i & 1) for bits in range(256)]
    return low, [cells << 8 * stride for cells in low]


Before = tuple[Line, Line, Line, Line, int, int, int, int, int]


class Board:
    """Stones on lines. `a` to `d` are the fields of the four directions, `worth` is black's advantage.

    `key` has the stones of both colours: white's cells are FIELD further up.
    """

    __slots__ = ("_lines", "a", "b", "c", "d", "key", "placed", "worth")

    def __init__(self, moves: Sequence[int] = ()) -> None:
        if sum(map(len, _TRACKS)) > MANY:
            for track in _TRACKS:
                track.forget()
        self._lines = [track.line(0) for track in _TRACKS]
        self.a = self.b = self.c = self.d = 0
        self.key = self.worth = self.placed = 0
        for number, cell in enumerate(moves):
            self.place(cell, number & 1)

    def place(self, cell: int, colour: int) -> Before:
        """Put a stone; return what `lift` needs to take it away again."""
        i, p, j, q, k, r, m, s = _STEPS[colour][cell]
        lines = self._lines
        u, v, w, x = lines[i], lines[j], lines[k], lines[m]
        before = (u, v, w, x, self.a, self.b, self.c, self.d, self.worth)
        lines[i], change, gain = u[p]
        self.a ^= change
        lines[j], change, more = v[q]
        self.b ^= change
        gain += more
        lines[k], change, more = w[r]
        self.c ^= change
        gain += more
        lines[m], change, more = x[s]
        self.d ^= change
        self.worth += gain + more
        self.key ^= _BITS[colour][cell]
        self.placed += 1
        return before

    def lift(self, cell: int, colour: int, before: Before) -> None:
        """Take the last stone away."""
        i, _, j, _, k, _, m, _ = _STEPS[colour][cell]
        lines = self._lines
        lines[i], lines[j], lines[k], lines[m], self.a, self.b, self.c, self.d, self.worth = before
        self.key ^= _BITS[colour][cell]

    def fields(self) -> tuple[int, int]:
        """Return the fields that are set in any direction, and those set in two or more."""
        a, b, c, d = self.a, self.b, self.c, self.d
        ab, cd = a | b, c | d
        return ab | cd, a & b | c & d | ab & cd


def cells(field: int) -> Iterator[int]:
    """Yield the cells of a field."""
    while field:
        low = field & -field
        yield low.bit_length() - 1
        field ^= low


def _tracks() -> tuple[list[Track], list[list[int]]]:
    """Return all lines, and for every cell four pairs: which line, which cell of it."""
    tracks: list[Track] = []
    through: list[list[int]] = [[] for _ in range(CELLS)]
    for dx, dy in _DIRECTIONS:
        stride = dx + SIZE * dy
        for start in range(CELLS):
            x, y = start % SIZE, start // SIZE
            if 0 <= x - dx < SIZE and y >= dy:
                continue
            length = 0
            while 0 <= x < SIZE and y < SIZE:
                through[x + SIZE * y] += [len(tracks), length]
                x, y, length = x + dx, y + dy, length + 1
            tracks.append(Track(start, stride, length))
    return tracks, through


_TRACKS, _THROUGH = _tracks()
_STEPS: Final = tuple(
    tuple(tuple(n + 16 * colour * (i & 1) for i, n in enumerate(steps)) for steps in _THROUGH)
    for colour in (0, 1)
)
_BITS: Final = tuple(tuple(1 << cell + FIELD * colour for cell in range(CELLS)) for colour in (0, 1))
