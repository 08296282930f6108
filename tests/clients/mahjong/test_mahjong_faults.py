"""Mahjong clients when the store loses a batch: they receive an error, and `seq` has no gaps."""

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.clients.mahjong.dialect import GAME
from qipai.clients.mahjong.start_request import GAME_ID_PREFIX, parse_start
from tests.clients.mahjong.mahjong_clients import Mj, four, hand, live_room_of, single, start
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


def test_a_discard_lost_by_the_store_is_reported_and_can_be_repeated(stage: Stage, store: Faulty) -> None:
    clients, dealer = four(stage)
    mover = clients[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_before = 1
    assert mover.refused("discard_tile", data, req_id="x")[0] == "unavailable"
    assert clients[0].told() == []
    assert "error" not in mover.ask("discard_tile", data, req_id="x")
    assert [numbers(one) for one in clients] == [[8]] * 4


def test_a_discard_committed_despite_an_error_leaves_no_gap_in_seq(stage: Stage, store: Faulty) -> None:
    clients, dealer = four(stage)
    mover = clients[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_after = 1
    assert mover.refused("discard_tile", data)[0] == "unavailable"
    other = dealer % 4 + 1
    clients[other - 1].act(other, "pass")
    assert [numbers(one) for one in clients] == [[8, 9]] * 4
    assert mover.state()["last_discard_player_id"] == dealer


def test_a_seat_lost_by_the_store_can_be_taken_again(stage: Stage, store: Faulty) -> None:
    one = Mj(stage, start(stage))
    one.state()
    store.fail_before = 1
    assert one.refused("join_room", {"player_id": 1})[0] == "unavailable"
    assert one.do("join_room", {"player_id": 1})["seats"] == [1]
    assert numbers(one) == [1]


def test_a_deal_lost_halfway_can_be_repeated(stage: Stage, store: Faulty) -> None:
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


def test_a_game_that_cannot_be_stored_is_not_started(stage: Stage, store: Faulty) -> None:
    wanted = parse_start(b"")
    made: list[Any] = []

    async def begin() -> None:
        stage.legacy.game_starter.start(
            GAME, wanted.options, wanted.table, wanted.bots, GAME_ID_PREFIX, stage.now(), made.append
        )

    store.fail_before = 1
    stage.run(begin())
    stage.wait(1)
    assert made == [None]


def test_a_single_client_continues_after_a_store_fault(stage: Stage, store: Faulty) -> None:
    one, dealt = single(stage)
    dealer = dealt["current_player_id"]
    store.fail_before = 1
    tile = {"id": hand(dealt, dealer)[0]}
    assert one.refused("discard_tile", {"player_id": dealer, "tile": tile})[0] == "unavailable"
    one.discard(dealer, tile["id"])
    one.passes(*(player for player in range(1, 5) if player != dealer))
    assert one.do("draw_tile")["stage"] == "PLAYER_DISCARD"
    assert live_room_of(stage, one.game).latest is live_room_of(stage, one.game).durable
