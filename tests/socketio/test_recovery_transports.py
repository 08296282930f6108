"""Connection state recovery per namespace and over every transport."""

import socket
import time

import pytest

from tests.socketio.client_programs import OFFICIAL
from tests.socketio.raw_engineio import PATH, Polling, WebSocket, wait_until_read
from tests.socketio.raw_socketio import connect, emit, receive_event
from tests.socketio.test_recovery import Guest, cut

pytestmark = pytest.mark.slow


def test_each_namespace_is_recovered_separately(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    custom = connect(guest.line, None, "/custom")
    *_, offset = receive_event(guest.line, "auth", "/custom")
    assert custom["pid"] != guest.said["pid"]
    cut(guest)
    back = guest.back()
    assert back.known(guest)
    assert connect(back.line, {"pid": custom["pid"], "offset": offset}, "/custom") == custom
    assert back.quiet()
    back.line.close()


def test_a_pid_is_valid_in_its_own_namespace_only(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    cut(guest)
    session = WebSocket(recovery_port)
    said = connect(session, {"pid": guest.said["pid"], "offset": guest.offset}, "/custom")
    assert said["sid"] != guest.said["sid"]
    session.close()
    assert guest.back().known(guest)


def test_a_disconnect_during_a_post_is_recovered(recovery_port: int) -> None:
    guest = Guest(recovery_port, Polling)
    with socket.create_connection(("127.0.0.1", recovery_port), 5) as raw:
        raw.sendall(
            f"POST {PATH}?EIO=4&transport=polling&sid={guest.line.sid} HTTP/1.1\r\nHost: x\r\n"
            'Content-Type: text/plain\r\nContent-Length: 50\r\n\r\n42["mess'.encode()
        )
        wait_until_read(recovery_port)
    time.sleep(0.1)
    back = guest.back(Polling)
    assert back.known(guest)
    assert back.quiet()
    back.line.close()


def test_much_binary_missed_over_websocket_is_replayed_over_polling(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    for _ in range(5):
        guest.line.send('451-["message",{"_placeholder":true,"num":0}]', b"x" * 45_000)
        assert str(guest.line.receive()).startswith("451-")
        assert guest.line.receive() == b"x" * 45_000
    cut(guest)
    back = guest.back(Polling)
    assert back.known(guest)
    for _ in range(5):
        assert str(back.line.receive()).startswith("451-")
        assert back.line.receive() == b"x" * 45_000
    assert back.quiet()
    back.line.close()


def test_a_polling_session_that_stops_is_recovered(recovery_port: int) -> None:
    guest = Guest(recovery_port, Polling)
    emit(guest.line, "burst", 5)
    guest.hear("tick")
    time.sleep(3.2 if OFFICIAL else 0)
    back = guest.back(Polling)
    assert back.known(guest)
    assert [back.hear("tick")[0] for _ in range(4)] == [1, 2, 3, 4]
    back.line.close()
