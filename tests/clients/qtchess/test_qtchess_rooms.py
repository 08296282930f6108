"""Rooms of the qtchess dialect: creating, joining, leaving, and ignored frames."""

import json
from typing import Any

import pytest

from qipai.kernel.room import Phase
from tests.clients.qtchess.qtchess_clients import (
    FORMAT,
    FULL,
    NO_ROOM,
    NUMBER,
    OUTSIDE,
    TOO_FAST,
    Qt,
    actions,
    error,
    game,
    live_room_of,
    shown,
    start,
    two,
)
from tests.support.hall_simulation import HallSimulation


def test_a_room_code_has_four_digits_and_its_creator_is_host(simulation: HallSimulation) -> None:
    ann = Qt(simulation)
    assert ann.asked('{"action":"createRoom"}') == [{"action": "roomCreated", "room": ann_code(simulation)}]
    assert 1000 <= int(ann_code(simulation)) <= 9999


def ann_code(simulation: HallSimulation) -> str:
    (code,) = simulation.hall.executor.rooms_by_code
    return code


def test_room_codes_differ(simulation: HallSimulation) -> None:
    codes = {Qt(simulation).create() for _ in range(200)}
    assert len(codes) == 200


def test_joining_is_reported_to_guest_and_host(simulation: HallSimulation) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    code = host.create()
    assert guest.join(code) == [{"action": "joinedRoom", "room": code}]
    assert host.received() == [{"action": "playerJoined", "room": code}]


@pytest.mark.parametrize("room", [None, "", 1234, True, ["1234"], {"a": 1}, 12.5])
def test_a_room_number_is_a_string(simulation: HallSimulation, room: Any) -> None:
    assert error(Qt(simulation).ask("joinRoom", room=room)) == NUMBER


def test_a_room_number_is_required(simulation: HallSimulation) -> None:
    assert error(Qt(simulation).ask("joinRoom")) == NUMBER


@pytest.mark.parametrize("room", ["1", "0000", "abcd", "9" * 5000, "房間", "\x00"])
def test_an_unknown_room_is_refused(simulation: HallSimulation, room: str) -> None:
    assert error(Qt(simulation).ask("joinRoom", room=room)) == NO_ROOM


def test_a_third_client_is_refused_before_and_during_a_game(simulation: HallSimulation) -> None:
    host, _ = two(simulation)
    third = Qt(simulation)
    assert error(third.ask("joinRoom", room=host.code)) == FULL
    start(host)
    assert error(third.ask("joinRoom", room=host.code)) == FULL


def test_a_room_of_another_game_is_refused(simulation: HallSimulation) -> None:
    gomoku = simulation.native_client("Ann").ask("open", game="gomoku", nonce="t")[0]["room"]
    assert error(Qt(simulation).ask("joinRoom", room=gomoku["code"])) == NO_ROOM


@pytest.mark.parametrize(
    "frame", ["", "{", "move", "null", "[]", "3", '"a"', '{"action":"move",}', "\ufeff{}"]
)
def test_a_frame_that_is_no_json_object_gives_one_error(simulation: HallSimulation, frame: str) -> None:
    assert error(Qt(simulation).asked(frame)) == FORMAT


@pytest.mark.parametrize("frame", [b"\xff\xfe", b'{"action":"\xff"}', b'{"a":NaN}'])
def test_bytes_that_are_no_text_give_an_error(simulation: HallSimulation, frame: bytes) -> None:
    assert error(Qt(simulation).asked(frame)) == FORMAT


@pytest.mark.parametrize(
    "frame",
    [b"[" * 5000, b'{"a":' * 5000 + b"1" + b"}" * 5000, b'{"a":1e999}', b'{"action":"x","a":"\\ud800"}'],
)
def test_deep_or_unknown_frames_are_ignored(simulation: HallSimulation, frame: bytes) -> None:
    # The clients' parsers accept the last two, and any error ends their game.
    assert Qt(simulation).asked(frame) == []


def test_a_less_deep_frame_is_parsed(simulation: HallSimulation) -> None:
    deep = b'{"action":"joinRoom","room":"0","a":' + b"[" * 500 + b"]" * 500 + b"}"
    assert error(Qt(simulation).asked(deep)) != FORMAT
    assert error(Qt(simulation).asked(b"[" * 500)) == FORMAT


@pytest.mark.parametrize("extra", ['"f":1e999', '"f":"\\ud800"', '"f":["\\ud800"]'])
def test_a_move_with_an_unknown_field_is_played(simulation: HallSimulation, extra: str) -> None:
    host, guest = two(simulation)
    start(host)
    guest.received()
    move = f'"room":"{host.code}","fromRow":6,"fromCol":4,"toRow":4,"toCol":4'
    assert actions(host.asked('{"action":"move",' + move + "," + extra + "}")) == ["move"]
    assert actions(guest.received()) == ["move"]


@pytest.mark.parametrize(
    "frame",
    [
        '{"type":"GameStart","roomNumber":"1234","playerColor":2}',
        '{"type":"TimeSettings","whiteTimeMs":60000}',
        '{"type":"PlayerDisconnected"}',
        "{}",
        '{"action":"dance"}',
        '{"action":null}',
        '{"action":["move"]}',
        '{"action":{"move":1}}',
        '{"action":"Move"}',
    ],
)
def test_unknown_frames_are_ignored_outside_and_inside_rooms(simulation: HallSimulation, frame: str) -> None:
    host, guest = game(simulation)
    assert Qt(simulation).asked(frame) == []
    assert host.asked(frame) == []
    assert guest.received() == []
    assert actions(host.move("e2e4")) == ["move"]


def test_creating_another_room_leaves_the_first(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    first = host.code
    received = host.ask("createRoom")
    assert actions(received) == ["roomCreated"]
    assert received[0]["room"] != first
    assert guest.received() == [
        {"action": "playerLeft", "room": first},
        {"action": "promotedToHost", "room": first},
    ]


def test_joining_another_room_leaves_the_first(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    other = Qt(simulation)
    code = other.create()
    assert guest.ask("joinRoom", room=code) == [{"action": "joinedRoom", "room": code}]
    assert host.received() == [{"action": "playerLeft", "room": host.code}]
    assert other.received() == [{"action": "playerJoined", "room": code}]


def test_joining_an_unknown_room_still_leaves_the_present_one(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert error(guest.ask("joinRoom", room="77")) == NO_ROOM
    assert actions(host.received()) == ["playerLeft"]


def test_joining_the_same_room_alone_closes_it(simulation: HallSimulation) -> None:
    ann = Qt(simulation)
    code = ann.create()
    assert error(ann.ask("joinRoom", room=code)) == NO_ROOM
    assert actions(ann.ask("createRoom", room="")) == ["roomCreated"]


def test_an_invalid_room_number_does_not_leave_the_room(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert error(guest.ask("joinRoom", room="")) == NUMBER
    assert host.received() == []
    start(host)
    assert actions(guest.received()) == ["gameStart"]


def test_frames_sent_together_are_handled_in_order(simulation: HallSimulation) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    code = host.create()
    guest.send("joinRoom", room=code)
    guest.send("move", room=code, fromRow=1, fromCol=4, toRow=3, toCol=4)
    guest.send("leaveRoom", room=code)
    guest.send("move", room=code, fromRow=1, fromCol=4, toRow=3, toCol=4)
    guest.send("createRoom")
    guest.send("joinRoom", room=code)
    received = guest.received()
    assert actions(received) == ["joinedRoom", "error", "roomCreated", "joinedRoom"]
    assert received[1]["message"] == OUTSIDE
    assert actions(host.received()) == ["playerJoined", "move", "playerLeft", "playerJoined"]


def test_leaving_is_reported_to_the_opponent_only(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert guest.ask("leaveRoom") == []
    assert host.received() == [{"action": "playerLeft", "room": host.code}]
    assert guest.ask("leaveRoom") == []
    assert host.received() == []


def test_when_the_host_leaves_the_guest_becomes_host_and_can_start(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    host.leave()
    assert actions(guest.received()) == ["playerLeft", "promotedToHost"]
    third = Qt(simulation)
    third.join(guest.code)
    assert actions(guest.received()) == ["playerJoined"]
    begun = start(guest, hostColor="Black", whiteTimeMs=60000, blackTimeMs=30000)
    assert begun["timerState"] == {
        "timeA": 30000, "timeB": 60000, "currentPlayer": "White", "lastSwitchTime": None,
        "whiteIsA": False, "incrementMs": 0,
    }  # fmt: skip
    third.received()
    assert actions(third.move("e2e4")) == ["move"]


def test_an_empty_room_is_closed(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    code = host.code
    host.leave()
    guest.ask("leaveRoom")
    assert simulation.hall.executor.live_rooms == {}
    assert error(guest.ask("joinRoom", room=code)) == NO_ROOM


def test_leaving_a_room_that_is_not_joined_is_ignored(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    assert guest.ask("leaveRoom", room="1") == []
    assert guest.asked('{"action":"leaveRoom"}') == []
    assert host.received() == []


def test_a_closed_socket_leaves_at_once(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    guest.leave()
    assert host.received() == [{"action": "playerLeft", "room": host.code}]
    room = shown(simulation, host.code)
    assert (room.phase, room.result.winners) == (Phase.OVER, ())
    assert room.result.reason == "aborted"


def test_the_player_who_stays_wins_if_both_have_moved(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.move("e2e4")
    guest.move("e7e5")
    host.received()
    guest.leave()
    assert actions(host.received()) == ["playerLeft"]
    result = shown(simulation, host.code).result
    assert (result.winners, result.reason) == ((0,), "left")


def test_a_socket_that_closes_while_joining_takes_no_seat(simulation: HallSimulation) -> None:
    host, guest = Qt(simulation), Qt(simulation)
    code = host.create()
    guest.send("joinRoom", room=code)
    guest.simulation.loop.call_soon(simulation.hall.arrived, guest.connection, None)
    simulation.settle()
    assert actions(host.received()) == ["playerJoined", "playerLeft"]
    assert [taken_seat is None for taken_seat in live_room_of(simulation, code).latest.seats] == [False, True]


def test_codes_of_private_rooms_are_accepted_in_either_case(simulation: HallSimulation) -> None:
    table = {"public": False}
    room = simulation.native_client("Ann").ask("open", game="chess", nonce="t", table=table)[0]["room"]
    assert len(room["code"]) == 8
    guest = Qt(simulation)
    received = guest.join(room["code"].lower())
    assert received[0] == {"action": "joinedRoom", "room": room["code"]}
    assert actions(guest.move("a1a1")) == ["error"]


# Rate limit


def test_the_fifty_first_frame_in_a_second_is_refused_once(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    for _ in range(70):
        host.send("drawOffer")
    assert [message["message"] for message in host.received()] == [TOO_FAST]
    guest.received()
    simulation.wait(0.9)
    assert host.move("e2e4") == []
    simulation.wait(0.11)
    assert actions(host.move("e2e4")) == ["move"]
    assert host.transport.closed is None


def test_at_most_one_warning_a_second(simulation: HallSimulation) -> None:
    ann = Qt(simulation)
    for _ in range(30):
        for _ in range(20):
            ann.send("joinRoom", room="1")
        simulation.wait(0.1)
    texts = [message["message"] for message in ann.received()]
    assert texts.count(TOO_FAST) == 3
    assert texts.count(NO_ROOM) == 150
    assert ann.transport.closed is None


def test_unknown_frames_do_not_count_for_the_rate_limit_but_malformed_ones_do(
    simulation: HallSimulation,
) -> None:
    ann = Qt(simulation)
    for _ in range(500):
        ann.asked('{"type":"TimeSettings","whiteTimeMs":60000}')
    for _ in range(49):
        assert error(ann.asked("no")) == FORMAT
    assert actions(ann.ask("createRoom")) == ["roomCreated"]
    assert error(ann.asked("no")) == TOO_FAST
    assert ann.asked('{"type":"PlayerDisconnected"}') == []


def test_a_flood_of_unknown_frames_is_ignored_without_a_disconnect(simulation: HallSimulation) -> None:
    ann = Qt(simulation)
    for _ in range(5000):
        ann.send_frame(b'{"type":"TimeSettings"}')
    assert ann.received() == []
    assert ann.ask("createRoom") == []
    simulation.wait(1.01)
    assert actions(ann.ask("createRoom")) == ["roomCreated"]
    assert (ann.transport.closed, ann.transport.aborted) == (None, False)


def test_a_thousand_malformed_frames_do_not_end_the_connection(simulation: HallSimulation) -> None:
    ann = Qt(simulation)
    code = ann.create()
    for _ in range(100):
        for _ in range(10):
            ann.send_frame(b"{")
        simulation.wait(0.25)
    assert {message["message"] for message in ann.received()} == {FORMAT}
    guest = Qt(simulation)
    assert actions(guest.join(code)) == ["joinedRoom"]
    assert ann.transport.closed is None


def test_a_client_that_answers_no_ping_is_dropped(simulation: HallSimulation) -> None:
    host, guest = two(simulation)
    guest.transport.pong = None
    simulation.wait(41)
    assert guest.transport.aborted
    assert host.transport.aborted is False


def test_frames_are_json_of_one_line(simulation: HallSimulation) -> None:
    host, guest = game(simulation)
    host.move("e2e4", finalPosition="中文\n\u2028")
    for frame in host.transport.frames + guest.transport.frames:
        assert json.loads(frame)["action"]
        assert b"\n" not in frame
