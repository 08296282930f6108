"""How likely a mine lies on a square, as far as the numbers tell."""

from typing import Final

from qipai.games.chess.position import INDEX, SQUARES
from qipai.games.chess.wire_types import Minefield

CERTAIN: Final = 1_000
_FIELD: Final = frozenset(range(16, 48))


def _around(at: int) -> frozenset[int]:
    file, rank = at % 8, at // 8
    return frozenset(
        f + 8 * r
        for f in range(max(file - 1, 0), min(file + 2, 8))
        for r in range(max(rank - 1, 0), min(rank + 2, 8))
        if (f, r) != (file, rank)
    )


def perils(field: Minefield) -> dict[str, int]:
    """Return the chance of a mine, in thousandths, for each square that may hold one."""
    if field.all:
        return dict.fromkeys(field.all, CERTAIN)
    numbers = {INDEX[number.square]: number.mines for number in field.numbers}
    unknown = set(_FIELD) - numbers.keys() - {INDEX[blast.square] for blast in field.explosions}
    mined: set[int] = set()
    known = True
    while known:
        known = False
        for at, mines in numbers.items():
            around = _around(at) & unknown
            here = around - mined
            left = mines - len(around & mined)
            if here and left <= 0:
                unknown -= here
                known = True
            elif here and left == len(here):
                mined |= here
                known = True
    open_ = unknown - mined
    base = CERTAIN * max(field.left - len(mined), 0) // max(len(open_), 1)
    chances = {}
    for at in open_:
        near = []
        for place, mines in numbers.items():
            around = _around(place)
            if at in around:
                near.append(CERTAIN * (mines - len(around & mined)) // len(around & open_))
        chances[SQUARES[at]] = max(0, min(max(near, default=base), CERTAIN))
    return chances | {SQUARES[at]: CERTAIN for at in mined}
