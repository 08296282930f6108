"""Echo servers for the tests of the Socket.IO endpoint.

`SOCKETIO=official pytest tests/socketio` runs everything against the official server (official.mjs), which
shows that the tests expect what the protocol says; a test of more than that is marked `only_ours`.
The official server is installed by `cd bench/reference && ../../tools/npm ci`.
"""

from collections.abc import Iterator

import pytest

from tests.socketio.client_programs import CONNECT_TIMEOUT, PING_INTERVAL, PING_TIMEOUT, echo_server
from tests.socketio.raw_engineio import TRANSPORTS, RawSession


@pytest.fixture(scope="session")
def echo_port() -> Iterator[int]:
    """A server with rare pings."""
    with echo_server("--origin", "*", "--max-payload", "1000000") as port:
        yield port


@pytest.fixture(scope="session")
def fast_ping_port() -> Iterator[int]:
    """A server with fast pings and short time-outs."""
    limits = {
        "--ping-interval": PING_INTERVAL,
        "--ping-timeout": PING_TIMEOUT,
        "--connect-timeout": CONNECT_TIMEOUT,
    }
    times = [word for name, seconds in limits.items() for word in (name, f"{1000 * seconds:.0f}")]
    with echo_server(*times, "--max-payload", "20000") as port:
        yield port


@pytest.fixture(scope="session")
def recovery_port() -> Iterator[int]:
    """A server with connection state recovery for half a minute."""
    with echo_server("--ping-interval", "1500", "--ping-timeout", "3000", "--recovery", "30") as port:
        yield port


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def session(echo_port: int, transport: str) -> Iterator[RawSession]:
    """A new Engine.IO session with the echo server, once for every transport."""
    made = TRANSPORTS[transport](echo_port)
    yield made
    made.close()
