"""Socket.IO 5: connecting, namespaces, events, acknowledgements and binary, over every transport."""

import contextlib
import http.client
import json
import time

import pytest

from tests.socketio.raw_engineio import RawSession, SessionClosed, wait_for_close
from tests.socketio.raw_socketio import connect, connect_and_skip_auth, emit, is_alive, receive_event

pytestmark = pytest.mark.slow


def test_connecting_gives_a_new_sid(session: RawSession) -> None:
    said = connect(session)
    assert set(said) == {"sid"}
    assert said["sid"] != session.sid
    assert len(said["sid"]) >= 16
    assert receive_event(session, "auth") == [{}]


def test_connecting_with_an_auth_payload_gives_it_to_the_server(session: RawSession) -> None:
    connect(session, {"token": "123", "nested": {"ok": True}, "漢": "字"})
    assert receive_event(session, "auth") == [{"token": "123", "nested": {"ok": True}, "漢": "字"}]


def test_connecting_to_another_namespace(session: RawSession) -> None:
    connect(session, {"token": "abc"}, "/custom")
    assert receive_event(session, "auth", "/custom") == [{"token": "abc"}]


def test_connecting_to_the_default_namespace_by_its_name(session: RawSession) -> None:
    session.send('40/,{"a":1}')
    assert str(session.receive()).startswith('40{"sid":')
    assert receive_event(session, "auth") == [{"a": 1}]


def test_an_unknown_namespace_is_refused_and_the_session_stays_open(session: RawSession) -> None:
    session.send("40/random,")
    assert session.receive() == '44/random,{"message":"Invalid namespace"}'
    session.send("40/random")
    assert session.receive() == '44/random,{"message":"Invalid namespace"}'
    connect_and_skip_auth(session)
    assert is_alive(session)


def test_two_namespaces_at_once_have_two_sids_and_can_be_left_one_by_one(session: RawSession) -> None:
    first = connect_and_skip_auth(session)
    second = connect_and_skip_auth(session, None, "/custom")
    assert first["sid"] != second["sid"]
    session.send("41/custom,")
    assert is_alive(session)
    again = connect_and_skip_auth(session, None, "/custom")
    assert again["sid"] != second["sid"], "left means left"
    session.send("41")
    time.sleep(0.05)
    connect(session, {"n": 2})
    assert receive_event(session, "auth") == [{"n": 2}]


def test_events_come_back_with_all_their_arguments(session: RawSession) -> None:
    connect_and_skip_auth(session)
    said = [1, "2", {"3": [True, None]}, [], "", -0.5, 1e30, "\u0000\u001e\u2028\U0001f63a", 2**53 - 1]
    emit(session, "message", *said)
    assert receive_event(session, "message-back") == said
    emit(session, "message")
    assert receive_event(session, "message-back") == []


def test_an_unknown_event_is_ignored(session: RawSession) -> None:
    connect_and_skip_auth(session)
    emit(session, "whatever", 1)
    assert is_alive(session)


@pytest.mark.parametrize("number", ["0", "1", "456", "4294967296"])
def test_an_event_with_an_id_is_acknowledged_under_it(session: RawSession, number: str) -> None:
    connect_and_skip_auth(session)
    session.send(f'42{number}["message-with-ack",1,"2",{{"3":[false]}}]')
    assert session.receive() == f'43{number}[1,"2",{{"3":[false]}}]'


def test_an_acknowledgement_may_be_empty(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send('427["message-with-ack"]')
    assert session.receive() == "437[]"


def test_the_server_receives_an_acknowledgement(session: RawSession) -> None:
    connect_and_skip_auth(session)
    for _ in range(2):
        emit(session, "ask", "how many?")
        packet = str(session.receive())
        start = packet.index("[")
        number = packet[2:start]
        assert json.loads(packet[start:]) == ["question", "how many?"]
        assert number.isdigit()
        session.send(f'43{number}[1,{{"two":2}}]')
        assert receive_event(session, "answered") == [1, {"two": 2}]
        session.send(f"43{number}[3]")
        assert is_alive(session), "a second answer is ignored"


def test_an_acknowledgement_with_an_unknown_id_is_ignored(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send('43999["x"]')
    assert is_alive(session)


def test_binary_is_put_where_its_placeholder_was(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send(
        '452-["message",{"_placeholder":true,"num":0},{"deep":[1,{"_placeholder":true,"num":1}]}]',
        b"\x01\x02\x03",
        b"\xff" * 1000,
    )
    assert json.loads(str(session.receive()).removeprefix("452-")) == [
        "message-back",
        {"_placeholder": True, "num": 0},
        {"deep": [1, {"_placeholder": True, "num": 1}]},
    ]
    assert [session.receive(), session.receive()] == [b"\x01\x02\x03", b"\xff" * 1000]


def test_binary_may_be_empty(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send('451-["message",{"_placeholder":true,"num":0}]', b"")
    assert session.receive() == '451-["message-back",{"_placeholder":true,"num":0}]'
    assert session.receive() == b""


def test_placeholders_may_come_in_any_order(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send(
        '452-["message",{"_placeholder":true,"num":1},{"_placeholder":true,"num":0}]', b"first", b"second"
    )
    said = json.loads(str(session.receive()).removeprefix("452-"))
    parts = [session.receive(), session.receive()]
    assert [parts[argument["num"]] for argument in said[1:]] == [b"second", b"first"]


def test_binary_is_acknowledged_with_binary(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send('451-789["message-with-ack",{"_placeholder":true,"num":0},"x"]', b"\x00\x01")
    assert session.receive() == '461-789[{"_placeholder":true,"num":0},"x"]'
    assert session.receive() == b"\x00\x01"


def test_the_server_receives_a_binary_acknowledgement(session: RawSession) -> None:
    connect_and_skip_auth(session)
    emit(session, "ask", "a picture?")
    packet = str(session.receive())
    number = packet[2 : packet.index("[")]
    session.send(f'461-{number}[{{"in":{{"_placeholder":true,"num":0}}}}]', b"\x89PNG")
    assert session.receive() == '451-["answered",{"in":{"_placeholder":true,"num":0}}]'
    assert session.receive() == b"\x89PNG"


def test_leaving_the_last_namespace_leaves_the_session_open(session: RawSession) -> None:
    connect_and_skip_auth(session)
    session.send("41")
    time.sleep(0.05)
    connect_and_skip_auth(session)
    assert is_alive(session)


def test_the_server_can_disconnect_a_client(session: RawSession) -> None:
    connect_and_skip_auth(session)
    emit(session, "bye")
    assert session.receive() == "41"
    connect_and_skip_auth(session)
    assert is_alive(session)


def test_the_server_keeps_the_order_of_a_burst(session: RawSession) -> None:
    connect_and_skip_auth(session)
    emit(session, "burst", 500)
    assert [receive_event(session, "tick")[0] for _ in range(500)] == list(range(500))


def test_nothing_is_received_after_a_malformed_packet(session: RawSession) -> None:
    connect_and_skip_auth(session)
    with contextlib.suppress(SessionClosed, http.client.HTTPException, ConnectionError):
        session.send('42["message",1]', "4abc", '42["message",2]')
    assert '42["message-back",2]' not in wait_for_close(session)
