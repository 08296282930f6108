"""Probability of a mine on each square, from the visible mine counts."""

from typing import Final

from qipai.games.chess.position import SQUARE_NUMBER, SQUARES
from qipai.games.chess.wire_types import Minefield

CERTAIN: Final = 1_000
_MINE_SQUARES: Final = frozenset(range(16, 48))


def _neighbours(square: int) -> frozenset[int]:
    file, rank = square % 8, square // 8
    return frozenset(
        f + 8 * r
        for f in range(max(file - 1, 0), min(file + 2, 8))
        for r in range(max(rank - 1, 0), min(rank + 2, 8))
        if (f, r) != (file, rank)
    )


def mine_odds(minefield: Minefield) -> dict[str, int]:
    """Return the probability of a mine, in thousandths, for each square that may have one."""
    if minefield.all:
        return dict.fromkeys(minefield.all, CERTAIN)
    numbers = {SQUARE_NUMBER[count.square]: count.mines for count in minefield.numbers}
    unknown = (
        set(_MINE_SQUARES)
        - numbers.keys()
        - {SQUARE_NUMBER[explosion.square] for explosion in minefield.explosions}
    )
    mined: set[int] = set()
    progress = True
    while progress:
        progress = False
        for square, mines in numbers.items():
            around = _neighbours(square) & unknown
            candidates = around - mined
            mines_left = mines - len(around & mined)
            if candidates and mines_left <= 0:
                unknown -= candidates
                progress = True
            elif candidates and mines_left == len(candidates):
                mined |= candidates
                progress = True
    uncertain = unknown - mined
    base = CERTAIN * max(minefield.left - len(mined), 0) // max(len(uncertain), 1)
    odds = {}
    for square in uncertain:
        local_odds = []
        for counted_square, mines in numbers.items():
            around = _neighbours(counted_square)
            if square in around:
                local_odds.append(CERTAIN * (mines - len(around & mined)) // len(around & uncertain))
        odds[SQUARES[square]] = max(0, min(max(local_odds, default=base), CERTAIN))
    return odds | {SQUARES[square]: CERTAIN for square in mined}
