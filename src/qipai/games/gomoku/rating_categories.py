"""The rating categories of gomoku: one for each opening rule."""

from typing import Final

from qipai.kernel.clock import ClockPlan, limited

from .wire_types import OpeningRule, Options

CATEGORIES: Final = tuple(f"gomoku-{rule}" for rule in OpeningRule)


def category(options: Options, clock: ClockPlan | None) -> str:
    """Return the category of a table; an empty text without a clock."""
    return "" if clock is None or not limited(clock) else f"gomoku-{options.rule}"
