"""Glicko-2, after Mark Glickman, "Example of the Glicko-2 system" (2022): ratings of games for two."""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

SCALE: Final = 173.7178
"""Points of a rating in one unit of the internal scale of Glicko-2."""
TAU: Final = 0.5
"""How much a volatility may change by one match."""
CENTRE: Final = 1500.0
_TOLERANCE: Final = 1e-6
_MOST_STEPS: Final = 1_000
"""Far more than the iteration takes; it converges faster than bisection."""


class Estimate(NamedTuple):
    """What Glicko-2 knows of a player."""

    rating: float
    deviation: float
    volatility: float


class Score(NamedTuple):
    """A game against an opponent: 1 for a win, 0.5 for a draw, 0 for a loss."""

    rating: float
    deviation: float
    score: float


def update(player: Estimate, games: Sequence[Score], periods: float = 1.0) -> Estimate:
    """Return the estimate after the games of a rating period.

    `periods`: how many rating periods have passed since the last estimate, which may be a fraction.
    """
    mu, phi = (player.rating - CENTRE) / SCALE, player.deviation / SCALE
    information = gain = 0.0
    for game in games:
        weight = _weight(game.deviation / SCALE)
        expected = 1 / (1 + exp(-weight * (mu - (game.rating - CENTRE) / SCALE)))
        information += weight**2 * expected * (1 - expected)
        gain += weight * (game.score - expected)
    variance = 1 / information
    volatility = _new_volatility(phi, player.volatility, variance, variance * gain)
    aged_phi = sqrt(phi**2 + volatility**2 * periods)
    new_phi = 1 / sqrt(1 / aged_phi**2 + information)
    return Estimate(CENTRE + SCALE * (mu + new_phi**2 * gain), SCALE * new_phi, volatility)


def aged(deviation: float, volatility: float, periods: float) -> float:
    """Return the deviation of a player who has not played for some rating periods."""
    return SCALE * sqrt((deviation / SCALE) ** 2 + volatility**2 * periods)


def _weight(phi: float) -> float:
    """Return how much a result counts against an opponent of this deviation (g in the paper)."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _new_volatility(phi: float, volatility: float, variance: float, improvement: float) -> float:
    """Return the new volatility: the zero of f in step 5 of the paper, by the Illinois algorithm."""
    start = log(volatility**2)

    def f(x: float) -> float:
        total = phi**2 + variance + exp(x)
        return exp(x) * (improvement**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low, high = start, 0.0
    if improvement**2 > phi**2 + variance:
        high = log(improvement**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * TAU) < 0:
            steps += 1
        high = start - steps * TAU
    f_low, f_high = f(low), f(high)
    for _ in range(_MOST_STEPS):
        if abs(high - low) <= _TOLERANCE:
            break
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
