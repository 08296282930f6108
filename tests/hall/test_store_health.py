"""Whether the store is there, as it is told to whoever watches over the server."""

from collections.abc import Iterator

import pytest

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis
from tests.support.faulty import Faulty
from tests.support.stage import Stage, mark, seat_to_act


class Deaf(Faulty):
    """A store that may take no sign of life."""

    deaf = False

    def heartbeat(self, now: Millis) -> None:
        if self.deaf:
            raise StoreError("the disk is full")
        super().heartbeat(now)


@pytest.fixture
def store() -> Deaf:
    return Deaf()


@pytest.fixture
def stage(store: Deaf) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def test_a_store_that_takes_no_beat_for_three_seconds_is_out_of_reach_until_it_does(
    stage: Stage, store: Deaf
) -> None:
    stage.wait(10)
    assert stage.hall.store_health.up
    store.deaf = True
    stage.wait(1.5)
    assert stage.hall.store_health.up
    stage.wait(2.5)
    assert not stage.hall.store_health.up
    store.deaf = False
    stage.wait(1.5)
    assert stage.hall.store_health.up


def test_a_group_that_is_not_written_is_counted_and_held_against_the_store_for_a_while(
    stage: Stage, store: Deaf
) -> None:
    ann, bob, shown = stage.table()
    store.fail_before = 1
    (ann, bob)[seat_to_act(shown)].ask("play", **mark(shown["room"]["id"], 4, "n"))
    assert stage.hall.executor.journal.failures == 1
    stage.wait(1.5)
    assert not stage.hall.store_health.up
    stage.wait(6)
    assert stage.hall.store_health.up
    assert stage.hall.executor.journal.failures == 1
