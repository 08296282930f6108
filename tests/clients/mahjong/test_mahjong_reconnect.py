"""Reconnecting in every stage of a mahjong game, and two sockets for the same seat."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.games.mahjong.state import State
from qipai.games.mahjong.wire_types import Kong
from tests.clients.mahjong.mahjong_clients import Message, Mj, arrange, hand, ids, live_room_of, start, token
from tests.games.mahjong.mahjong_walls import (
    SEVEN,
    THREE_WANT_5P,
    added_kong,
    drop,
    idle,
    passes,
    play,
    table,
)
from tests.support.hall_simulation import HallSimulation

COMMANDS: list[tuple[str, Message]] = [
    ("roll_positions", {}),
    ("roll_dealer", {}),
    ("deal_tiles", {}),
    ("draw_tile", {}),
    ("next_round", {}),
    ("discard_tile", {"tile": {"id": 1}}),
    ("player_action", {"action": "pass"}),
    ("player_action", {"action": "hu"}),
]
OWN: dict[str, Any] = {"manual_steps": True, "hints": False}


def ready(state: State) -> State:
    return replace(state, options=replace(state.options, manual_steps=True, hints=False))


SCENES: dict[str, Callable[[], State] | int] = {
    "WAITING_PLAYERS": 0,
    "DETERMINE_DEALER": 1,
    "DEALING": 2,
    "PLAYER_DISCARD": lambda: table(THREE_WANT_5P, extra="5p", **OWN),
    "WAIT_ACTION": lambda: drop(table(THREE_WANT_5P, extra="5p", **OWN), 0, "5p"),
    "PLAYER_DRAW": lambda: passes(drop(table({}, extra="5m", **OWN), 0, "5m")),
    "rob_flower": lambda: table({1: "123456m f1234567", 2: "f8"}, extra="5m", **OWN),
    "rob_kong": lambda: play(ready(added_kong()), 1, Kong(95)),
    "ROUND_OVER": lambda: ready(idle(table({1: "123456m f1234567"}, extra="5m", front="f8"))),
}


def seated(simulation: HallSimulation, scene: Callable[[], State] | int) -> dict[int, Mj]:
    """Return four clients by token in a room in this state."""
    game = start(simulation, seats="token")
    clients = {player: join(Mj(simulation, game), player) for player in range(1, 5)}
    for kind in ("roll_positions", "roll_dealer", "deal_tiles")[: scene if isinstance(scene, int) else 3]:
        clients[1].do(kind)
    if not isinstance(scene, int):
        arrange(simulation, game, scene())
    return clients


def join(one: Mj, player: int) -> Mj:
    one.do("join_room", {"player_id": player, "token": token(one.simulation, one.game, player)})
    return one


def seen(one: Mj) -> Message:
    """Return what a client sees, without `seq`."""
    return {**one.state(), "seq": 0}


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("absence", [0.0, 3.0, 30.0])
def test_a_reconnected_client_finds_the_same_state_and_can_continue(
    simulation: HallSimulation, scene: str, absence: float
) -> None:
    clients = seated(simulation, SCENES[scene])
    for player in range(1, 5):
        before = seen(clients[player])
        clients[player].leave()
        simulation.wait(absence)
        clients[player] = join(Mj(simulation, clients[player].game), player)
        assert seen(clients[player]) == before
    states = [one.state() for one in clients.values()]
    assert len({state["seq"] for state in states}) == 1
    (version, done) = (live_room_of(simulation, clients[1].game).durable.version, False)
    for player, state in enumerate(states, 1):
        for action in state["legal_actions"][str(player)]:
            if action in ("pass", "draw", "hu") and not done:
                kind = "draw_tile" if action == "draw" else "player_action"
                clients[player].do(kind, {"player_id": player, "action": action})
                done = True
            elif action == "discard" and not done:
                clients[player].discard(player, hand(state, player)[0])
                done = True
    assert not done or live_room_of(simulation, clients[1].game).durable.version > version


@pytest.mark.parametrize("scene", SCENES)
def test_a_socket_whose_seat_was_taken_over_is_refused_in_every_stage(
    simulation: HallSimulation, scene: str
) -> None:
    clients = seated(simulation, SCENES[scene])
    for player, old in clients.items():
        new = join(Mj(simulation, old.game), player)
        version = live_room_of(simulation, old.game).durable.version
        for kind, data in COMMANDS:
            assert old.refused(kind, {**data, "player_id": player})[0] == "not_seated", kind
            simulation.wait(0.05)
        assert old.state()["legal_actions"] == {}
        over = old.state()["stage"] == "ROUND_OVER"
        assert over or hand(old.state(), player) == []
        assert live_room_of(simulation, old.game).durable.version == version
        assert [*new.state()["legal_actions"]] == [str(player)]


@pytest.mark.parametrize("order", [0, 1])
def test_of_two_sockets_acting_for_one_seat_one_takes_effect(simulation: HallSimulation, order: int) -> None:
    clients = seated(simulation, SCENES["PLAYER_DISCARD"])
    old, new = clients[1], Mj(simulation, clients[1].game)
    first, second = ids(old.state()["players"]["player1"]["tiles"])[:2]
    steps: list[Callable[[], Any]] = [
        lambda: old.send("discard_tile", {"player_id": 1, "tile": first}),
        lambda: new.send("join_room", {"player_id": 1, "token": token(simulation, new.game, 1)}),
    ]
    for step in steps[:: 1 - 2 * order]:
        step()
    new.send("discard_tile", {"player_id": 1, "tile": second})
    answers = [*old.answers(), *new.answers()]
    done = [answer for answer in answers if answer["type"] == "discard_tile_response"]
    assert len(done) == 2
    assert sum("error" not in answer for answer in done) == 1
    (dropped,) = new.state()["players"]["player1"]["discards"]
    assert dropped["id"] in (first, second)
    assert len(hand(new.state(), 1)) == 13


def test_a_flower_window_stands_after_a_reconnect(simulation: HallSimulation) -> None:
    clients = seated(simulation, lambda: table(SEVEN, extra="5m", front="1p f8", **OWN))
    for player, tile in ((1, 17), (2, 36)):
        clients[player].discard(player, tile)
        for other in {1, 2, 3, 4} - {player}:
            clients[other].act(other, "pass")
        clients[player + 1].do("draw_tile")
    clients[2].leave()
    clients[2] = join(Mj(simulation, clients[2].game), 2)
    assert clients[2].state()["legal_actions"] == {"2": ["pass", "hu"]}
    assert clients[2].act(2, "hu")["stage"] == "ROUND_OVER"
