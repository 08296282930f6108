"""How a match changes the ratings of its players: Glicko-2 for two, Plackett-Luce for more."""

from collections.abc import Sequence
from typing import Final

from openskill.models import PlackettLuce

from qipai.kernel.ids import Millis

from .glicko2 import Estimate, Score, aged, update
from .rating_values import DAY, LEAST_DEVIATION, START_DEVIATION, START_RATING, Rating

PERIOD: Final = 14 * DAY / 3
"""Milliseconds of a rating period: after a year without a game a deviation of 60 has grown to 110."""
_LUCK: Final = START_DEVIATION / 4
"""How much results vary (beta): with it, 400 points are odds of about ten to one, as in Elo."""


def _full_information(*_: object) -> float:
    """Return how much of what a match tells the model lets into the deviation: all of it.

    The usual factor of the library falls with the deviation. After 40 matches of four the deviation would
    still be 160, and nobody would ever leave the provisional ratings.
    """
    return 1.0


_MODEL: Final = PlackettLuce(
    mu=START_RATING,
    sigma=START_DEVIATION,
    beta=_LUCK,
    tau=START_DEVIATION / 100,
    gamma=_full_information,
)
"""The model of the library on our scale, on which it does not depend."""


def rate(ranks: Sequence[int], ended: Millis, before: Sequence[Rating]) -> tuple[Rating, ...]:
    """Return the ratings of all seats after a match, from their places and their ratings before it."""
    if len(ranks) == 2:
        first, second = before
        score = 0.5 if ranks[0] == ranks[1] else float(ranks[0] < ranks[1])
        return _after_game(first, second, score, ended), _after_game(second, first, 1 - score, ended)
    teams = [[_MODEL.rating(each.rating, _aged_deviation(each, ended))] for each in before]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return tuple(
        _counted(each, Estimate(team[0].mu, team[0].sigma, each.volatility), ended)
        for each, team in zip(before, rated, strict=True)
    )


def _after_game(player: Rating, opponent: Rating, score: float, ended: Millis) -> Rating:
    game = Score(opponent.rating, _aged_deviation(opponent, ended), score)
    known = Estimate(player.rating, player.deviation, player.volatility)
    return _counted(player, update(known, (game,), _periods(player, ended)), ended)


def _counted(before: Rating, after: Estimate, ended: Millis) -> Rating:
    deviation = min(max(after.deviation, LEAST_DEVIATION), START_DEVIATION)
    return Rating(after.rating, deviation, after.volatility, before.games + 1, max(before.last, ended))


def _aged_deviation(rating: Rating, ended: Millis) -> float:
    return min(aged(rating.deviation, rating.volatility, _periods(rating, ended)), START_DEVIATION)


def _periods(rating: Rating, ended: Millis) -> float:
    """Return the rating periods since the last game; none before the first one.

    Matches of different tables are not archived in the order in which they ended.
    """
    return max(0, ended - rating.last) / PERIOD if rating.games else 0.0
