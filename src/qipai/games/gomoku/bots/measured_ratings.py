"""Ratings of the gomoku bots, measured on 2026-11-19 (docs/ratings.md); `normal` is 1500 by definition."""

from collections.abc import Mapping
from typing import Final

from qipai.games.gomoku.wire_types import OpeningRule

_RATINGS: Final = {"easy": 400, "normal": 1500, "hard": 2200}
RATINGS: Final[Mapping[str, Mapping[str, int]]] = {rule.value: _RATINGS for rule in OpeningRule}
"""By opening rule, which made no difference that could be measured."""
