"""Socket.IO 5: connecting, namespaces, events, acknowledgements and binary, over every transport."""

import contextlib
import http.client
import json
import time

import pytest

from tests.socketio.spoken import echoes, emit, event, greet, joined
from tests.socketio.wire import Ended, Line, ends

pytestmark = pytest.mark.slow


def test_connecting_gives_a_new_sid(line: Line) -> None:
    said = greet(line)
    assert set(said) == {"sid"}
    assert said["sid"] != line.sid
    assert len(said["sid"]) >= 16
    assert event(line, "auth") == [{}]


def test_connecting_with_an_auth_payload_gives_it_to_the_server(line: Line) -> None:
    greet(line, {"token": "123", "nested": {"ok": True}, "漢": "字"})
    assert event(line, "auth") == [{"token": "123", "nested": {"ok": True}, "漢": "字"}]


def test_connecting_to_another_namespace(line: Line) -> None:
    greet(line, {"token": "abc"}, "/custom")
    assert event(line, "auth", "/custom") == [{"token": "abc"}]


def test_connecting_to_the_default_namespace_by_its_name(line: Line) -> None:
    line.send('40/,{"a":1}')
    assert str(line.hear()).startswith('40{"sid":')
    assert event(line, "auth") == [{"a": 1}]


def test_an_unknown_namespace_is_refused_and_the_session_stays_open(line: Line) -> None:
    line.send("40/random,")
    assert line.hear() == '44/random,{"message":"Invalid namespace"}'
    line.send("40/random")
    assert line.hear() == '44/random,{"message":"Invalid namespace"}'
    joined(line)
    assert echoes(line)


def test_two_namespaces_at_once_have_two_sids_and_can_be_left_one_by_one(line: Line) -> None:
    first = joined(line)
    second = joined(line, None, "/custom")
    assert first["sid"] != second["sid"]
    line.send("41/custom,")
    assert echoes(line)
    again = joined(line, None, "/custom")
    assert again["sid"] != second["sid"], "left means left"
    line.send("41")
    time.sleep(0.05)
    greet(line, {"n": 2})
    assert event(line, "auth") == [{"n": 2}]


def test_events_come_back_with_all_their_arguments(line: Line) -> None:
    joined(line)
    said = [1, "2", {"3": [True, None]}, [], "", -0.5, 1e30, "\u0000\u001e\u2028\U0001f63a", 2**53 - 1]
    emit(line, "message", *said)
    assert event(line, "message-back") == said
    emit(line, "message")
    assert event(line, "message-back") == []


def test_an_unknown_event_is_ignored(line: Line) -> None:
    joined(line)
    emit(line, "whatever", 1)
    assert echoes(line)


@pytest.mark.parametrize("number", ["0", "1", "456", "4294967296"])
def test_an_event_with_an_id_is_acknowledged_under_it(line: Line, number: str) -> None:
    joined(line)
    line.send(f'42{number}["message-with-ack",1,"2",{{"3":[false]}}]')
    assert line.hear() == f'43{number}[1,"2",{{"3":[false]}}]'


def test_an_acknowledgement_may_be_empty(line: Line) -> None:
    joined(line)
    line.send('427["message-with-ack"]')
    assert line.hear() == "437[]"


def test_the_server_receives_an_acknowledgement(line: Line) -> None:
    joined(line)
    for _ in range(2):
        emit(line, "ask", "how many?")
        packet = str(line.hear())
        start = packet.index("[")
        number = packet[2:start]
        assert json.loads(packet[start:]) == ["question", "how many?"]
        assert number.isdigit()
        line.send(f'43{number}[1,{{"two":2}}]')
        assert event(line, "answered") == [1, {"two": 2}]
        line.send(f"43{number}[3]")
        assert echoes(line), "a second answer is ignored"


def test_an_acknowledgement_with_an_unknown_id_is_ignored(line: Line) -> None:
    joined(line)
    line.send('43999["x"]')
    assert echoes(line)


def test_binary_is_put_where_its_placeholder_was(line: Line) -> None:
    joined(line)
    line.send(
        '452-["message",{"_placeholder":true,"num":0},{"deep":[1,{"_placeholder":true,"num":1}]}]',
        b"\x01\x02\x03",
        b"\xff" * 1000,
    )
    assert json.loads(str(line.hear()).removeprefix("452-")) == [
        "message-back",
        {"_placeholder": True, "num": 0},
        {"deep": [1, {"_placeholder": True, "num": 1}]},
    ]
    assert [line.hear(), line.hear()] == [b"\x01\x02\x03", b"\xff" * 1000]


def test_binary_may_be_empty(line: Line) -> None:
    joined(line)
    line.send('451-["message",{"_placeholder":true,"num":0}]', b"")
    assert line.hear() == '451-["message-back",{"_placeholder":true,"num":0}]'
    assert line.hear() == b""


def test_placeholders_may_come_in_any_order(line: Line) -> None:
    joined(line)
    line.send(
        '452-["message",{"_placeholder":true,"num":1},{"_placeholder":true,"num":0}]', b"first", b"second"
    )
    said = json.loads(str(line.hear()).removeprefix("452-"))
    parts = [line.hear(), line.hear()]
    assert [parts[argument["num"]] for argument in said[1:]] == [b"second", b"first"]


def test_binary_is_acknowledged_with_binary(line: Line) -> None:
    joined(line)
    line.send('451-789["message-with-ack",{"_placeholder":true,"num":0},"x"]', b"\x00\x01")
    assert line.hear() == '461-789[{"_placeholder":true,"num":0},"x"]'
    assert line.hear() == b"\x00\x01"


def test_the_server_receives_a_binary_acknowledgement(line: Line) -> None:
    joined(line)
    emit(line, "ask", "a picture?")
    packet = str(line.hear())
    number = packet[2 : packet.index("[")]
    line.send(f'461-{number}[{{"in":{{"_placeholder":true,"num":0}}}}]', b"\x89PNG")
    assert line.hear() == '451-["answered",{"in":{"_placeholder":true,"num":0}}]'
    assert line.hear() == b"\x89PNG"


def test_leaving_the_last_namespace_leaves_the_session_open(line: Line) -> None:
    joined(line)
    line.send("41")
    time.sleep(0.05)
    joined(line)
    assert echoes(line)


def test_the_server_can_disconnect_a_client(line: Line) -> None:
    joined(line)
    emit(line, "bye")
    assert line.hear() == "41"
    joined(line)
    assert echoes(line)


def test_the_server_keeps_the_order_of_a_burst(line: Line) -> None:
    joined(line)
    emit(line, "burst", 500)
    assert [event(line, "tick")[0] for _ in range(500)] == list(range(500))


def test_nothing_is_received_after_a_malformed_packet(line: Line) -> None:
    joined(line)
    with contextlib.suppress(Ended, http.client.HTTPException, ConnectionError):
        line.send('42["message",1]', "4abc", '42["message",2]')
    assert '42["message-back",2]' not in ends(line)
