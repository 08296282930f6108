"""Engine.IO 4 heartbeat: the server pings every 300 ms here and waits two seconds for the pong."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.socketio.client_programs import CONNECT_TIMEOUT, PING_INTERVAL, PING_TIMEOUT
from tests.socketio.raw_engineio import (
    TRANSPORTS,
    Polling,
    Upgraded,
    WebSocket,
    open_websocket,
    request,
    wait_for_close,
)
from tests.socketio.raw_socketio import connect_and_skip_auth, is_alive

pytestmark = pytest.mark.slow

GRAIN = 0.02
"""Seconds by which a timer may be early."""


def test_a_pong_over_websocket_keeps_the_session_open(fast_ping_port: int) -> None:
    began = time.monotonic()
    session = WebSocket(fast_ping_port)
    connect_and_skip_auth(session)
    for beat in range(1, 4):
        assert session.socket.recv(60) == "2"
        assert time.monotonic() - began > PING_INTERVAL * beat - GRAIN
        session.send("3")
    assert is_alive(session)
    session.close()


def test_a_pong_over_polling_keeps_the_session_open(fast_ping_port: int) -> None:
    began = time.monotonic()
    session = Polling(fast_ping_port)
    connect_and_skip_auth(session)
    for beat in range(1, 4):
        answer = session.poll()
        assert (answer.status, answer.body) == (200, "2")
        assert time.monotonic() - began > PING_INTERVAL * beat - GRAIN
        session.send("3")
    assert is_alive(session)
    session.close()


def test_a_websocket_session_without_pong_is_closed(fast_ping_port: int) -> None:
    began = time.monotonic()
    session = open_websocket(fast_ping_port)
    received = list(session)
    assert received[1:] in (["2"], ["2", "1"])
    assert time.monotonic() - began > PING_INTERVAL + PING_TIMEOUT - GRAIN
    session.close()


def test_a_polling_session_without_pong_is_closed(fast_ping_port: int) -> None:
    began = time.monotonic()
    session = Polling(fast_ping_port)
    assert session.poll().body == "2"
    last = session.poll()
    assert time.monotonic() - began > PING_INTERVAL + PING_TIMEOUT - GRAIN
    assert (last.status, last.body) in ((200, "1"), (200, "6"))
    answer = session.poll()
    assert (answer.status, answer.json["code"]) == (400, 1)


def test_a_session_that_does_not_poll_is_closed(fast_ping_port: int) -> None:
    session = Polling(fast_ping_port)
    time.sleep(PING_INTERVAL + PING_TIMEOUT + 1)
    answer = request(fast_ping_port, sid=session.sid)
    assert (answer.status, answer.json["code"]) == (400, 1)


def test_an_upgraded_session_is_pinged_as_before(fast_ping_port: int) -> None:
    session = Upgraded(fast_ping_port)
    connect_and_skip_auth(session)
    for _ in range(3):
        assert session.socket.recv(60) == "2"
        session.send("3")
    assert is_alive(session)
    session.close()


def test_a_session_in_no_namespace_is_closed_after_the_connect_timeout(fast_ping_port: int) -> None:
    def close(transport: str) -> float:
        began = time.monotonic()
        wait_for_close(TRANSPORTS[transport](fast_ping_port))
        return time.monotonic() - began

    with ThreadPoolExecutor() as beside:
        assert all(took > CONNECT_TIMEOUT - GRAIN for took in beside.map(close, TRANSPORTS))


def test_a_session_in_a_namespace_stays_open(fast_ping_port: int) -> None:
    def silent(transport: str) -> bool:
        session = TRANSPORTS[transport](fast_ping_port)
        connect_and_skip_auth(session)
        try:
            session.receive(CONNECT_TIMEOUT + 0.6)
        except TimeoutError:
            # Over polling the test itself has aborted a poll by now.
            return transport == "polling" or is_alive(session)
        finally:
            session.close()
        return False

    with ThreadPoolExecutor() as beside:
        assert all(beside.map(silent, TRANSPORTS))
