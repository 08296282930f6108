"""Echo servers for the tests of the Socket.IO endpoint.

`SOCKETIO=official pytest tests/socketio` runs everything against the official server (official.mjs),
which shows that the tests ask for what the protocol says; where our norm asks for more, a test is marked
`ours`.
The official server is installed by `cd bench/reference && ../../tools/npm ci`.
"""

from collections.abc import Iterator

import pytest

from tests.socketio.programs import ANSWER, CONNECT, INTERVAL, echo_server
from tests.socketio.wire import TRANSPORTS, Line


@pytest.fixture(scope="session")
def calm() -> Iterator[int]:
    """A server that pings rarely."""
    with echo_server("--origin", "*", "--max-payload", "1000000") as port:
        yield port


@pytest.fixture(scope="session")
def quick() -> Iterator[int]:
    """A server that pings often and waits for nobody for long."""
    limits = {"--ping-interval": INTERVAL, "--ping-timeout": ANSWER, "--connect-timeout": CONNECT}
    times = [word for name, seconds in limits.items() for word in (name, f"{1000 * seconds:.0f}")]
    with echo_server(*times, "--max-payload", "20000") as port:
        yield port


@pytest.fixture(scope="session")
def recovering() -> Iterator[int]:
    """A server that holds sessions for half a minute."""
    with echo_server("--ping-interval", "1500", "--ping-timeout", "3000", "--recovery", "30") as port:
        yield port


@pytest.fixture(params=TRANSPORTS)
def transport(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def line(calm: int, transport: str) -> Iterator[Line]:
    """A fresh Engine.IO session on the calm server, once for every transport."""
    made = TRANSPORTS[transport](calm)
    yield made
    made.drop()
