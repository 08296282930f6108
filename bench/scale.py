"""How much is measured: everything, or enough to notice."""

from typing import Final

from msgspec import Struct


class Scale(Struct, frozen=True):
    """Sizes, and durations in seconds.

    `rounds`: how often reference and ours alternate; `repeats`: the same where one run says nearly as much.
    """

    rounds: int
    repeats: int
    tables: int
    warm: float
    seconds: float
    idle: int
    settle: float
    sizes: tuple[int, ...]
    window: float
    living: int
    watchers: int


FULL: Final = Scale(
    rounds=5,
    repeats=3,
    tables=500,
    warm=2.0,
    seconds=5.0,
    idle=4000,
    settle=2.0,
    sizes=(1, 10, 100, 500, 2000),
    window=3.0,
    living=2000,
    watchers=1000,
)
QUICK: Final = Scale(
    rounds=3,
    repeats=1,
    tables=250,
    warm=0.4,
    seconds=0.7,
    idle=1000,
    settle=0.5,
    sizes=(1, 100, 500),
    window=0.5,
    living=300,
    watchers=300,
)
