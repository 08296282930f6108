"""The port at which workers reach each other: outsiders have the same limits there as at the public one."""

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.attacks.raw_http import ATTACKER, open_socket, refusals, status_of, upgrade_request
from tests.socketio.raw_engineio import Polling, WebSocket
from tests.socketio.raw_socketio import connect
from tests.support.redis import RedisServer
from tests.support.server import free_port
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

LIMITS = "[connections]\nrequests_per_address = 1\nhandshakes_per_address = 20\n"
BURST = 5 * 20
"""What may come at once."""
GENEROUS = 60.0
"""Seconds; a busy machine needs some."""
HEALTH = "GET /health HTTP/1.1\r\nHost: x\r\n{}\r\n"


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Worker, Worker, int]]:
    """The worker that owns the sessions, another one, and the port of the first for other workers."""
    folder, port = tmp_path_factory.mktemp("ports"), free_port()
    with RedisServer(folder) as redis:
        own = f'worker_address = "127.0.0.1:{port}"\n' + LIMITS
        first = Worker(folder / "first", redis.address, config=own)
        with first, Worker(folder / "second", redis.address, config=LIMITS) as second:
            yield first, second, port


def answers(port: int, count: int, request: bytes, address: str = ATTACKER) -> list[int]:
    """Return the status of so many requests of an attacker, each on a connection of its own."""
    found = []
    for _ in range(count):
        with open_socket(port, address) as connection:
            found.append(status_of(connection, request))
    return found


@pytest.mark.parametrize(
    "request_", [HEALTH.format("").encode(), upgrade_request(), b"X"], ids=["request", "upgrade", "malformed"]
)
def test_an_outsider_is_limited_at_the_port_for_workers(
    owner: tuple[Worker, Worker, int], request_: bytes
) -> None:
    first, _, port = owner
    before = refusals(first.port, "address_handshakes")
    if request_ == b"X":
        until = time.monotonic() + GENEROUS
        with ExitStack() as connections:
            # The server accepts them when it can, and counts those that are too many in a second.
            while refusals(first.port, "address_handshakes") <= before:
                assert time.monotonic() < until
                for _ in range(BURST):
                    connections.enter_context(open_socket(port, "127.0.0.4"))
    else:
        assert 429 in answers(port, 5 * BURST, request_)


def test_clients_cannot_spend_the_requests_of_another_by_way_of_forwarded_requests(
    owner: tuple[Worker, Worker, int],
) -> None:
    first, second, _ = owner
    path = f"/socket.io/?EIO=4&transport=polling&sid={Polling(first.port).sid}x"
    chosen = f"GET {path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.9\r\n\r\n".encode()
    found = [
        status for last in range(10, 40) for status in answers(second.port, 2, chosen, f"127.0.0.{last}")
    ]
    assert found == [400] * 60, "the owner says that there is no such session, and never that it is too much"


def test_forwarded_requests_and_websockets_of_many_clients_are_served(
    owner: tuple[Worker, Worker, int],
) -> None:
    first, second, _ = owner
    sessions = [Polling(first.port) for _ in range(10)]
    for session in sessions:
        session.port = second.port
        connect(session)
        upgraded = WebSocket(second.port, session.sid)
        upgraded.send("5")
        upgraded.close()
    assert first.errors == second.errors == []
