"""Tic-tac-toe clients when the store loses a batch: they receive a hint and can try again."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.faulty import Faulty
from tests.support.stage import Stage


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def names(received: list[Any]) -> list[str]:
    return [event for event, *_ in received]


def test_a_move_lost_by_the_store_is_reported_and_can_be_made_again(stage: Stage, store: Faulty) -> None:
    left, right = stage.pair()
    store.fail_before = 1
    received = left.mark(4)
    assert names(received) == ["chat message", "game_start"]
    assert received[0][1].startswith("[系統提示] ")
    assert names(right.heard()) == ["game_start"]
    assert names(left.mark(4)) == names(right.heard()) == ["move_made"]


def test_a_move_committed_despite_an_error_is_shown(stage: Stage, store: Faulty) -> None:
    left, right = stage.pair()
    store.fail_after = 1
    assert names(left.mark(4)) == ["chat message", "game_start", "move_made"]
    assert names(right.heard()) == ["game_start", "move_made"]
    assert names(right.mark(0)) == ["move_made"]


@pytest.mark.parametrize("written", [False, True])
def test_a_pairing_lost_by_the_store_is_made_by_joining_again(
    stage: Stage, store: Faulty, written: bool
) -> None:
    ann, bob = stage.caller("Ann"), stage.caller("Bob")
    ann.ask("join_pvp")
    if written:
        store.fail_after = 1
    else:
        store.fail_before = 1
    assert names(bob.ask("join_pvp")) == ["chat message"]
    assert names(ann.heard()) == ["game_start" if written else "waiting_for_opponent"]
    assert names(bob.ask("join_pvp"))[-1] == "game_start"
    assert len(stage.hall.executor.live_rooms) == 1


def test_a_leave_committed_despite_an_error_closes_the_room(stage: Stage, store: Faulty) -> None:
    left, right = stage.pair()
    store.fail_after = 1
    left.leave()
    assert right.heard() == [["opponent_left"]]
    assert stage.hall.executor.live_rooms == {}
    assert names(right.ask("join_pvp")) == ["waiting_for_opponent", "chat message"]


def test_a_leave_lost_by_the_store_closes_the_room_later(stage: Stage, store: Faulty) -> None:
    left, right = stage.pair()
    store.fail_before = 1
    left.leave()
    assert names(right.heard()) == ["game_start"]
    stage.wait(70)
    assert right.heard() == [["opponent_left"]]
    stage.wait(130)
    assert stage.hall.executor.live_rooms == {}
