"""How likely a hand is to win from some distance: a little arithmetic with measured figures."""

from functools import lru_cache
from typing import Final

from .shapes import Meld
from .sight import Sight, is_closed
from .tiles import EAST

RIVALS: Final = (0.0,) * 7 + (0.01, 0.06, 0.11, 0.16, 0.21, 0.26, 0.3)
"""How likely somebody else wins in one go-round, by how many tiles one has discarded before it."""
TYPICAL: Final = (0.0, 0.125, 0.17, 0.36, 0.3, 0.26, 0.24)
"""How likely a hand is helped in one go-round when it lacks so many tiles."""
GIVEN: Final = 0.8
"""How readily others discard what one needs, against what one draws."""
FAIR: Final = 0.62
"""How often what could come does: turns are skipped, and tiles lie where nobody draws them."""


@lru_cache(maxsize=1 << 15)
def reach(rates: tuple[float, ...], passed: int, turns: int) -> float:
    """Return how likely all steps are made, in order, before somebody else wins or the wall ends."""
    # The chance to be before each step; the last one is past them all.
    at = [1.0, *[0.0] * len(rates)]
    for number in range(turns):
        for step in range(len(rates) - 1, -1, -1):
            made = at[step] * rates[step]
            at[step] -= made
            at[step + 1] += made
        stay = 1 - RIVALS[min(passed + number, len(RIVALS) - 1)]
        for step in range(len(rates)):
            at[step] *= stay
    return at[-1]


def rounded(rate: float) -> float:
    """Return a rate that is remembered for its neighbours as well."""
    return round(min(rate, 0.95), 2)


def helped(seen: Sight, counts: bytes, kind: int, *, last: bool = False, shut: bool = False) -> float:
    """Return how often a kind comes in one go-round: drawn, or claimed where the hand can.

    `last`: any of them wins. `shut`: the hand means to claim nothing before.
    """
    left = seen.unseen[kind]
    if not left:
        return 0.0
    ways = 1.0
    if last or (not shut and counts[kind] >= 2):
        ways += 3 * GIVEN
    elif not shut and kind < EAST and _run_waits(counts, kind):
        ways += GIVEN
    return FAIR * left * ways / hidden(seen)


@lru_cache(maxsize=1 << 6)
def _total(unseen: bytes) -> int:
    return max(1, sum(unseen))


def hidden(seen: Sight) -> int:
    """Return how many tiles the hand's owner has not seen."""
    return _total(seen.unseen)


def _run_waits(counts: bytes, kind: int) -> bool:
    value = kind % 9
    below = value > 0 and counts[kind - 1]
    above = value < 8 and counts[kind + 1]
    return bool(
        (below and above)
        or (below and value > 1 and counts[kind - 2])
        or (above and value < 7 and counts[kind + 2])
    )


def closed_tai(melds: tuple[Meld, ...]) -> float:
    """Return what 門清 is worth on average: 1 on another's tile, 2 more than 自摸 alone on one's own."""
    return 1.3 if is_closed(melds) else 0.0
