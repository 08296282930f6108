"""Chess clients when the store loses a batch: they receive an error and can try again."""

from collections.abc import Iterator

import pytest

from tests.clients.qtchess.qtchess_clients import Qt, actions, error, game, shown, start, two
from tests.support.faulty import Faulty
from tests.support.stage import Stage

UNAVAILABLE = "伺服器暫時無法處理，請稍後再試"


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def test_a_move_lost_by_the_store_is_reported_and_can_be_made_again(stage: Stage, store: Faulty) -> None:
    host, guest = game(stage)
    store.fail_before = 1
    assert error(host.move("e2e4")) == UNAVAILABLE
    assert guest.heard() == []
    assert actions(host.move("e2e4")) == actions(guest.heard()) == ["move"]
    assert shown(stage, host.code).state.moves == ("e2e4",)


def test_a_room_lost_by_the_store_can_be_created_again(stage: Stage, store: Faulty) -> None:
    ann = Qt(stage)
    store.fail_before = 1
    assert {message["message"] for message in ann.ask("createRoom")} == {UNAVAILABLE}
    assert actions(ann.ask("createRoom")) == ["roomCreated"]


def test_a_seat_lost_by_the_store_can_be_taken_again(stage: Stage, store: Faulty) -> None:
    host, guest = Qt(stage), Qt(stage)
    code = host.create()
    store.fail_before = 1
    assert error(guest.join(code)) == UNAVAILABLE
    assert host.heard() == []
    assert actions(guest.join(code)) == ["joinedRoom"]
    assert actions(host.heard()) == ["playerJoined"]


def test_a_start_lost_by_the_store_is_reported_and_can_be_repeated(stage: Stage, store: Faulty) -> None:
    host, guest = two(stage)
    store.fail_before = 1
    assert error(host.ask("startGame", hostColor="White")) == UNAVAILABLE
    assert guest.heard() == []
    start(host)
    assert actions(guest.heard()) == ["gameStart"]


def test_a_failed_leave_before_a_join_is_reported(stage: Stage, store: Faulty) -> None:
    host, guest = two(stage)
    store.fail_before = 1
    assert UNAVAILABLE in {message.get("message") for message in guest.ask("createRoom")}
    assert actions(guest.ask("createRoom")) == ["roomCreated"]
    assert actions(host.heard())[-1] == "playerLeft"
    assert stage.hall.internal_errors.count < 5
