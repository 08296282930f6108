"""Engine.IO 4 over WebSocket: alone, as an upgrade, and while messages stream."""

import contextlib
import json
import threading
import time

import pytest

from tests.socketio.client_programs import only_ours
from tests.socketio.raw_engineio import Polling, Upgraded, WebSocket, open_websocket, wait_for_close
from tests.socketio.raw_socketio import connect_and_skip_auth, emit, is_alive, receive_event

pytestmark = pytest.mark.slow


def test_a_binary_frame_is_one_packet(echo_port: int) -> None:
    session = WebSocket(echo_port)
    connect_and_skip_auth(session)
    session.send('451-["message",{"_placeholder":true,"num":0}]', b"\x01\x02\x03")
    assert session.receive() == '451-["message-back",{"_placeholder":true,"num":0}]'
    assert session.receive() == b"\x01\x02\x03"
    session.close()


@pytest.mark.parametrize("packet", ["abc", "7", "", "2"], ids=["letters", "type 7", "nothing", "a ping"])
def test_a_packet_that_only_servers_send_closes_the_session(echo_port: int, packet: str) -> None:
    session = WebSocket(echo_port)
    connect_and_skip_auth(session)
    session.send(packet)
    wait_for_close(session)


def test_a_message_above_the_limit_ends_the_session(echo_port: int) -> None:
    session = WebSocket(echo_port)
    connect_and_skip_auth(session)
    fill = "x" * (1_000_000 - len('42["message",""]'))
    emit(session, "message", fill[2:])
    assert receive_event(session, "message-back")[0] == fill[2:]
    with contextlib.suppress(Exception):
        session.send('42["message","' + fill + 'xx"]')
    wait_for_close(session)


def probed(session: Polling) -> WebSocket:
    """Open a WebSocket for a polling session and probe it."""
    return WebSocket(session.port, session.sid)


def test_an_upgrade_releases_the_poll_and_continues_on_websocket(echo_port: int) -> None:
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    polled: list[str] = []
    poll = threading.Thread(target=lambda: polled.append(session.poll().body))
    poll.start()
    time.sleep(0.1)
    socket = probed(session)
    poll.join(60)
    assert polled == ["6"]
    socket.send("5")
    assert is_alive(socket)
    assert session.poll().status == 400
    assert session.post("3").status == 400
    assert is_alive(socket), "the old transport's requests did no harm"
    socket.close()


def test_polling_works_during_the_probe(echo_port: int) -> None:
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    socket = probed(session)
    assert is_alive(session)
    socket.send("5")
    assert is_alive(socket)
    socket.close()


def test_an_upgrade_before_connecting_works_too(echo_port: int) -> None:
    session = Upgraded(echo_port)
    connect_and_skip_auth(session)
    assert is_alive(session)
    session.close()


def test_a_websocket_that_closes_during_the_probe_leaves_polling_as_it_was(echo_port: int) -> None:
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    for _ in range(2):
        socket = probed(session)
        socket.close()
        time.sleep(0.1)
        assert is_alive(session)
    socket = probed(session)
    socket.send("5")
    assert is_alive(socket), "it may try again"
    socket.close()


@pytest.mark.parametrize("first", ["", "2probe"], ids=["no probe", "no upgrade"])
def test_a_stuck_upgrade_does_not_make_polling_spin(echo_port: int, first: str) -> None:
    """Some proxies let a WebSocket open and then swallow its frames."""
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    stuck = open_websocket(echo_port, sid=session.sid)
    if first:
        stuck.send(first)
    end, polls = time.monotonic() + 1, 0
    while time.monotonic() < end:
        polls += 1
        with contextlib.suppress(TimeoutError):
            session.poll(max(0.01, end - time.monotonic()))
    assert polls < 20
    stuck.close()


@pytest.mark.parametrize("packet", ["4x", '42["message",1]', "2", "3probe", "abc", "2other"])
def test_a_packet_other_than_the_probe_closes_only_the_new_websocket(echo_port: int, packet: str) -> None:
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    socket = open_websocket(echo_port, sid=session.sid)
    socket.send(packet)
    assert list(socket) == []
    assert is_alive(session)
    session.close()


def test_a_second_websocket_for_a_session_is_accepted_and_then_closed(echo_port: int) -> None:
    """As the reference server does: clients cannot tell HTTP 400 from a network that fails."""
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    first = probed(session)
    assert closed_at_once(echo_port, session.sid), "while the first is probing"
    first.send("5")
    assert is_alive(first)
    assert closed_at_once(echo_port, session.sid), "after the upgrade"
    assert is_alive(first)
    first.close()


@only_ours("it lets a WebSocket replace a WebSocket")
def test_a_websocket_session_cannot_be_upgraded_again(echo_port: int) -> None:
    session = WebSocket(echo_port)
    connect_and_skip_auth(session)
    assert closed_at_once(echo_port, session.sid)
    assert is_alive(session)
    session.close()


def closed_at_once(port: int, sid: str) -> bool:
    """Tell whether a WebSocket for this session is accepted, and closed without a packet."""
    with open_websocket(port, sid=sid) as socket:
        return list(socket) == []


@pytest.mark.parametrize("round_", range(3))
def test_an_upgrade_loses_and_reorders_no_messages(echo_port: int, round_: int) -> None:
    session = Polling(echo_port)
    connect_and_skip_auth(session)
    received: list[str] = []
    paused = threading.Event()

    def listen() -> None:
        while not paused.is_set():
            received.extend(packet for packet in session.poll().packets if packet != "6")

    def talk() -> None:
        while not paused.is_set():
            session.send(*(f'42["message",{number}]' for number in numbers(sent, 7)))
            emit(session, "burst", 5)

    sent: list[int] = []
    threads = [threading.Thread(target=listen), threading.Thread(target=talk)]
    for thread in threads:
        thread.start()
    time.sleep(0.1 + 0.05 * round_)
    socket = probed(session)
    emit_late = len(sent)
    paused.set()
    for thread in threads:
        thread.join(60)
    session.send('42["burst",300]', *(f'42["message",{number}]' for number in numbers(sent, 200)))
    socket.send("5", *(f'42["message",{number}]' for number in numbers(sent, 200)))
    assert emit_late > 0
    while echoed(received) < len(sent):
        received.append(str(socket.receive()))
    said = [json.loads(packet[2:]) for packet in received]
    assert [number for name, number in said if name == "message-back"] == sent
    ticks = [number for name, number in said if name == "tick"]
    assert ticks == [*(list(range(5)) * ((len(ticks) - 300) // 5)), *range(300)]
    assert is_alive(socket)
    socket.close()


def numbers(sent: list[int], count: int) -> list[int]:
    """Return the next numbers and note that they are under way."""
    new = list(range(len(sent), len(sent) + count))
    sent.extend(new)
    return new


def echoed(received: list[str]) -> int:
    return sum("message-back" in packet for packet in received)
