"""Silent connections are closed, bounded per address, and never take the last descriptors."""

import contextlib
import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.other_players import assert_others_do_not_notice
from tests.attacks.raw_http import (
    ATTACKER,
    is_closed_within,
    metric,
    open_socket,
    refusals,
    status_of,
    upgrade_request,
)
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"
HALF = b"GET /health HTTP/1.1\r\nHost: x\r\nX-Half: "
BODY = b"POST /api/game/start HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"
PING = b"\x89\x04"
"""The head of a ping; four bytes follow."""
PONG = b"\x8a\x80" + bytes(4)
TEXT = b"\x81\x82" + bytes(4) + b"{}"
FRAGMENT = b"\x01\x81" + bytes(4) + b"{"
"""Frames; those of a client are masked, here with zeros."""
CLOSED_AS_SILENT = (4408).to_bytes(2)
GENEROUS = 60.0
"""Seconds after which a connection that should be closed counts as kept; the machine may be busy."""


class FewDescriptors(ServerProcess):
    """A server with 300 file descriptors."""

    program = "/bin/sh"
    arguments = ("-c", f"ulimit -n 300; exec {sys.executable} -m qipai serve")


@contextlib.contextmanager
def sockets(port: int, count: int, address: str = ATTACKER) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as opened:
        yield [opened.enter_context(open_socket(port, address)) for _ in range(count)]


@contextlib.contextmanager
def server_with(tmp_path: Path, settings: str) -> Iterator[ServerProcess]:
    """Yield a server with these settings of connections."""
    with ServerProcess(tmp_path / "data", config=f"[connections]\n{settings}\n") as server:
        yield server


def warnings(server: ServerProcess) -> list[str]:
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    return [line["event"] for line in lines if line["logger"] == "qipai.guard"]


@pytest.mark.parametrize("start", [b"", HALF], ids=["nothing", "half a head"])
def test_a_head_must_arrive_in_time(tmp_path: Path, start: bytes) -> None:
    with server_with(tmp_path, "header_seconds = 2") as server, sockets(server.port, 20) as silent:
        for each in silent:
            each.sendall(start)
        assert all(is_closed_within(each, GENEROUS) for each in silent)
        assert refusals(server.port, "header_time") == 20


def test_a_head_that_trickles_is_late_too(tmp_path: Path) -> None:
    with server_with(tmp_path, "header_seconds = 2") as server, sockets(server.port, 1) as (slow,):
        slow.sendall(HALF)
        slow.settimeout(0.2)
        closed = False
        deadline = time.monotonic() + GENEROUS
        while not closed and time.monotonic() < deadline:
            try:
                slow.sendall(b"a")
                closed = b"408" in slow.recv(100)
            except TimeoutError:
                continue
            except OSError:
                closed = True
        assert closed


def test_a_second_request_on_the_same_connection_has_its_own_time(tmp_path: Path) -> None:
    with server_with(tmp_path, "header_seconds = 2") as server, sockets(server.port, 1) as (connection,):
        for _ in range(3):
            time.sleep(1)
            assert status_of(connection, HEALTH) == 200
        connection.sendall(HALF)
        assert is_closed_within(connection, GENEROUS)


def test_the_default_is_ten_seconds_for_head_and_first_frame(server: ServerProcess) -> None:
    with sockets(server.port, 2) as (head, frame):
        assert status_of(frame, upgrade_request()) == 101
        assert not is_closed_within(head, 5)
        assert is_closed_within(head, GENEROUS)
        assert is_closed_within(frame, GENEROUS)


@pytest.mark.parametrize("path", ["/play", "/", "/ws"])
def test_a_websocket_that_sends_no_frame_is_closed(tmp_path: Path, path: str) -> None:
    with server_with(tmp_path, "first_frame_seconds = 2") as server, sockets(server.port, 5) as silent:
        assert [status_of(each, upgrade_request(path)) for each in silent] == [101] * 5
        speaking = Client(server.port)
        assert all(is_closed_within(each, GENEROUS) for each in silent)
        assert refusals(server.port, "first_frame_time") == 5
        assert speaking.ask("ping", "pong", n=1)["n"] == 1
        speaking.close()


@pytest.mark.parametrize("path", ["/play", "/", "/ws"])
def test_answering_pings_is_no_first_frame(tmp_path: Path, path: str) -> None:
    # The server pings a new connection within two seconds, and every ordinary library answers.
    with server_with(tmp_path, "first_frame_seconds = 5") as server, sockets(server.port, 1) as (idle,):
        assert status_of(idle, upgrade_request(path)) == 101
        assert pongs_until_closed(idle) > 0
        assert refusals(server.port, "first_frame_time") == 1


@pytest.mark.parametrize("frame", [TEXT, FRAGMENT], ids=["text", "fragment"])
def test_text_is_a_first_frame(tmp_path: Path, frame: bytes) -> None:
    with server_with(tmp_path, "first_frame_seconds = 1") as server, sockets(server.port, 2) as (first, last):
        assert status_of(first, upgrade_request()) == 101
        first.sendall(frame)
        assert status_of(last, upgrade_request()) == 101
        assert is_closed_within(last, GENEROUS)
        assert not is_closed_within(first, 2)
        assert refusals(server.port, "first_frame_time") == 1


def pongs_until_closed(connection: socket.socket) -> int:
    """Answer the pings of the server until it closes the connection; return how many there were."""
    pongs = 0
    deadline = time.monotonic() + GENEROUS
    connection.settimeout(GENEROUS)
    with contextlib.suppress(ConnectionError):
        while (data := connection.recv(4096)) and CLOSED_AS_SILENT not in data:
            assert time.monotonic() < deadline, "the connection is kept"
            if data[-6:-4] == PING:
                connection.sendall(PONG)
                pongs += 1
    return pongs


def test_an_address_has_a_bounded_number_of_connections(tmp_path: Path) -> None:
    with server_with(tmp_path, "per_address = 10") as server:
        with sockets(server.port, 10) as taken, sockets(server.port, 3) as more:
            assert [status_of(each) for each in more] == [429] * 3
            assert [status_of(each, HEALTH) for each in taken] == [200] * 10
            with sockets(server.port, 1, "127.0.0.3") as (other,):
                assert status_of(other, HEALTH) == 200
        assert refusals(server.port, "address") == 3
        assert warnings(server) == ["connections refused"]
        # Those that are gone do not count any more, WebSockets included.
        for _ in range(3):
            with sockets(server.port, 10) as again:
                assert [status_of(each, upgrade_request()) for each in again] == [101] * 10
            wait_until_sockets(server, 1)


def test_clients_of_a_proxy_are_counted_by_their_own_address(tmp_path: Path) -> None:
    settings = "per_address = 3\nfirst_frame_seconds = 60"
    with server_with(tmp_path, settings) as server, sockets(server.port, 9, "127.0.0.1") as proxied:
        first = [status_of(each, upgrade_request(x_forwarded_for="192.0.2.1")) for each in proxied[:4]]
        assert first == [101, 101, 101, 429]
        assert status_of(proxied[4], upgrade_request(x_forwarded_for="192.0.2.2")) == 101
        # What a client writes itself is to the left of what the proxy appends.
        assert status_of(proxied[5], upgrade_request(x_forwarded_for="192.0.2.9, 192.0.2.1")) == 429
        # Requests count while they are not answered: these three wait for their body.
        for each in proxied[6:]:
            each.sendall(BODY.replace(b"Host: x", b"Host: x\r\nX-Forwarded-For: 192.0.2.3"))
        wait_until_sockets(server, 8)
        with sockets(server.port, 1, "127.0.0.1") as (more,):
            assert status_of(more, HEALTH.replace(b": x", b": x\r\nX-Forwarded-For: 192.0.2.3")) == 429
            assert status_of(more, HEALTH.replace(b": x", b": x\r\nX-Forwarded-For: 192.0.2.4")) == 200


def test_nobody_but_a_proxy_chooses_its_address(tmp_path: Path) -> None:
    with server_with(tmp_path, "per_address = 3") as server, sockets(server.port, 4) as connections:
        requests = [upgrade_request(x_forwarded_for=f"192.0.2.{number}") for number in range(4)]
        statuses = [status_of(*each) for each in zip(connections, requests, strict=True)]
        assert statuses == [101, 101, 101, 429]


def test_handshakes_have_a_rate_per_address(tmp_path: Path) -> None:
    # 5 a second, 25 at once.
    with server_with(tmp_path, "handshakes_per_address = 5") as server:
        with sockets(server.port, 200) as many:
            refused = [status_of(each, HEALTH) for each in many].count(429)
        assert refused >= 100
        assert refusals(server.port, "address_handshakes") == refused
        with sockets(server.port, 1, "127.0.0.3") as (other,):
            assert status_of(other, HEALTH) == 200


def test_silent_connections_never_lock_visitors_out(tmp_path: Path) -> None:
    with FewDescriptors(tmp_path / "data") as server, contextlib.ExitStack() as attackers:
        player = Client(server.port)
        for number in range(4):
            attackers.enter_context(sockets(server.port, 100, f"127.0.0.{number + 2}"))
        for _ in range(10):
            with sockets(server.port, 1, "127.0.0.9") as (visitor,):
                assert status_of(visitor, HEALTH) == 200
        assert player.ask("open", "room", game="gomoku", nonce="a")["room"]["game"] == "gomoku"
        assert metric(server.port, "process_open_fds") <= 300 - 64
        assert refusals(server.port, "replaced") > 100
        assert "connections near the limit" in warnings(server)
        player.close()
    assert len(warnings(server)) <= 2


def test_others_do_not_notice_half_sent_heads(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: connect_silently(server.port, HALF, stop))


def test_others_do_not_notice_websockets_without_a_frame(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: connect_silently(server.port, upgrade_request(), stop))


def connect_silently(port: int, start: bytes, stop: threading.Event) -> None:
    """Open connections as fast as one address may, from ten addresses, and keep them."""
    with contextlib.ExitStack() as kept:
        number = 0
        while not stop.wait(0.002) and number < 2_000:
            connection = kept.enter_context(open_socket(port, f"127.0.0.{2 + number % 10}"))
            with contextlib.suppress(OSError):
                connection.sendall(start)
            number += 1


def wait_until_sockets(server: ServerProcess, most: int) -> None:
    """Wait until the server has so few open sockets, the one that asks included."""
    deadline = time.monotonic() + GENEROUS
    while metric(server.port, "qipai_sockets") > most:
        assert time.monotonic() < deadline, "connections are still counted"
        time.sleep(0.05)
