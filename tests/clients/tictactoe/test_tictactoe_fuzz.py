"""Arbitrary frames of tic-tac-toe clients cause no internal error and no forbidden change."""

import contextlib
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from qipai.clients.tictactoe import TicTacToe
from qipai.kernel.codec import Malformed
from tests.support.hall_simulation import HallSimulation

EVENTS = ["join_pvp", "make_move", "reset_game", "start_new_match", "chat message", "action", "dance"]
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
KEY = st.sampled_from(["row", "col", "action", "data", "message", "x"])
ODD = st.recursive(
    st.none() | st.booleans() | NUMBER | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=8,
)
SQUARE = st.integers(0, 2)


def is_square(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(value.get(key)) is int and 0 <= value[key] <= 2 for key in ("row", "col")
    )


@given(st.sampled_from(EVENTS), st.lists(ODD, max_size=3))
def test_any_event_with_any_arguments_is_decoded(event: str, arguments: list[Any]) -> None:
    TicTacToe("s").decode(json.dumps([event, *arguments]).encode())


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_decoded_or_malformed(frame: bytes) -> None:
    with contextlib.suppress(Malformed):
        TicTacToe("s").decode(frame)


def test_invalid_arguments_change_nothing_in_a_running_game() -> None:
    with HallSimulation() as simulation:
        left, right = simulation.socketio_pair()
        left.mark(4)
        (live_room,) = simulation.hall.executor.live_rooms.values()

        @given(st.lists(st.tuples(st.booleans(), st.sampled_from(EVENTS), ODD), max_size=10))
        def play(sent: list[tuple[bool, str, Any]]) -> None:
            before = live_room.latest
            for mine, event, argument in sent:
                action = argument.get("action") if event == "action" and isinstance(argument, dict) else None
                data = argument.get("data") if isinstance(action, str) else argument
                if not is_square(data) and "chat" not in event:
                    (left if mine else right).send(event, argument)
            simulation.wait(1)
            assert live_room.latest is before

        play()
        assert simulation.hall.internal_errors.count == 0
        assert left.transport.closed is right.transport.closed is None
        assert not left.transport.aborted
        left.received()
        assert right.mark(0)[-1][0] == "move_made"


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(EVENTS[:5]), SQUARE, SQUARE), max_size=40))
def test_any_order_of_events_keeps_both_clients_consistent(sent: list[tuple[int, str, int, int]]) -> None:
    with HallSimulation() as simulation:
        people = [simulation.socketio_client(name) for name in ("Ann", "Bob", "Ann")]
        for who, event, row, col in sent:
            argument = [{"row": row, "col": col}] if event == "make_move" else []
            people[who].send(event, *argument)
            simulation.wait(0.05)
        assert simulation.hall.internal_errors.count == 0
        for live_room in simulation.hall.executor.live_rooms.values():
            seated = [taken_seat.person for taken_seat in live_room.latest.seats if taken_seat is not None]
            assert len(seated) == len(set(seated)) <= 2
