"""Mahjong clients when the store loses a batch: they are told, numbers have no holes, nobody is stuck."""

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.clients.mahjong.dialect import GAME
from qipai.clients.mahjong.start_request import PREFIX, start_of
from tests.clients.mahjong.mahjong_room import Mj, box_of, four, hand, single, start
from tests.support.faulty import Faulty
from tests.support.stage import Stage


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def numbers(one: Mj) -> list[int]:
    return [event["seq"] for event in one.told()]


def test_a_lost_discard_is_said_and_can_be_made_again(stage: Stage, store: Faulty) -> None:
    people, dealer = four(stage)
    mover = people[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_before = 1
    assert mover.refused("discard_tile", data, req_id="x")[0] == "unavailable"
    assert people[0].told() == []
    assert "error" not in mover.ask("discard_tile", data, req_id="x")
    assert [numbers(one) for one in people] == [[8]] * 4


def test_a_discard_that_was_written_after_all_leaves_no_hole_in_the_numbers(
    stage: Stage, store: Faulty
) -> None:
    people, dealer = four(stage)
    mover = people[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_after = 1
    assert mover.refused("discard_tile", data)[0] == "unavailable"
    other = dealer % 4 + 1
    people[other - 1].act(other, "pass")
    assert [numbers(one) for one in people] == [[8, 9]] * 4
    assert mover.state()["last_discard_player_id"] == dealer


def test_a_lost_seat_can_be_taken_again(stage: Stage, store: Faulty) -> None:
    one = Mj(stage, start(stage))
    one.state()
    store.fail_before = 1
    assert one.refused("join_room", {"player_id": 1})[0] == "unavailable"
    assert one.do("join_room", {"player_id": 1})["seats"] == [1]
    assert numbers(one) == [1]


def test_a_deal_that_is_lost_halfway_can_be_asked_for_again(stage: Stage, store: Faulty) -> None:
    one = Mj(stage, start(stage))
    one.do("roll_positions")
    one.do("roll_dealer")
    store.fail_before = 1
    answer = one.ask("deal_tiles")
    assert answer.get("code") == "unavailable"
    stage.wait(2)
    one.do("deal_tiles")
    told = numbers(one)
    assert told == list(range(1, len(told) + 1))


def test_a_game_that_cannot_be_kept_is_not_started(stage: Stage, store: Faulty) -> None:
    wanted = start_of(b"")
    made: list[Any] = []

    async def begin() -> None:
        stage.legacy.game_starter.start(
            GAME, wanted.options, wanted.table, wanted.bots, PREFIX, stage.now(), made.append
        )

    store.fail_before = 1
    stage.run(begin())
    stage.wait(1)
    assert made == [None]


def test_a_single_client_goes_on_after_a_fault(stage: Stage, store: Faulty) -> None:
    one, dealt = single(stage)
    dealer = dealt["current_player_id"]
    store.fail_before = 1
    tile = {"id": hand(dealt, dealer)[0]}
    assert one.refused("discard_tile", {"player_id": dealer, "tile": tile})[0] == "unavailable"
    one.discard(dealer, tile["id"])
    one.passes(*(player for player in range(1, 5) if player != dealer))
    assert one.do("draw_tile")["stage"] == "PLAYER_DISCARD"
    assert box_of(stage, one.game).latest is box_of(stage, one.game).durable
