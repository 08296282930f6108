"""Rated quick match: whom it pairs, how close their ratings are and how long they wait, in virtual time."""

import random
from statistics import fmean
from typing import Any, NamedTuple

import pytest

from qipai.hall.lobby.rated_pairing import AT_ONCE, LONGEST_WAIT, wait_for
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Millis, Person
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import persons_of
from tests.support.hall_simulation import HallSimulation, NativeClient

CLOCK = {"main": [1_800_000], "increment": 20_000}
SIXTEEN = {"tiles": 16, "hints": False}


class Game(NamedTuple):
    """Two players who were paired: the distance of their ratings, and how long each has waited."""

    distance: float
    waits: tuple[float, ...]


class Population:
    """Players with ratings who want a rated match; in the simulation they are as if signed in."""

    def __init__(self) -> None:
        self.ratings: dict[Person, float] = {}
        self.asked: dict[Person, Millis] = {}
        self.games: list[Game] = []
        self.categories: set[str] = set()
        self.simulation = HallSimulation(ratings=self)
        self.simulation.hall.executor.room_listeners.append(self._changed)

    def __enter__(self) -> "Population":
        return self

    def __exit__(self, *error: object) -> None:
        self.simulation.close()
        assert self.simulation.errors == []

    def rating(self, person: Person, category: str) -> float:
        self.categories.add(category)
        return self.ratings[person]

    def comes(self, rating: float, **wanted: Any) -> NativeClient:
        """Let a player with this rating come and search, without waiting for the answer."""
        one = self.simulation.account(f"Player {len(self.ratings)}")
        person = one.connection.person
        assert person is not None
        self.ratings[person], self.asked[person] = rating, self.simulation.now()
        one.send("quick_match", **{"game": "chess", "clock": CLOCK, "rated": True} | wanted)
        return one

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if room.phase is Phase.PLAYING and before.phase is Phase.WAITING:
            people = persons_of(room.seats)
            ratings = [self.ratings[person] for person in people]
            waits = tuple((room.at - self.asked[person]) / 1_000 for person in people)
            self.games.append(Game(max(ratings) - min(ratings), waits))

    @property
    def mean_distance(self) -> float:
        return fmean(game.distance for game in self.games)

    @property
    def waits(self) -> list[float]:
        return [wait for game in self.games for wait in game.waits]


@pytest.mark.parametrize(
    ("distance", "seconds"), [(0, 0), (AT_ONCE, 0), (150, 5), (300, 12.5), (450, 20), (5_000, 20)]
)
def test_the_window_widens_by_twenty_points_a_second_up_to_any_rating(
    distance: float, seconds: float
) -> None:
    assert wait_for(distance) == seconds * 1_000
    assert wait_for(distance) <= LONGEST_WAIT


@pytest.mark.parametrize("ratings", [(1500, 1500), (1200, 1900), (2800, 400)])
def test_two_players_who_are_alone_play_at_once_whatever_their_ratings(ratings: tuple[float, float]) -> None:
    with Population() as people:
        for rating in ratings:
            people.comes(rating)
            people.simulation.settle()
        (game,) = people.games
        assert game == (abs(ratings[0] - ratings[1]), (0.0, 0.0))


def test_the_closest_of_those_who_wait_is_paired_first() -> None:
    with Population() as people:
        for rating in (1000, 1400, 2000, 1440):
            people.comes(rating)
            people.simulation.settle()
        # The first two are alone; after that others search, so the third waits, and the fourth as well.
        assert [game.distance for game in people.games] == [400]
        people.comes(1460)
        people.simulation.settle()
        assert [game.distance for game in people.games] == [400, 20]


def test_a_waiting_player_is_moved_to_the_older_table_when_the_window_is_wide_enough() -> None:
    with Population() as people:
        for rating in (1500, 1500):
            people.comes(rating)
            people.simulation.settle()
        older = people.comes(1500)
        people.simulation.wait(3)
        younger = people.comes(1800)
        (first,), (second,) = (
            [notice for notice in one.received() if notice["type"] == "room"] for one in (older, younger)
        )
        assert first["room"]["id"] != second["room"]["id"]
        people.simulation.wait(9)
        assert len(people.games) == 1
        people.simulation.wait(2)
        # 300 points are close enough when the first of them has waited 12.5 seconds.
        distance, waits = people.games[-1]
        assert distance == 300
        assert sorted(waits) == pytest.approx([10, 13], abs=1)
        left, shown = younger.received()[:2]
        assert left == {"type": "left", "room": second["room"]["id"], "reason": "matched"}
        assert shown["room"]["id"] == first["room"]["id"]
        assert shown["room"]["phase"] == "playing"
        assert second["room"]["id"] not in people.simulation.hall.executor.live_rooms


def test_each_category_clock_and_twist_is_matched_apart() -> None:
    with Population() as people:
        people.comes(1500)
        people.comes(1500, options={"fog": True})
        people.comes(1500, clock={"main": [60_000]})
        people.comes(1500, game="gomoku")
        people.simulation.settle()
        people.simulation.wait(60)
        assert people.games == []
        people.comes(1500, options={"fog": True})
        people.simulation.settle()
        assert len(people.games) == 1
        assert people.categories == {"chess-fog"}


def test_rated_and_unrated_players_do_not_meet() -> None:
    with Population() as people:
        people.comes(1500)
        people.comes(1500, rated=False)
        people.simulation.wait(30)
        assert people.games == []


def test_four_mahjong_players_fill_one_table_without_waiting_for_closer_ratings() -> None:
    with Population() as people:
        for rating in (1000, 2000, 1300, 1900):
            people.comes(rating, game="mahjong", options=SIXTEEN, clock={"move": 20_000})
            people.simulation.settle()
        (game,) = people.games
        assert game.waits == (0.0,) * 4


def simulate(players: int, gap: float) -> Population:
    """Let players come at random, with this mean gap in seconds; ratings have a deviation of 300."""
    chance, people = random.Random(20), Population()
    for _ in range(players):
        people.simulation.wait(chance.expovariate(1 / gap))
        people.comes(chance.gauss(1500, 300))
    people.simulation.wait(60)
    return people


@pytest.mark.parametrize(
    ("gap", "distance", "wait", "longest"),
    [
        # Without ratings the mean distance is about 340. In the last row people wait for anybody to come.
        (0.5, 100, 2, 21),
        (2, 150, 4, 21),
        (8, 250, 8, 50),
        (120, 350, 65, 650),
    ],
)
def test_a_population_is_paired_by_rating_without_long_waits(
    gap: float, distance: float, wait: float, longest: float
) -> None:
    with simulate(200, gap) as people:
        waits = people.waits
        print(
            f"a player every {gap} s: {len(people.games)} games, mean distance {people.mean_distance:.0f}, "
            f"mean wait {fmean(waits):.1f} s, longest {max(waits):.1f} s"
        )
        assert len(people.games) >= 99, "nobody is left over but the last one"
        assert people.mean_distance <= distance
        assert fmean(waits) <= wait
        assert max(waits) <= longest
