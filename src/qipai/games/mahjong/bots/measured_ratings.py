"""Ratings of the mahjong bots, measured on 2026-11-19 (docs/ratings.md); `normal` is 1500 by definition."""

from collections.abc import Mapping
from typing import Final

RATINGS: Final[Mapping[str, Mapping[str, int]]] = {
    "13": {"random": 950, "normal": 1500, "hard": 1500},
    "16": {"random": 950, "normal": 1500, "hard": 1550},
}
"""By the tiles of a hand."""
