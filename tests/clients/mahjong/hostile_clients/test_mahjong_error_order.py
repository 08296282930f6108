"""Which error a mahjong client receives when several apply: seat, stage, turn, tile."""

from typing import Any

import pytest

from tests.clients.mahjong.mahjong_clients import Message, Mj, four, hand, start, token
from tests.support.hall_simulation import HallSimulation

DOCUMENTED = {"player_id": 1, "tile": {"id": 12, "type": 1, "value": 3}}
"""The frame of the protocol page, in which tile 12 is not 3筒."""
WAITING = ("bad_stage", "action not allowed in current stage: WAITING_PLAYERS")
COMMANDS = ("discard_tile", "player_action", "draw_tile")


@pytest.mark.parametrize("kind", COMMANDS)
@pytest.mark.parametrize(
    "data", [DOCUMENTED, None, {}, {"player_id": 0}, {"player_id": "1", "action": "zzz"}, {"player_id": 2}]
)
def test_a_wrong_stage_is_reported_before_invalid_fields(
    simulation: HallSimulation, kind: str, data: Message | None
) -> None:
    one = Mj(simulation, start(simulation))
    assert one.refused(kind, data) == WAITING
    assert one.refused(kind, data, req_id="x") == WAITING


def test_a_wrong_turn_is_reported_before_a_wrong_tile(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    other = dealer % 4 + 1
    expected = ("not_your_turn", f"not your turn to discard, current player is {dealer}")
    assert clients[other - 1].refused("discard_tile", {**DOCUMENTED, "player_id": other}) == expected
    assert clients[other - 1].refused("discard_tile", {"player_id": other}) == expected
    mine = {**DOCUMENTED, "player_id": dealer}
    assert clients[dealer - 1].refused("discard_tile", mine)[0] == "bad_tile"


def test_a_wrong_seat_is_reported_first(simulation: HallSimulation) -> None:
    clients, dealer = four(simulation)
    thief = Mj(simulation, clients[0].game)
    assert thief.refused("discard_tile", {**DOCUMENTED, "player_id": dealer})[0] == "seat_taken"
    spectator = Mj(simulation, start(simulation, seats="token"))
    for kind in COMMANDS:
        for player in (1, None, 9):
            assert spectator.refused(kind, {**DOCUMENTED, "player_id": player})[0] == "not_seated"
    spectator.do("join_room", {"player_id": 1, "token": token(simulation, spectator.game, 1)})
    assert spectator.refused("discard_tile", DOCUMENTED) == WAITING


@pytest.mark.parametrize(
    "fields", [{"action": "zzz"}, {}, {"action": "chow", "tiles": "x"}, {"action": "kong", "tile": "x"}]
)
def test_an_action_out_of_stage_or_turn_is_reported_as_such(
    simulation: HallSimulation, fields: dict[str, Any]
) -> None:
    clients, dealer = four(simulation)
    other = dealer % 4 + 1
    expected = ("bad_stage", "action not allowed in current stage: PLAYER_DISCARD")
    assert clients[other - 1].refused("player_action", {"player_id": other, **fields}) == expected
    mover = clients[dealer - 1]
    mover.discard(dealer, hand(mover.state(), dealer)[0])
    expected = ("own_discard", "cannot declare action on your own discard")
    assert mover.refused("player_action", {"player_id": dealer, **fields}) == expected
    assert clients[other - 1].refused("player_action", {"player_id": other, **fields})[0] in (
        "bad_action",
        "bad_tile",
    )
