"""Arbitrary frames of chess clients cause no internal error and no forbidden change."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.clients.qtchess.incoming_messages import RequestType
from tests.clients.qtchess.qtchess_clients import DICE, Qt, actions, game, live_room_of, squares
from tests.support.hall_simulation import HallSimulation

ODD: list[Any] = [
    None, True, False, -1, 0, 1, 6, 7, 8, 2**31, 2**63, 2**64, 2**200, -(2**70), 0.5, 6.0, 1e300, "", "6",
    "1234", "\x00", "\u2028", "房", "x" * 2000, [], [1], [[1, 2, 3]], [None, {}], {}, {"x": 1, "y": 3},
    {"a": {"b": []}},
]  # fmt: skip
KEYS = (
    "room", "fromRow", "fromCol", "toRow", "toCol", "promotion", "hostColor", "whiteTimeMs", "blackTimeMs",
    "incrementMs", "gameModes", "minePositions", "numMovablePieces", "dice", "savedMovesRemaining",
    "accepted", "result", "timerState", "diceState", "type", "extra",
)  # fmt: skip
HARMLESS = [
    ask.value
    for ask in RequestType
    if ask
    not in {RequestType.LEAVE, RequestType.RESIGN, RequestType.CREATE, RequestType.JOIN, RequestType.OFFER}
]
"""Actions without effect here, whatever their fields: the dice are rolled already."""
FRAMES = 10_000


def frame_of(chance: random.Random, code: str) -> bytes:
    """Return one frame of wrong types, sometimes about the right room; a move never is one."""
    action: Any = chance.choice([*HARMLESS, *HARMLESS, *ODD])
    fields: dict[str, Any] = {key: chance.choice(ODD) for key in chance.sample(KEYS, chance.randrange(8))}
    if chance.random() < 0.7:
        fields["room"] = code
    if action == RequestType.MOVE:
        fields |= {key: chance.choice([*range(8), *ODD]) for key in ("fromRow", "fromCol", "toRow", "toCol")}
        fields[chance.choice(["fromRow", "toCol"])] = chance.choice([None, 6.0, "6", True, 9, -1, [6]])
    if action == RequestType.ANSWER:
        fields.pop("accepted", None)
    text = json.dumps({"action": action, **fields}, ensure_ascii=chance.random() < 0.5).encode()
    if chance.random() < 0.1:
        cut = chance.randrange(len(text))
        text = text[:cut] + bytes([chance.randrange(256)]) + text[cut + chance.randrange(3) :]
    return text


@pytest.mark.parametrize("modes", [(), (DICE,)])
def test_ten_thousand_frames_of_wrong_types_change_nothing(
    simulation: HallSimulation, modes: tuple[str, ...]
) -> None:
    chance = random.Random(20261115)
    host, guest = game(simulation, *modes)
    if modes:
        host.ask("diceRoll", dice=[1, 1, 1])
    assert actions(host.move("e2e4")) == ["move"]
    outsider = Qt(simulation)
    live_room = live_room_of(simulation, host.code)
    before = (live_room.latest.state, live_room.latest.phase, live_room.latest.seats)
    for number in range(FRAMES):
        who = (host, guest, outsider)[number % 3]
        frame = frame_of(chance, host.code)
        who.send_frame(frame)
        if number % 120 == 119:
            simulation.wait(1)
            assert (live_room.latest.state, live_room.latest.phase, live_room.latest.seats) == before, frame
    simulation.wait(1)
    for who in (host, guest, outsider):
        texts = {message["action"] for message in who.received()}
        assert texts <= {"error", "move", "diceRoll"}
        assert (who.transport.closed, who.transport.aborted) == (None, False)
    assert simulation.hall.internal_errors.count == 0
    # No request stays behind.
    dialect: Any = host.connection.dialect
    assert dialect._room_state.sent_frames == ({}, {})
    assert dialect._room_state.requested_starts == {}
    assert len(dialect._deferred) == 0
    mover, uci = (guest, "e7e5") if not modes else (host, "d2d4")
    assert actions(mover.move(uci))[-1] == "move"


STEPS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from([*(ask.value for ask in RequestType), "bye", "wait"]),
        st.integers(0, 9),
    ),
    max_size=60,
)
WALK = ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6", "e1g1", "f8c5", "d2d4", "a7a6")


@settings(max_examples=200)
@given(STEPS)
def test_any_order_of_actions_leaves_each_client_one_seat_and_every_room_valid(
    sent: list[tuple[int, str, int]],
) -> None:
    with HallSimulation() as simulation:
        clients = [Qt(simulation) for _ in range(4)]
        gone: set[int] = set()
        for who, action, number in sent:
            one = clients[who]
            codes = list(simulation.hall.executor.rooms_by_code)
            code = codes[number % len(codes)] if codes else "1234"
            if who in gone:
                continue
            if action == "bye":
                one.leave()
                gone.add(who)
                continue
            if action == "wait":
                simulation.wait(number * 7)
                continue
            fields = {
                **squares(WALK[number]),
                "room": code,
                "hostColor": "White" if number % 2 else "Black",
                "whiteTimeMs": number * 10_000,
                "blackTimeMs": 30_000,
                "gameModes": {DICE: number == 7, "霧戰": number == 3, "地吸引力": number == 5},
                "dice": [1 + number % 5, 1, 3],
                "accepted": number % 3 == 0,
                "result": "1-0",
                "savedMovesRemaining": number % 3,
            }
            one.send(action, **fields)
            if number % 2:
                simulation.wait(0.05)
        simulation.wait(1)
        assert simulation.hall.internal_errors.count == 0
        for number, one in enumerate(clients):
            assert len(one.connection.rooms) <= (0 if number in gone else 1)
            assert one.transport.closed is None
        for live_room in simulation.hall.executor.live_rooms.values():
            assert live_room.latest is live_room.durable
            seated = [taken_seat.person for taken_seat in live_room.latest.seats if taken_seat is not None]
            assert seated
            assert len(seated) == len(set(seated))
            assert len(live_room.holders) == len(seated)
