"""Patterns in one line (fives, fours, open threes), their value and the cells that block them.

A segment is a part of a line without stones of the other colour: its length, and an integer whose bit i says
whether cell i has a stone. Each pattern is an integer of the same kind: the cells where a stone makes it.
With `exact`, as for black in renju, six or more in a row are no five.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

WINDOW: Final = 0b11111
WINDOW_SCORES: Final = (0, 1, 6, 24, 90, 0)
"""Score of five adjacent cells by the number of stones of one colour in them, the others empty."""
_CANDIDATE_GAIN: Final = 15
"""Least gain that makes a cell a candidate: next to a stone, or one cell away."""


class LinePatterns(NamedTuple):
    """Cells of a segment: where its colour makes which pattern, and where the other colour blocks."""

    fives: int = 0
    """A stone here makes five."""
    open_fours: int = 0
    """A stone here makes an open four: it becomes five in two ways."""
    fours: int = 0
    """A stone here makes a four, open or closed."""
    open_threes: int = 0
    """A stone here makes an open three: it threatens an open four."""
    candidates: int = 0
    """A stone here adds to other stones."""
    blocks: int = 0
    """A stone of the other colour here prevents every open four."""
    overlines: int = 0
    """With `exact`: a stone here makes six or more."""
    score: int = 0


_NO_PATTERNS: Final = LinePatterns()
_CACHED: Final = 2**16
"""Segments of which the patterns are cached: all of those in 15 cells."""


def _windows(length: int, stones: int, *, exact: bool) -> Iterator[int]:
    """Yield the five adjacent cells in which a five is still possible."""
    for start in range(length - 4):
        window = WINDOW << start
        if not exact or not stones & (window << 1 | window >> 1) & ~window:
            yield window


@lru_cache(_CACHED)
def segment_patterns(length: int, stones: int, exact: bool) -> LinePatterns:
    """Return the patterns of a segment."""
    fives = fours = candidates = score = 0
    gains = [0] * length
    for window in _windows(length, stones, exact=exact):
        count = (stones & window).bit_count()
        score += WINDOW_SCORES[count]
        empty = window & ~stones
        if count == 4:
            fives |= empty
        elif count == 3:
            fours |= empty
        gain = WINDOW_SCORES[min(count + 1, 4)] - WINDOW_SCORES[count]
        start = (window & -window).bit_length() - 1
        for cell in range(start, start + 5):
            gains[cell] += gain
    for cell, gain in enumerate(gains):
        if gain >= _CANDIDATE_GAIN and not stones >> cell & 1:
            candidates |= 1 << cell
    fours &= ~fives
    open_fours = open_four_cells(length, stones, exact)
    open_threes = blocks = overlines = 0
    for cell in range(length):
        bit = 1 << cell
        if stones & bit:
            continue
        if not (fives | fours) & bit and open_four_cells(length, stones | bit, exact) & ~open_fours:
            open_threes |= bit
        if open_fours and not _leaves_open_four(length, stones, cell, exact=exact):
            blocks |= bit
        if exact and _has_six(stones | bit) and not fives & bit:
            overlines |= bit
    return LinePatterns(fives, open_fours, fours, open_threes, candidates, blocks, overlines, score)


def _has_six(stones: int) -> bool:
    pairs = stones & stones >> 1
    return bool(pairs & pairs >> 2 & pairs >> 4)


@lru_cache(_CACHED)
def open_four_cells(length: int, stones: int, exact: bool) -> int:
    """Return the cells where one more stone makes an open four but no five."""
    completions_of: dict[int, int] = {}
    fives = 0
    for window in _windows(length, stones, exact=exact):
        empty = window & ~stones
        match (stones & window).bit_count():
            case 4:
                fives |= empty
            case 3:
                low = empty & -empty
                high = empty ^ low
                completions_of[low] = completions_of.get(low, 0) | high
                completions_of[high] = completions_of.get(high, 0) | low
    cells = 0
    for cell, completions in completions_of.items():
        if completions.bit_count() > 1 and not cell & fives:
            cells |= cell
    return cells


def _leaves_open_four(length: int, stones: int, cell: int, *, exact: bool) -> bool:
    below = open_four_cells(cell, stones & (1 << cell) - 1, exact)
    above = open_four_cells(length - cell - 1, stones >> cell + 1, exact)
    return bool(below or above)


def line_patterns(length: int, own: int, theirs: int, *, exact: bool = False) -> LinePatterns:
    """Return the patterns of a whole line for the colour of `own`."""
    if not own:
        return _NO_PATTERNS
    fives = open_fours = fours = open_threes = candidates = blocks = overlines = score = 0
    start = 0
    boundaries = theirs | 1 << length
    while start < length:
        end = ((boundaries >> start) & -(boundaries >> start)).bit_length() - 1 + start
        size = end - start
        stones = own >> start & (1 << size) - 1
        if stones and size >= 5:
            segment = segment_patterns(size, stones, exact)
            fives |= segment.fives << start
            open_fours |= segment.open_fours << start
            fours |= segment.fours << start
            open_threes |= segment.open_threes << start
            candidates |= segment.candidates << start
            blocks |= segment.blocks << start
            overlines |= segment.overlines << start
            score += segment.score
        start = end + 1
    return LinePatterns(fives, open_fours, fours, open_threes, candidates, blocks, overlines, score)
