"""Heads of requests without an end are refused after 16 kB, and nobody else notices."""

import contextlib
import socket
import threading
from collections.abc import Iterator

import pytest

from tests.attacks.other_players import assert_others_do_not_notice
from tests.attacks.raw_http import is_closed_within, open_socket, refusals, status_of, upgrade_request
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

KILOBYTE = 1024
HEALTH = b"GET /health HTTP/1.1\r\nHost: x\r\n\r\n"


def endless_header(kilobytes: int = 0) -> bytes:
    return b"GET /health HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * kilobytes * KILOBYTE


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("headers") / "data") as made:
        yield made


@contextlib.contextmanager
def connected(server: ServerProcess) -> Iterator[socket.socket]:
    with open_socket(server.port) as connection:
        yield connection


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (endless_header(15) + b"\r\n\r\n", 200),
        (endless_header(17) + b"\r\n\r\n", 431),
        (endless_header(200) + b"\r\n\r\n", 431),
        (endless_header(17), 431),
        (b"GET /health HTTP/1.1\r\nHost: x\r\n" + b"X-Many: 1\r\n" * 2_000, 431),
        (b"GET /" + b"a" * 15 * KILOBYTE + b" HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        (b"GET /" + b"a" * 17 * KILOBYTE + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET /" + b"a" * 200 * KILOBYTE, 414),
        (upgrade_request(x_long="a" * 10 * KILOBYTE), 101),
        (upgrade_request(x_long="a" * (16 * KILOBYTE - 520)), 101),
        (upgrade_request(x_long="a" * (16 * KILOBYTE - 300)), 431),
        (upgrade_request(x_long="a" * 17 * KILOBYTE), 431),
    ],
    ids=[
        "15 kB", "17 kB", "200 kB", "no end", "many headers", "URL 15 kB", "URL 17 kB", "URL no end",
        "upgrade 10 kB", "upgrade 15.5 kB", "upgrade 15.8 kB", "upgrade 17 kB",
    ],
)  # fmt: skip
def test_a_head_above_16_kb_is_refused_and_its_connection_closed(
    server: ServerProcess, request_: bytes, status: int
) -> None:
    before = {reason: refusals(server.port, reason) for reason in ("url_bytes", "header_bytes")}
    with connected(server) as connection:
        assert status_of(connection, request_) == status
        assert status not in {414, 431} or is_closed_within(connection, 30)
    assert refusals(server.port, "url_bytes") - before["url_bytes"] == (status == 414)
    assert refusals(server.port, "header_bytes") - before["header_bytes"] == (status == 431)
    with connected(server) as other:
        assert status_of(other, HEALTH) == 200


def test_another_request_in_the_same_packet_has_the_same_limit(server: ServerProcess) -> None:
    before = refusals(server.port, "header_bytes")
    with connected(server) as connection, contextlib.suppress(ConnectionResetError):
        connection.sendall(HEALTH + endless_header(17) + b"\r\n\r\n")
        assert is_closed_within(connection, 30)
    assert refusals(server.port, "header_bytes") == before + 1


def test_a_trailer_without_an_end_closes_the_connection(server: ServerProcess) -> None:
    before = refusals(server.port, "header_bytes")
    with connected(server) as connection, contextlib.suppress(OSError):
        head = b"POST /api/game/start HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
        connection.sendall(head + b"2\r\n{}\r\n0\r\nX-Trailer: ")
        for _ in range(64):
            connection.sendall(b"a" * KILOBYTE)
        assert is_closed_within(connection, 30)
    assert refusals(server.port, "header_bytes") == before + 1


def test_requests_that_are_no_http_are_not_logged(server: ServerProcess) -> None:
    for _ in range(50):
        with connected(server) as connection:
            assert status_of(connection, b"nonsense\r\n\r\n") == 400
    assert "Invalid HTTP" not in server.log.read_text()


def test_others_do_not_notice_headers_without_an_end(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: send_endlessly(server.port, endless_header(), stop))


def test_others_do_not_notice_urls_without_an_end(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: send_endlessly(server.port, b"GET /", stop))


def send_endlessly(port: int, start: bytes, stop: threading.Event) -> None:
    """Send a header line without an end on four connections; connect again when one is closed."""
    attackers: list[socket.socket] = []
    while not stop.is_set():
        for each in list(attackers):
            try:
                each.send(b"a" * 64 * KILOBYTE)
            except BlockingIOError:
                continue
            except OSError:
                each.close()
                attackers.remove(each)
        # Not above the rate of handshakes, where the server would answer less.
        if len(attackers) < 4 and not stop.wait(0.03):
            attackers.append(open_socket(port))
            attackers[-1].sendall(start)
            attackers[-1].setblocking(False)
    for each in attackers:
        each.close()
