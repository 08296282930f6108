"""The row that compares what a move costs."""

from collections.abc import Sequence
from typing import Final

from bench.figures import middle
from bench.load.window import Window, noise
from bench.report import Row

MICRO: Final = 1e6


def compared(name: str, played: Sequence[Window], relayed: Sequence[Window], more: str = "") -> Row:
    """Return the row of CPU per accepted move, ours beside the reference's."""
    mine, theirs = cost(played), cost(relayed)
    kernel = [middle([window.kernel_per_move * MICRO for window in seen]) for seen in (played, relayed)]
    generator = middle([window.generator_per_move * MICRO for window in played])
    return Row(
        name,
        "µs",
        "<= 1.0 x",
        mine,
        theirs,
        mine / theirs,
        mine <= theirs,
        f"kernel {kernel[0]:.0f} and {kernel[1]:.0f} µs, generator {generator:.0f} µs"
        + more
        + noise([*played, *relayed]),
    )


def cost(windows: Sequence[Window]) -> float:
    """Return the median of CPU microseconds per move."""
    return middle([window.cpu_per_move * MICRO for window in windows])
