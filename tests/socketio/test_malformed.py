"""Socket.IO 5: anything malformed closes the connection, and only that one."""

import contextlib
import http.client

import pytest

from tests.socketio.client_programs import only_ours
from tests.socketio.raw_engineio import Packet, Polling, RawSession, SessionClosed, WebSocket, wait_for_close
from tests.socketio.raw_socketio import connect_and_skip_auth, is_alive

pytestmark = pytest.mark.slow

lax = only_ours("it takes a packet without a payload")

BEFORE = [
    '42["message",1]',
    "41",
    "430[]",
    '44{"message":"x"}',
    "4abc",
    "4",
    "47",
    "40abc",
    "40[]",
    "40[1]",
    '40"token"',
    pytest.param("401", marks=lax),
    "40null",
    "40true",
    '40{"a":',
    '40{"a":1}x',
    "40/custom,abc",
    "40/custom,[]",
]

AFTER = [
    "4abc",
    "4",
    "47",
    "48[]",
    "4-",
    pytest.param("42", marks=lax),
    "42{}",
    "42[]",
    "42[",
    '42["message"',
    '42["message",]',
    '42["message",1]x',
    "42[null]",
    "42[{}]",
    "42[[]]",
    "42[true]",
    '42"message"',
    pytest.param("421", marks=lax),
    '42-1["message"]',
    '421.5["message"]',
    '42["message",NaN]',
    "42['message']",
    '41{"a":1}',
    pytest.param("43", marks=lax),
    pytest.param("431", marks=lax),
    "431{}",
    '431"x"',
    "43[",
    '44{"message":"x"}',
    '42/custom,["message",1]',
    '42/custom["message",1]',
    "41/custom,",
    "45",
    '45["message"]',
    '45-["message"]',
    '450-["message"]',
    '45-1-["message"]',
    '451.5-["message"]',
    '45x-["message"]',
    '45999999999999-["message",{"_placeholder":true,"num":0}]',
    '451-{"_placeholder":true,"num":0}',
    "461-1{}",
    "46-1[]",
    "40",
    '40{"a":1}',
    "40/,",
]

RESERVED = ["connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener"]

SPLIT: list[tuple[Packet, ...]] = [
    (b"\x01\x02",),
    ('451-["message",{"_placeholder":true,"num":0}]', '42["message",1]'),
    ('452-["message",{"_placeholder":true,"num":0},{"_placeholder":true,"num":1}]', b"x", "43"),
    ('451-["message",{"_placeholder":true,"num":1}]', b"x"),
    ('451-["message",{"_placeholder":true,"num":-1}]', b"x"),
    ('451-["message",{"_placeholder":true,"num":"0"}]', b"x"),
    ('451-["message",{"_placeholder":true}]', b"x"),
    ('451-["message",{"_placeholder":true,"num":0}]', b"x", b"y"),
]


def send(session: RawSession, *packets: Packet) -> None:
    """Send, though the server may close in the middle of it."""
    with contextlib.suppress(SessionClosed, http.client.HTTPException, ConnectionError):
        session.send(*packets)


@pytest.mark.parametrize("packet", BEFORE)
def test_only_connect_is_accepted_before_connecting(echo_port: int, packet: str) -> None:
    for session in (WebSocket(echo_port), Polling(echo_port)):
        send(session, packet)
        assert wait_for_close(session) == []


@pytest.mark.parametrize("packet", AFTER)
def test_a_malformed_packet_closes_the_connection(echo_port: int, packet: str) -> None:
    beside = WebSocket(echo_port)
    connect_and_skip_auth(beside)
    for session in (WebSocket(echo_port), Polling(echo_port)):
        connect_and_skip_auth(session)
        send(session, packet)
        assert wait_for_close(session) == []
    assert is_alive(beside)
    beside.close()


@pytest.mark.parametrize("name", RESERVED)
def test_a_reserved_event_name_closes_the_connection(session: RawSession, name: str) -> None:
    connect_and_skip_auth(session)
    send(session, f'42["{name}"]')
    assert wait_for_close(session) == []


@pytest.mark.parametrize("packets", SPLIT, ids=range(len(SPLIT)))
def test_unexpected_attachments_close_the_connection(
    session: RawSession, packets: tuple[Packet, ...]
) -> None:
    connect_and_skip_auth(session)
    send(session, *packets)
    wait_for_close(session)


def test_connecting_twice_closes_the_connection(session: RawSession) -> None:
    connect_and_skip_auth(session)
    send(session, "40")
    assert wait_for_close(session) == []


def test_connecting_twice_to_another_namespace_closes_the_connection(session: RawSession) -> None:
    connect_and_skip_auth(session, None, "/custom")
    send(session, "40/custom,")
    assert wait_for_close(session) == []
