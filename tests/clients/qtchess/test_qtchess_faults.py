"""Chess clients when the store loses a batch: they receive an error and can try again."""

from collections.abc import Iterator

import pytest

from tests.clients.qtchess.qtchess_clients import Qt, actions, error, game, shown, start, two
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation

UNAVAILABLE = "伺服器暫時無法處理，請稍後再試"


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def test_a_move_lost_by_the_store_is_reported_and_can_be_made_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    host, guest = game(simulation)
    store.fail_before = 1
    assert error(host.move("e2e4")) == UNAVAILABLE
    assert guest.received() == []
    assert actions(host.move("e2e4")) == actions(guest.received()) == ["move"]
    assert shown(simulation, host.code).state.moves == ("e2e4",)


def test_a_room_lost_by_the_store_can_be_created_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann = Qt(simulation)
    store.fail_before = 1
    assert {message["message"] for message in ann.ask("createRoom")} == {UNAVAILABLE}
    assert actions(ann.ask("createRoom")) == ["roomCreated"]


def test_a_seat_lost_by_the_store_can_be_taken_again(simulation: HallSimulation, store: FaultyStore) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    code = host.create()
    store.fail_before = 1
    assert error(guest.join(code)) == UNAVAILABLE
    assert host.received() == []
    assert actions(guest.join(code)) == ["joinedRoom"]
    assert actions(host.received()) == ["playerJoined"]


def test_a_start_lost_by_the_store_is_reported_and_can_be_repeated(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    host, guest = two(simulation)
    store.fail_before = 1
    assert error(host.ask("startGame", hostColor="White")) == UNAVAILABLE
    assert guest.received() == []
    start(host)
    assert actions(guest.received()) == ["gameStart"]


def test_a_failed_leave_before_a_join_is_reported(simulation: HallSimulation, store: FaultyStore) -> None:
    host, guest = two(simulation)
    store.fail_before = 1
    assert UNAVAILABLE in {message.get("message") for message in guest.ask("createRoom")}
    assert actions(guest.ask("createRoom")) == ["roomCreated"]
    assert actions(host.received())[-1] == "playerLeft"
    assert simulation.hall.internal_errors.count < 5
