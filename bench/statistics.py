"""Medians, percentiles and spreads."""

from collections.abc import Sequence
from statistics import median

__all__ = ["median", "percentile", "spread"]


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values does not exceed; 0 without values."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered)) - 1))]


def spread(values: Sequence[float]) -> float:
    """Return how much larger the largest value is than the smallest, as a share of the smallest."""
    return max(values) / min(values) - 1
