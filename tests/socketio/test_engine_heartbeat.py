"""Engine.IO 4's heartbeat: the server pings every 300 ms here and waits two seconds for the answer."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.socketio.programs import ANSWER, CONNECT, INTERVAL
from tests.socketio.spoken import echoes, joined
from tests.socketio.wire import TRANSPORTS, Polling, Upgraded, WebSocket, ask, ends, open_socket

pytestmark = pytest.mark.slow

GRAIN = 0.02
"""Seconds by which a timer may be early."""


def test_a_pong_over_websocket_keeps_the_session_open(quick: int) -> None:
    began = time.monotonic()
    session = WebSocket(quick)
    joined(session)
    for beat in range(1, 4):
        assert session.socket.recv(60) == "2"
        assert time.monotonic() - began > INTERVAL * beat - GRAIN
        session.send("3")
    assert echoes(session)
    session.drop()


def test_a_pong_over_polling_keeps_the_session_open(quick: int) -> None:
    began = time.monotonic()
    session = Polling(quick)
    joined(session)
    for beat in range(1, 4):
        answer = session.poll()
        assert (answer.status, answer.body) == (200, "2")
        assert time.monotonic() - began > INTERVAL * beat - GRAIN
        session.send("3")
    assert echoes(session)
    session.drop()


def test_a_websocket_session_without_pong_is_closed(quick: int) -> None:
    began = time.monotonic()
    session = open_socket(quick)
    heard = list(session)
    assert heard[1:] in (["2"], ["2", "1"])
    assert time.monotonic() - began > INTERVAL + ANSWER - GRAIN
    session.close()


def test_a_polling_session_without_pong_is_closed(quick: int) -> None:
    began = time.monotonic()
    session = Polling(quick)
    assert session.poll().body == "2"
    last = session.poll()
    assert time.monotonic() - began > INTERVAL + ANSWER - GRAIN
    assert (last.status, last.body) in ((200, "1"), (200, "6"))
    answer = session.poll()
    assert (answer.status, answer.json["code"]) == (400, 1)


def test_a_session_that_does_not_poll_is_closed(quick: int) -> None:
    session = Polling(quick)
    time.sleep(INTERVAL + ANSWER + 1)
    answer = ask(quick, sid=session.sid)
    assert (answer.status, answer.json["code"]) == (400, 1)


def test_an_upgraded_session_is_pinged_as_before(quick: int) -> None:
    session = Upgraded(quick)
    joined(session)
    for _ in range(3):
        assert session.socket.recv(60) == "2"
        session.send("3")
    assert echoes(session)
    session.drop()


def test_a_session_in_no_namespace_is_closed_after_the_connect_timeout(quick: int) -> None:
    def close(transport: str) -> float:
        began = time.monotonic()
        ends(TRANSPORTS[transport](quick))
        return time.monotonic() - began

    with ThreadPoolExecutor() as beside:
        assert all(took > CONNECT - GRAIN for took in beside.map(close, TRANSPORTS))


def test_a_session_in_a_namespace_stays_open(quick: int) -> None:
    def silent(transport: str) -> bool:
        session = TRANSPORTS[transport](quick)
        joined(session)
        try:
            session.hear(CONNECT + 0.6)
        except TimeoutError:
            # Over polling the test itself has given up a poll by now.
            return transport == "polling" or echoes(session)
        finally:
            session.drop()
        return False

    with ThreadPoolExecutor() as beside:
        assert all(beside.map(silent, TRANSPORTS))
