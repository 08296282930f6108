"""Glicko-2 gives the numbers of the published example, and behaves as its author says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qipai.ratings.glicko2 import SCALE, Estimate, Score, aged, update

PLAYER = Estimate(1500, 200, 0.06)
GAMES = (Score(1400, 30, 1), Score(1550, 100, 0), Score(1700, 300, 0))
ratings = st.floats(500, 3000)
deviations = st.floats(45, 350)


def test_the_published_example_gives_the_published_digits() -> None:
    after = update(PLAYER, GAMES)
    # The paper rounds on its internal scale: it prints the rating of a mu of -0.2069, where the exact one is
    # 1464.0507. It prints the volatility, 0.059996, without rounding.
    mu, phi = round((after.rating - 1500) / SCALE, 4), round(after.deviation / SCALE, 4)
    assert (mu, phi) == (-0.2069, 0.8722)
    assert f"{1500 + SCALE * mu:.2f}" == "1464.06"
    assert f"{SCALE * phi:.2f}" == f"{after.deviation:.2f}" == "151.52"
    assert int(after.volatility * 100_000) == 5_999


@given(ratings, deviations, ratings, deviations, st.floats(0, 200))
def test_a_win_raises_and_a_loss_lowers_the_rating(
    own: float, own_deviation: float, other: float, other_deviation: float, periods: float
) -> None:
    player = Estimate(own, own_deviation, 0.06)
    won, drawn, lost = (
        update(player, (Score(other, other_deviation, score),), periods).rating for score in (1, 0.5, 0)
    )
    assert lost < drawn < won
    assert lost <= own <= won


@given(ratings, deviations, ratings, deviations)
def test_a_game_without_a_pause_makes_a_rating_surer(
    own: float, own_deviation: float, other: float, other_deviation: float
) -> None:
    after = update(Estimate(own, own_deviation, 0.06), (Score(other, other_deviation, 1),), 0.0)
    assert after.deviation <= own_deviation


def test_equal_players_win_and_lose_the_same() -> None:
    won = update(PLAYER, (Score(1500, 200, 1),))
    lost = update(PLAYER, (Score(1500, 200, 0),))
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert won.deviation == pytest.approx(lost.deviation)


def test_a_surprise_raises_the_volatility() -> None:
    expected = update(PLAYER, (Score(1200, 45, 1),))
    surprise = update(Estimate(1500, 45, 0.06), tuple(Score(2100, 45, 1) for _ in range(10)))
    assert expected.volatility <= PLAYER.volatility
    assert surprise.volatility > PLAYER.volatility


def test_a_pause_in_parts_ages_a_deviation_as_the_whole_pause() -> None:
    assert aged(aged(60, 0.06, 3.5), 0.06, 6.5) == pytest.approx(aged(60, 0.06, 10))
    assert aged(60, 0.06, 0) == pytest.approx(60)
