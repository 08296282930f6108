"""No client is sent a tile that it may not see: not in a reply, an event or a name."""

import json
import random
from typing import Any

import pytest

from tests.clients.mahjong.hidden_information.mahjong_visibility import Reader, look
from tests.clients.mahjong.mahjong_clients import Mj, four
from tests.clients.mahjong.mahjong_random_play import answered, choose
from tests.support.hall_simulation import HallSimulation as Hall

HOUSE = {
    "orphans_rob_concealed": True,
    "declare_ting": True,
    "early_ready": True,
    "no_swap_call": True,
    "act_after_claim": True,
    "passed_hu": "until_change",
    "passed_pong": True,
    "several_winners": False,
    "flowers_win": False,
    "dead_wall_grows": True,
    "kong_tai": True,
}


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "body",
    [{}, {"game_type": 16}, {"flowers": "keep"}, {"rules": HOUSE}, {"game_type": 16, "rules": HOUSE}],
    ids=["13", "16", "keep", "house", "house16"],
)
def test_no_frame_shows_a_hidden_tile_and_every_event_has_the_receiver_s_state(
    simulation: Hall, body: dict[str, Any], seed: int
) -> None:
    chance = random.Random(seed)
    clients, _ = four(simulation, **body)
    spectator = Mj(simulation, clients[0].game)
    spectator.state()
    readers = [Reader(simulation, one, player) for player, one in enumerate(clients, 1)]
    readers.append(Reader(simulation, spectator))
    hands = 0
    for reader in readers:
        reader.state = reader.one.state()
    while hands < 1 + seed:
        for player in chance.sample((1, 2, 3, 4), 4):
            one, reader = clients[player - 1], readers[player - 1]
            command = choose(reader.state, player, chance)
            if command is None:
                continue
            answer = one.ask(*command)
            if (again := answered(command, answer, chance)) is not None:
                answer = one.ask(*again)
            assert "error" not in answer, (command, answer)
            look(readers)
            asker = chance.choice(readers)
            assert asker.state == asker.one.state()
            simulation.wait(0.1)
        if readers[0].state["stage"] == "ROUND_OVER":
            hands += 1
            check_the_end(clients, spectator)
            look(readers)
            spectator.do("next_round")
            look(readers)
            clients[0].do("deal_tiles")
            look(readers)


def check_the_end(clients: list[Mj], spectator: Mj) -> None:
    """All hands are open now, and so are the seed and the wall; the scores add up."""
    state = spectator.state()
    for player in state["players"].values():
        assert len(player["tiles"]) == player["count"] > 0
    proof = spectator.do("verify_wall")
    assert sorted(proof["wall"]) == list(range(144))
    assert proof["commitment"] == state["commitment"]
    assert sum(state["result"]["delta"].values()) == 0
    assert sum(state["result"]["scores"].values()) == 0
    assert [one.state()["players"] for one in clients] == [state["players"]] * 4


def test_a_claim_answer_is_hidden_until_the_window_closes(simulation: Hall) -> None:
    clients, dealer = four(simulation)
    state = clients[dealer - 1].state()
    clients[dealer - 1].discard(dealer, state["players"][f"player{dealer}"]["tiles"][0]["id"])
    for one in clients:
        one.new_events()
    voter = dealer % 4 + 1
    clients[voter - 1].act(voter, "pass")
    for one in clients:
        (event,) = one.new_events()
        assert event["event"] == {"type": "player_action", "player_id": voter}
        assert voter not in event["data"]["waiting_for"]
        assert "pass" not in json.dumps({**event, "data": {**event["data"], "legal_actions": {}}})
