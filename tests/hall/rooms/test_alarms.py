"""Alarms: one per key, moved cheaply, and none is lost to another one's trouble."""

import asyncio
from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import pytest

from qipai.hall.rooms.alarms import FIRED_AT_ONCE, Alarms
from qipai.kernel.ids import Millis
from tests.support.hall_simulation import VirtualLoop


class Belfry:
    """Alarms in virtual time."""

    def __init__(self) -> None:
        self.loop = VirtualLoop()
        self.errors: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(str(context["exception"])))
        self.alarms = Alarms(self.now)
        self.rung: list[tuple[str, int]] = []

    def now(self) -> Millis:
        return Millis(round(self.loop.clock * 1000))

    def set(self, key: str, due: int) -> None:
        self.loop.call_soon(self.alarms.set, key, Millis(due), lambda: self.rung.append((key, self.now())))

    def wait(self, seconds: float) -> None:
        self.loop.run_until_complete(asyncio.sleep(seconds))


@pytest.fixture
def belfry() -> Iterator[Belfry]:
    made = Belfry()
    yield made
    made.loop.close()


def test_alarms_ring_in_the_order_of_their_moments(belfry: Belfry) -> None:
    for key, due in (("b", 200), ("a", 100), ("c", 300)):
        belfry.set(key, due)
    belfry.wait(1)
    assert belfry.rung == [("a", 100), ("b", 200), ("c", 300)]
    assert len(belfry.alarms) == 0


def test_an_alarm_set_again_rings_once_at_its_new_moment(belfry: Belfry) -> None:
    belfry.set("later", 100)
    belfry.set("later", 300)
    belfry.set("sooner", 500)
    belfry.set("sooner", 200)
    belfry.wait(1)
    assert belfry.rung == [("sooner", 200), ("later", 300)]


def test_an_alarm_that_was_cleared_stays_silent(belfry: Belfry) -> None:
    belfry.set("a", 100)
    belfry.wait(0.05)
    belfry.alarms.clear("a")
    belfry.alarms.clear("never set")
    belfry.wait(1)
    assert belfry.rung == []


def test_one_that_moves_ten_thousand_times_costs_one_place(belfry: Belfry) -> None:
    for due in range(100, 10_100):
        belfry.set("clock", due)
    belfry.wait(0.05)
    assert len(belfry.alarms._heap) == 1
    belfry.wait(20)
    assert belfry.rung == [("clock", 10_099)]


def test_one_that_breaks_does_not_stop_the_others(belfry: Belfry) -> None:
    def broken() -> None:
        raise ValueError("stuck")

    belfry.loop.call_soon(belfry.alarms.set, "broken", Millis(100), broken)
    belfry.set("same moment", 100)
    belfry.set("later", 200)
    belfry.wait(1)
    assert [key for key, _ in belfry.rung] == ["same moment", "later"]
    assert belfry.errors == ["stuck"]


def test_alarms_that_were_cleared_do_not_pile_up(belfry: Belfry) -> None:
    for number in range(2000):
        belfry.set(str(number), 10**9 + number)
    belfry.wait(0.01)
    for number in range(2000):
        belfry.alarms.clear(str(number))
    assert len(belfry.alarms._heap) < 100
    belfry.set("a", 500)
    belfry.wait(1)
    assert belfry.rung == [("a", 500)]


def test_keys_that_cannot_be_compared_may_ring_at_one_moment_after_a_clearing(belfry: Belfry) -> None:
    class Peer:
        pass

    peers = [Peer() for _ in range(400)]
    rung: list[Peer] = []

    def fill() -> None:
        for peer in peers:
            belfry.alarms.set(("cut", peer), Millis(1_000), partial(rung.append, peer))
        for peer in peers[:350]:
            belfry.alarms.clear(("cut", peer))

    belfry.loop.call_soon(fill)
    belfry.wait(2)
    assert rung == peers[350:]
    assert belfry.errors == []


def test_no_turn_of_the_event_loop_rings_more_than_a_slice_of_a_crowd(belfry: Belfry) -> None:
    crowd = 3 * FIRED_AT_ONCE + 1
    for number in range(crowd):
        belfry.set(str(number), 100)
    rung = [0]
    while rung[-1] < crowd:
        belfry.loop.call_soon(belfry.loop.stop)
        belfry.loop.run_forever()  # One turn.
        rung.append(len(belfry.rung))
        belfry.loop.clock += 0.001
    assert max(after - before for before, after in pairwise(rung)) == FIRED_AT_ONCE
    assert [key for key, _ in belfry.rung] == [str(number) for number in range(crowd)]
