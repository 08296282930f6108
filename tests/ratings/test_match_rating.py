"""How one match changes ratings, and a club whose strengths are known."""

import random
from collections.abc import Callable, Sequence
from math import exp, log

import pytest
from msgspec.structs import replace

from qipai.kernel.ids import Millis
from qipai.ratings.glicko2 import aged
from qipai.ratings.match_rating import PERIOD, rate
from qipai.ratings.rating_values import DAY, LEAST_DEVIATION, NEW, PROVISIONAL_DEVIATION, Rating

NOW = Millis(1_800_000_000_000)
YEAR = 365 * DAY
SURE = Rating(1500, 60, 0.06, 100, NOW)


def test_two_new_players_win_and_lose_the_same() -> None:
    winner, loser = rate((1, 2), NOW, (NEW, NEW))
    assert winner.rating - 1500 == pytest.approx(1500 - loser.rating)
    assert winner.rating == pytest.approx(1662.3, abs=0.1)
    assert (winner.games, winner.last) == (1, NOW)
    assert winner.provisional


def test_the_order_of_the_seats_does_not_matter() -> None:
    strong = replace(SURE, rating=1700)
    assert rate((1, 2), NOW, (strong, NEW)) == rate((2, 1), NOW, (NEW, strong))[::-1]
    four = (strong, NEW, SURE, replace(SURE, rating=1400))
    backwards = rate((4, 3, 2, 1), NOW, four[::-1])[::-1]
    for one, other in zip(rate((1, 2, 3, 4), NOW, four), backwards, strict=True):
        assert one.rating == pytest.approx(other.rating)
        assert one.deviation == pytest.approx(other.deviation)


def test_a_draw_helps_the_weaker_player() -> None:
    weak, strong = rate((1, 1), NOW, (replace(SURE, rating=1300), replace(SURE, rating=1700)))
    assert weak.rating > 1300
    assert strong.rating < 1700


def test_four_players_are_ranked_together() -> None:
    after = rate((2, 1, 4, 3), NOW, (NEW,) * 4)
    second, first, fourth, third = (each.rating for each in after)
    assert first > second > third > fourth
    assert sum(each.rating for each in after) == pytest.approx(6000)
    assert all(each.deviation < NEW.deviation for each in after)


def test_four_equal_players_with_equal_places_keep_their_ratings() -> None:
    assert [each.rating for each in rate((1, 1, 1, 1), NOW, (NEW,) * 4)] == pytest.approx([1500.0] * 4)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_deviation_has_a_floor_and_a_ceiling(seats: int) -> None:
    ranks = tuple(range(1, seats + 1))
    sure = rate(ranks, NOW, (replace(SURE, deviation=LEAST_DEVIATION),) * seats)
    assert all(each.deviation >= LEAST_DEVIATION for each in sure)
    rusty = rate(ranks, Millis(NOW + 400 * YEAR), (SURE,) * seats)
    assert all(each.deviation <= NEW.deviation for each in rusty)


def test_a_deviation_of_60_is_provisional_again_after_a_year() -> None:
    after_a_year = aged(60.0, NEW.volatility, YEAR / PERIOD)
    assert after_a_year == pytest.approx(PROVISIONAL_DEVIATION, abs=1)


def test_a_match_that_ended_before_the_last_one_does_not_age_a_player_backwards() -> None:
    after, _ = rate((1, 2), Millis(NOW - int(10 * PERIOD)), (SURE, SURE))
    assert after.last == NOW
    assert after == rate((1, 2), NOW, (SURE, SURE))[0]


# A club of 200 players with known strengths, each of whom plays 40 games against players of any strength.

PLAYERS, GAMES = 200, 40
Play = Callable[[random.Random, Sequence[float]], tuple[int, ...]]


def play_for_two(chance: random.Random, strengths: Sequence[float]) -> tuple[int, ...]:
    """Play as the formula of Elo says."""
    wins = chance.random() < 1 / (1 + 10 ** ((strengths[1] - strengths[0]) / 400))
    return (1, 2) if wins else (2, 1)


def play_for_four(chance: random.Random, strengths: Sequence[float]) -> tuple[int, ...]:
    """Rank by strength and luck, as Plackett and Luce say: each place goes to one of those who are left."""
    luck = [each / (400 / log(10)) - log(-log(chance.random())) for each in strengths]
    order = sorted(range(len(luck)), key=lambda seat: -luck[seat])
    return tuple(order.index(seat) + 1 for seat in range(len(luck)))


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's rank correlation of values without ties."""
    places = [
        {index: place for place, index in enumerate(sorted(range(len(values)), key=lambda i: values[i]))}
        for values in (one, other)
    ]
    count = len(one)
    squares = sum((places[0][index] - places[1][index]) ** 2 for index in range(count))
    return 1 - 6 * squares / (count * (count**2 - 1))


def club(seed: int, seats: int, play: Play, spread: float = 300.0) -> tuple[list[float], list[Rating]]:
    """Return the strengths of the players and their ratings after all games."""
    chance = random.Random(seed)
    strengths = [chance.gauss(1500, spread) for _ in range(PLAYERS)]
    ratings = [NEW] * PLAYERS
    for number in range(GAMES):
        drawn = list(range(PLAYERS))
        chance.shuffle(drawn)
        for first in range(0, PLAYERS, seats):
            table = drawn[first : first + seats]
            ranks = play(chance, [strengths[each] for each in table])
            after = rate(ranks, Millis(NOW + number * DAY), [ratings[each] for each in table])
            for player, rating in zip(table, after, strict=True):
                ratings[player] = rating
    return strengths, ratings


@pytest.mark.parametrize(("seats", "play"), [(2, play_for_two), (4, play_for_four)], ids=["two", "four"])
def test_ratings_rank_a_club_by_strength(seats: int, play: Play) -> None:
    strengths, ratings = club(1, seats, play)
    assert all(each.games == GAMES for each in ratings)
    assert rank_correlation(strengths, [each.rating for each in ratings]) >= 0.9
    assert sum(not each.provisional for each in ratings) >= 0.9 * PLAYERS


def test_players_of_one_strength_get_one_rating() -> None:
    _, ratings = club(2, 2, lambda chance, _: chance.choice(((1, 2), (2, 1))))
    mean = sum(each.rating for each in ratings) / PLAYERS
    assert mean == pytest.approx(1500, abs=20)
    assert exp(log(sum((each.rating - mean) ** 2 for each in ratings) / PLAYERS) / 2) < 110
