"""Mahjong clients when the store loses a batch: they receive an error, and `seq` has no gaps."""

from collections.abc import Iterator
from typing import Any

import pytest

from qipai.clients.mahjong.dialect import GAME
from qipai.clients.mahjong.rest_start_request import GAME_ID_PREFIX, parse_start
from tests.clients.mahjong.mahjong_clients import Mj, four, hand, live_room_of, single, start
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def numbers(one: Mj) -> list[int]:
    return [event["seq"] for event in one.new_events()]


def test_a_discard_lost_by_the_store_is_reported_and_can_be_repeated(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    clients, dealer = four(simulation)
    mover = clients[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_before = 1
    assert mover.refused("discard_tile", data, req_id="x")[0] == "unavailable"
    assert clients[0].new_events() == []
    assert "error" not in mover.ask("discard_tile", data, req_id="x")
    assert [numbers(one) for one in clients] == [[8]] * 4


def test_a_discard_committed_despite_an_error_leaves_no_gap_in_seq(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    clients, dealer = four(simulation)
    mover = clients[dealer - 1]
    data = {"player_id": dealer, "tile": {"id": hand(mover.state(), dealer)[0]}}
    store.fail_after = 1
    assert mover.refused("discard_tile", data)[0] == "unavailable"
    other = dealer % 4 + 1
    clients[other - 1].act(other, "pass")
    assert [numbers(one) for one in clients] == [[8, 9]] * 4
    assert mover.state()["last_discard_player_id"] == dealer


def test_a_seat_lost_by_the_store_can_be_taken_again(simulation: HallSimulation, store: FaultyStore) -> None:
    one = Mj(simulation, start(simulation))
    one.state()
    store.fail_before = 1
    assert one.refused("join_room", {"player_id": 1})[0] == "unavailable"
    assert one.do("join_room", {"player_id": 1})["seats"] == [1]
    assert numbers(one) == [1]


def test_a_deal_lost_halfway_can_be_repeated(simulation: HallSimulation, store: FaultyStore) -> None:
    one = Mj(simulation, start(simulation))
    one.do("roll_positions")
    one.do("roll_dealer")
    store.fail_before = 1
    answer = one.ask("deal_tiles")
    assert answer.get("code") == "unavailable"
    simulation.wait(2)
    one.do("deal_tiles")
    sequence = numbers(one)
    assert sequence == list(range(1, len(sequence) + 1))


def test_a_game_that_cannot_be_stored_is_not_started(simulation: HallSimulation, store: FaultyStore) -> None:
    wanted = parse_start(b"")
    made: list[Any] = []

    async def begin() -> None:
        simulation.legacy.game_starter.start(
            GAME, wanted.options, wanted.table, wanted.bots, GAME_ID_PREFIX, simulation.now(), made.append
        )

    store.fail_before = 1
    simulation.run(begin())
    simulation.wait(1)
    assert made == [None]


def test_a_single_client_continues_after_a_store_fault(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    one, dealt = single(simulation)
    dealer = dealt["current_player_id"]
    store.fail_before = 1
    tile = {"id": hand(dealt, dealer)[0]}
    assert one.refused("discard_tile", {"player_id": dealer, "tile": tile})[0] == "unavailable"
    one.discard(dealer, tile["id"])
    one.passes(*(player for player in range(1, 5) if player != dealer))
    assert one.do("draw_tile")["stage"] == "PLAYER_DISCARD"
    assert live_room_of(simulation, one.game).latest is live_room_of(simulation, one.game).durable
