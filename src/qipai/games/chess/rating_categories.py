"""The rating categories of chess: by speed, or by the twist."""

from typing import Final

from qipai.kernel.clock import ClockPlan, limited

from .wire_types import DiceMode, Settings

MOVES: Final = 40
"""A game is estimated to have so many moves of each player."""
_MINUTE: Final = 60_000
SPEEDS: Final = (("chess-bullet", 3 * _MINUTE), ("chess-blitz", 8 * _MINUTE), ("chess-rapid", 25 * _MINUTE))
"""Categories and the estimated time of a player, in milliseconds, from which on the next one begins."""
CLASSICAL: Final = "chess-classical"
DICE, FOG, MINES, MIXED = "chess-dice", "chess-fog", "chess-mines", "chess-mixed"
CATEGORIES: Final = (*(name for name, _ in SPEEDS), CLASSICAL, DICE, FOG, MINES, MIXED)


def category(options: Settings, clock: ClockPlan | None) -> str:
    """Return the category of a table; an empty text without a clock that is the same for both.

    Games by the rules of older clients have no category either.
    """
    if clock is None or not limited(clock) or len(set(clock.main)) > 1:
        return ""
    if options.legacy_rules or options.unchecked_moves:
        return ""
    twists = (
        [DICE] * (options.dice is not DiceMode.NONE) + [FOG] * options.fog + [MINES] * (options.mines > 0)
    )
    if twists:
        return twists[0] if len(twists) == 1 else MIXED
    estimated = clock.main[0] + MOVES * clock.increment if clock.main[0] else MOVES * clock.move
    return next((name for name, end in SPEEDS if estimated < end), CLASSICAL)
