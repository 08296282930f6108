"""How often the tiles that a hand needs come, and what a hand earns by that.

The figures are counts of many thousand hands: how often a tile that one has not seen is discarded by the
others, or won on, in one go-round. Honours go early, the middle of a suit late.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.tiles import EAST, KINDS

Rates = tuple[tuple[float, ...], ...]
_PHASES: Final = (3, 6, 9)
"""Up to how many own discards each row of a table holds; the last one holds for the rest."""
_RANKS: Final = 8
"""Columns: honours of which 1, 2, 3, 4 are unseen, then ones and nines, 2 and 8, 3 and 7, the middle."""
DROPPED: Final[Rates] = (
    (6.99, 8.30, 11.28, 9.52, 3.57, 1.69, 0.79, 0.44),
    (4.13, 4.44, 4.86, 5.09, 5.01, 3.31, 2.01, 1.32),
    (4.31, 4.40, 4.00, 3.02, 4.22, 3.45, 2.54, 1.82),
    (5.42, 4.78, 4.12, 2.48, 4.02, 3.32, 2.57, 1.92),
)
"""How often any of the others discards a kind, against its share of what is unseen."""
HANDED: Final[Rates] = (
    (1.75, 1.97, 3.20, 3.30, 1.31, 0.63, 0.30, 0.16),
    (1.31, 1.43, 1.51, 1.63, 1.64, 1.12, 0.70, 0.47),
    (1.45, 1.45, 1.34, 0.97, 1.37, 1.15, 0.86, 0.63),
    (1.77, 1.60, 1.34, 0.89, 1.34, 1.10, 0.86, 0.65),
)
"""The same of the player before, whose discards can be chowed."""
TAKEN: Final[Rates] = (
    (4.5, 7.0, 7.0, 7.0, 4.6, 2.2, 1.04, 0.6),
    (4.2, 5.2, 5.2, 5.2, 4.2, 3.2, 2.17, 1.35),
    (2.0, 3.2, 3.2, 3.0, 3.34, 2.77, 2.16, 1.57),
    (1.7, 3.2, 3.2, 2.5, 2.71, 2.41, 1.88, 1.41),
)
"""How often a ready hand wins on another's tile of a kind."""
DRAWN: Final = (0.9, 0.75, 0.66, 0.54)
"""How often it draws that itself: the hand may end before."""
BUILT: Final = 0.85
"""How often a hand that is not ready draws a tile, or pongs what is discarded."""
CHOWED: Final = 0.8
"""How often it chows what it could."""
MOST: Final = 0.6
STEPS: Final = (0.0, 0.231, 0.348, 0.474, 0.6, 0.7, 0.75, 0.8)
"""How likely a hand is helped in one go-round, by how far from ready it is."""
ENDS: Final = 0.22
"""How likely a ready player wins in one go-round."""
NEARING: Final = 0.42
"""How much nearer to ready everybody seems after each."""
LOSS: Final = 60.0
"""What another's win costs on average."""


class Outlook(Struct, frozen=True):
    """What the coming go-rounds hold: how likely each ends the hand, and how often each kind comes."""

    ends: tuple[float, ...]
    dropped: tuple[float, ...]
    handed: tuple[float, ...]
    taken: tuple[float, ...]
    drawn: float


class Waiting(Struct, frozen=True):
    """A ready hand: how often it wins by itself and on another's tile, and what that pays."""

    alone: float
    given: float
    alone_pays: float
    given_pays: float


def outlook(unseen: bytes, passed: int, turns: int, leanings: Sequence[float]) -> Outlook:
    """Return what may come after so many own discards; `leanings` say how near to ready the others seem."""
    phase = sum(passed > last for last in _PHASES)
    whole = max(1, sum(unseen))
    shares = [left / whole for left in unseen]
    ranks = [_rank(kind, unseen[kind]) for kind in range(KINDS)]
    ends = [ENDS * sum([likely(one + NEARING * (turn + 0.5)) for one in leanings]) for turn in range(turns)]
    found = [
        tuple([share * row[rank] for share, rank in zip(shares, ranks, strict=True)])
        for row in (DROPPED[phase], HANDED[phase], TAKEN[phase])
    ]
    return Outlook(tuple(ends), found[0], found[1], found[2], DRAWN[phase])


def likely(leaning: float) -> float:
    """Return a chance by its logarithmic odds."""
    return 1 / (1 + exp(-leaning))


def comes(ahead: Outlook, share: float, counts: bytes, kind: int) -> float:
    """Return how often a hand that is not ready gets a kind in one go-round: drawn, or claimed if it can."""
    rate = BUILT * share
    if counts[kind] >= 2:
        rate += BUILT * ahead.dropped[kind]
    elif kind < EAST and in_run(counts, kind):
        rate += CHOWED * ahead.handed[kind]
    return min(rate, MOST)


def waiting_value(ahead: Outlook, hand: Waiting) -> tuple[float, ...]:
    """Return what a ready hand earns from each go-round on."""
    gain = hand.alone * hand.alone_pays + hand.given * hand.given_pays
    rest = 1 - hand.alone - hand.given
    value = 0.0
    found = [value]
    for ends in reversed(ahead.ends):
        value = gain + rest * ((1 - ends) * value - ends * LOSS)
        found.append(value)
    return tuple(found[::-1])


def nearing_value(ahead: Outlook, rate: float, after: Sequence[float]) -> tuple[float, ...]:
    """Return what a hand earns that becomes another with this rate; `after` is what that one earns."""
    rate = min(rate, 0.95)
    value = 0.0
    found = [value]
    for turn in range(len(ahead.ends) - 1, -1, -1):
        ends = ahead.ends[turn]
        value = (1 - ends) * (rate * after[turn + 1] + (1 - rate) * value) - ends * LOSS
        found.append(value)
    return tuple(found[::-1])


def in_run(counts: bytes, kind: int) -> bool:
    """Tell whether a kind makes a run with two tiles of a hand."""
    value = kind % 9
    below = value > 0 and counts[kind - 1]
    above = value < 8 and counts[kind + 1]
    return bool(
        (below and above)
        or (below and value > 1 and counts[kind - 2])
        or (above and value < 7 and counts[kind + 2])
    )


@lru_cache(maxsize=KINDS * 5)
def _rank(kind: int, left: int) -> int:
    if kind >= EAST:
        return max(left, 1) - 1
    value = kind % 9
    return _RANKS // 2 + min(value, 8 - value, 3)
