"""Medians, percentiles and spreads."""

from collections.abc import Sequence
from statistics import median


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that this share of the values does not exceed; 0 of none."""
    if not values:
        return 0.0
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered)) - 1))]


def middle(values: Sequence[float]) -> float:
    """Return the median."""
    return median(values)


def spread(values: Sequence[float]) -> float:
    """Return by how much the largest exceeds the smallest, as a share of it."""
    return max(values) / min(values) - 1
