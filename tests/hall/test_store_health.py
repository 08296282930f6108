"""Whether the store counts as up, for `/ready` and the metrics."""

from collections.abc import Iterator

import pytest

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation, mark, seat_to_act


class Deaf(FaultyStore):
    """A store that may refuse heartbeats."""

    deaf = False

    def heartbeat(self, now: Millis) -> None:
        if self.deaf:
            raise StoreError("the disk is full")
        super().heartbeat(now)


@pytest.fixture
def store() -> Deaf:
    return Deaf()


@pytest.fixture
def simulation(store: Deaf) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def test_a_store_that_takes_no_beat_for_three_seconds_is_out_of_reach_until_it_does(
    simulation: HallSimulation, store: Deaf
) -> None:
    simulation.wait(10)
    assert simulation.hall.store_health.up
    store.deaf = True
    simulation.wait(1.5)
    assert simulation.hall.store_health.up
    simulation.wait(2.5)
    assert not simulation.hall.store_health.up
    store.deaf = False
    simulation.wait(1.5)
    assert simulation.hall.store_health.up


def test_a_failed_batch_is_counted_and_the_store_counts_as_down_for_a_while(
    simulation: HallSimulation, store: Deaf
) -> None:
    ann, bob, shown = simulation.running_room()
    store.fail_before = 1
    (ann, bob)[seat_to_act(shown)].ask("play", **mark(shown["room"]["id"], 4, "n"))
    assert simulation.hall.executor.journal.failures == 1
    simulation.wait(1.5)
    assert not simulation.hall.store_health.up
    simulation.wait(6)
    assert simulation.hall.store_health.up
    assert simulation.hall.executor.journal.failures == 1
