"""The rating categories of mahjong: by the tiles of a hand."""

from typing import Final

from qipai.kernel.clock import ClockPlan, limited

from .wire_types import Settings, Size

CATEGORIES: Final = tuple(f"mahjong-{size}" for size in Size)


def category(options: Settings, clock: ClockPlan | None) -> str:
    """Return the category of a table; an empty text without a clock, and with steps by hand."""
    if clock is None or not limited(clock) or options.manual_steps:
        return ""
    return f"mahjong-{options.tiles}"
