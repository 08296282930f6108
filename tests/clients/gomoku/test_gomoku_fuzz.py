"""Arbitrary frames of gomoku clients cause no internal error and no forbidden change."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from qipai.clients.gomoku import Gomoku, ServerState
from qipai.clients.gomoku.incoming_messages import RequestType
from tests.clients.gomoku.gomoku_clients import match, names, place, player, room_of
from tests.support.hall_simulation import HallSimulation

EVENTS = [ask.value for ask in RequestType]
NUMBER = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
KEY = st.sampled_from(
    ["nickname", "name", "roomId", "asWatcher", "x", "y", "accept", "message", "turnTimer", "z"]
)
ODD = st.recursive(
    st.none() | st.booleans() | NUMBER | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEY, inner, max_size=4),
    max_leaves=8,
)
HARMLESS = [
    ask.value
    for ask in RequestType
    if ask
    not in {RequestType.LEAVE, RequestType.SURRENDER, RequestType.CHAT, RequestType.CREATE, RequestType.QUICK}
]


@given(st.sampled_from(EVENTS), st.lists(ODD, max_size=3))
def test_any_event_with_any_arguments_is_decoded(event: str, arguments: list[Any]) -> None:
    Gomoku("s", ServerState()).decode(json.dumps([event, *arguments]).encode())


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
def test_any_bytes_are_decoded(frame: bytes) -> None:
    Gomoku("s", ServerState()).decode(frame)


def test_invalid_payloads_change_nothing_in_a_running_game() -> None:
    with HallSimulation() as simulation:
        ann, bob, room = match(simulation)
        place(ann, room, 7, 7)
        (live_room,) = simulation.hall.executor.live_rooms.values()

        @settings(max_examples=200)
        @given(st.lists(st.tuples(st.booleans(), st.sampled_from(HARMLESS), ODD), max_size=8))
        def play(sent: list[tuple[bool, str, Any]]) -> None:
            before = (live_room.latest.state, live_room.latest.phase)
            for mine, event, argument in sent:
                fields = {**argument, "roomId": room} if isinstance(argument, dict) else argument
                if event == RequestType.LOBBY or (event == RequestType.PLACE and isinstance(fields, dict)):
                    fields = argument
                (ann if mine else bob).send(event, fields)
            simulation.wait(1)
            assert (live_room.latest.state, live_room.latest.phase) == before
            ann.received(), bob.received()

        play()
        assert simulation.hall.internal_errors.count == 0
        assert ann.transport.closed is bob.transport.closed is None
        assert not ann.transport.aborted
        assert names(place(bob, room, 8, 8)) == ["stone-placed", "room-updated"]


STEPS = st.lists(
    st.tuples(
        st.integers(0, 3), st.sampled_from([*EVENTS, "cut", "back", "bye"]), st.integers(0, 2), st.booleans()
    ),
    max_size=40,
)


@settings(max_examples=150)
@given(STEPS)
def test_any_order_of_events_leaves_each_client_in_at_most_one_room_with_equal_views(
    sent: list[tuple[int, str, int, bool]],
) -> None:
    with HallSimulation() as simulation:
        people = [player(simulation, name) for name in ("Ann", "Bob", "Cat", "Ann")]
        gone: set[int] = set()
        for who, event, number, yes in sent:
            one = people[who]
            codes = [live_room.durable.code for live_room in simulation.hall.executor.live_rooms.values()]
            room = codes[number % len(codes)] if codes else "1234"
            if who in gone:
                continue
            if event in {"cut", "back", "bye"}:
                {"cut": one.lose_transport, "back": one.recover, "bye": one.leave}[event]()
                gone |= {who} if event == "bye" else set()
                continue
            fields = {"roomId": room, "x": number, "y": who, "accept": yes, "asWatcher": yes, "message": "hi"}
            one.send(event, {**fields, "nickname": f"N{number}", "name": "r", "turnTimer": yes})
            simulation.wait(0.05)
        simulation.wait(0.3)
        assert simulation.hall.internal_errors.count == 0
        for one in people:
            assert len(one.connection.rooms) <= 1
        for live_room in simulation.hall.executor.live_rooms.values():
            seated = [taken_seat.person for taken_seat in live_room.latest.seats if taken_seat is not None]
            assert len(seated) == len(set(seated))
            views = []
            for one in people:
                if live_room.durable.id in one.connection.rooms:
                    view = room_of([json.loads(frame) for frame in one.transport.frames])
                    assert view["id"] == live_room.durable.code
                    views.append({key: value for key, value in view.items() if key not in {"myRole", "chat"}})
            assert all(view == views[0] for view in views)
            if views:
                board = [[0] * 15 for _ in range(15)]
                for stone in views[0]["history"]:
                    board[stone["x"]][stone["y"]] = stone["color"]
                assert views[0]["board"] == board
