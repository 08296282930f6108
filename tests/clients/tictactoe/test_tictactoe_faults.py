"""Tic-tac-toe clients when the store loses a batch: they receive a hint and can try again."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def names(received: list[Any]) -> list[str]:
    return [event for event, *_ in received]


def test_a_move_lost_by_the_store_is_reported_and_can_be_made_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    left, right = simulation.socketio_pair()
    store.fail_before = 1
    received = left.mark(4)
    assert names(received) == ["chat message", "game_start"]
    assert received[0][1].startswith("[系統提示] ")
    assert names(right.received()) == ["game_start"]
    assert names(left.mark(4)) == names(right.received()) == ["move_made"]


def test_a_move_committed_despite_an_error_is_shown(simulation: HallSimulation, store: FaultyStore) -> None:
    left, right = simulation.socketio_pair()
    store.fail_after = 1
    assert names(left.mark(4)) == ["chat message", "game_start", "move_made"]
    assert names(right.received()) == ["game_start", "move_made"]
    assert names(right.mark(0)) == ["move_made"]


@pytest.mark.parametrize("written", [False, True])
def test_a_pairing_lost_by_the_store_is_made_by_joining_again(
    simulation: HallSimulation, store: FaultyStore, written: bool
) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.ask("join_pvp")
    if written:
        store.fail_after = 1
    else:
        store.fail_before = 1
    assert names(bob.ask("join_pvp")) == ["chat message"]
    assert names(ann.received()) == ["game_start" if written else "waiting_for_opponent"]
    assert names(bob.ask("join_pvp"))[-1] == "game_start"
    assert len(simulation.hall.executor.live_rooms) == 1


def test_a_leave_committed_despite_an_error_closes_the_room(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    left, right = simulation.socketio_pair()
    store.fail_after = 1
    left.leave()
    assert right.received() == [["opponent_left"]]
    assert simulation.hall.executor.live_rooms == {}
    assert names(right.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]


def test_a_leave_lost_by_the_store_closes_the_room_later(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    left, right = simulation.socketio_pair()
    store.fail_before = 1
    left.leave()
    assert names(right.received()) == ["game_start"]
    simulation.wait(70)
    assert right.received() == [["opponent_left"]]
    simulation.wait(130)
    assert simulation.hall.executor.live_rooms == {}
