"""Arbitrary frames of mahjong clients cause no internal error and no forbidden change."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.clients.mahjong.incoming_messages import RequestType
from tests.clients.mahjong.mahjong_clients import Mj, four, live_room_of, prepared, start
from tests.clients.mahjong.mahjong_random_play import answered, choose
from tests.games.mahjong.mahjong_walls import THREE_WANT_5P, tiles_are_conserved
from tests.support.hall_simulation import HallSimulation

ODD: list[Any] = [
    None, True, False, -1, 0, 1, 4, 5, 54, 144, 2**31, 2**63, 2**64, 2**200, 0.5, 6.0, 1e300, "", "6",
    "pong", "hu", "\x00", "\u2028", "牌", "x" * 2000, [], [1], [[1, 2, 3]], [None, {}], {}, {"id": 1},
    {"id": 54, "type": 1, "value": 5}, {"data": {"player_id": 1}}, {"a": {"b": []}},
]  # fmt: skip
KEYS = ("player_id", "tile", "tiles", "action", "token", "game_id", "data", "req_id", "extra", "ready")
TYPES = [ask.value for ask in RequestType]
FRAMES = 6_000


def frame_of(chance: random.Random, game: str) -> bytes:
    """Return one frame of wrong types, often about the right game."""
    kind: Any = chance.choice([*TYPES, *TYPES, *ODD])
    data: Any = {key: chance.choice(ODD) for key in chance.sample(KEYS, chance.randrange(6))}
    if chance.random() < 0.1:
        data = chance.choice(ODD)
    frame: dict[str, Any] = {"type": kind, "data": data}
    if chance.random() < 0.8:
        frame["game_id"] = game
    if chance.random() < 0.2:
        frame["req_id"] = chance.choice([*ODD, chance.randrange(1_000)])
    text = json.dumps(frame, ensure_ascii=chance.random() < 0.5).encode()
    if chance.random() < 0.1:
        cut = chance.randrange(len(text))
        text = text[:cut] + bytes([chance.randrange(256)]) + text[cut + chance.randrange(3) :]
    return text


def test_thousands_of_frames_of_wrong_types_from_outside_change_nothing(simulation: HallSimulation) -> None:
    chance = random.Random(20261115)
    clients = prepared(simulation, THREE_WANT_5P, extra="5p")
    clients[0].discard(1, 54)
    game = clients[0].game
    live_room = live_room_of(simulation, game)
    outsiders = [Mj(simulation, game) for _ in range(3)]
    before = live_room.latest
    for number in range(FRAMES):
        outsiders[number % 3].send_frame(frame_of(chance, game))
        if number % 120 == 119:
            simulation.wait(1)
            assert live_room.latest is before
    simulation.wait(1)
    for one in outsiders:
        for message in one.received():
            known = message["type"] == "error" or message["type"].endswith("_response")
            assert known, message
        assert (one.transport.closed, one.transport.aborted) == (None, False)
        dialect: Any = one.connection.dialect
        queue = dialect._queue
        assert queue.current is None
        assert not queue._waiting
        assert not queue._frames
    assert simulation.hall.internal_errors.count == 0
    assert clients[3].act(4, "hu")["stage"] == "ROUND_OVER"


@pytest.mark.parametrize("seed", range(2))
def test_frames_of_wrong_types_from_players_keep_every_tile_in_place(
    simulation: HallSimulation, seed: int
) -> None:
    chance = random.Random(seed)
    clients, _ = four(simulation)
    game = clients[0].game
    live_room: Any = live_room_of(simulation, game)
    for number in range(2_000):
        clients[number % 4].send_frame(frame_of(chance, game))
        if number % 150 == 149:
            simulation.wait(1)
            tiles_are_conserved(live_room.latest.state)
            assert live_room.latest is live_room.durable
    simulation.wait(2)
    assert simulation.hall.internal_errors.count == 0
    for player, one in enumerate(clients, 1):
        dialect: Any = one.connection.dialect
        assert dialect._queue.current is None
        one.received()
        assert str(player) in one.state()["legal_actions"]


STEPS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from([*TYPES, "play", "bye", "wait"]), st.integers(0, 15)),
    max_size=50,
)


@settings(max_examples=100)
@given(STEPS, st.sampled_from(["open", "token"]))
def test_any_order_of_commands_leaves_every_seat_one_holder_and_every_room_valid(
    sent: list[tuple[int, str, int]], seats: str
) -> None:
    chance = random.Random(len(sent))
    with HallSimulation() as simulation:
        games = [start(simulation, seats=seats, bots=[4]), start(simulation, seats=seats)]
        clients = [Mj(simulation) for _ in range(4)]
        gone: set[int] = set()
        for who, kind, number in sent:
            one, game = clients[who], games[number % 2]
            one.game = game
            if who in gone:
                continue
            if kind == "bye":
                one.leave()
                gone.add(who)
            elif kind == "wait":
                simulation.wait(number * 7)
            elif kind == "play":
                act(one, number % 4 + 1, chance)
            else:
                data = {"player_id": number % 4 + 1, "action": "pass", "tile": {"id": number * 9}}
                data["token"] = simulation.hall.identity.seat_token(game, number % 4)  # type: ignore[arg-type] # a str
                one.send(kind, data)
                simulation.wait(0.05)
        simulation.wait(1)
        assert simulation.hall.internal_errors.count == 0
        for number, one in enumerate(clients):
            assert one.transport.closed is None
            assert number not in gone or not one.connection.rooms
        for live_room in simulation.hall.executor.live_rooms.values():
            assert live_room.latest is live_room.durable
            seated = [taken_seat.person for taken_seat in live_room.latest.seats if taken_seat is not None]
            assert len(set(seated)) == 4
            state: Any = live_room.latest.state
            tiles_are_conserved(state)


def act(one: Mj, player: int, chance: random.Random) -> None:
    """Play a legal command for a player, if this socket holds the seat."""
    one.received()
    one.send("get_state")
    state = next((answer.get("data") for answer in one.answers() if "data" in answer), None)
    command = None if state is None else choose(state, player, chance)
    if command is not None:
        answer = one.ask(*command)
        if (again := answered(command, answer, chance)) is not None:
            one.ask(*again)
