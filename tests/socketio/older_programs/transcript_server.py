"""A server process for transcripts: each line of input starts a new server on its own port.

It is the real server, with the randomness of the simulation and a store in memory. For each line it prints
`PORT INCIDENTS`, the incidents of all servers so far.
"""

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable, Iterator

import uvicorn

from qipai.clients.client_detection import ClientDetection
from qipai.clients.client_registry import http_routes
from qipai.clients.connection_recovery.browser_tag import browser_tag, pid_suffix
from qipai.clients.legacy_support import LegacySupport
from qipai.clients.socketio_gateway import SocketIOGateway
from qipai.games.game_registry import GAMES
from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.hall import Hall
from qipai.server.http_app import PAGE, create_app
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.uvicorn_picows import protocol_class
from qipai.socketio.websocket_transport import route
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import deterministic_entropy

MAX_PAYLOAD = 100_000
PERSON = 12
"""Bytes of entropy for a person id."""


class Server(uvicorn.Server):
    """uvicorn, which leaves signals to the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def transcript_entropy() -> Callable[[int], bytes]:
    """Return the entropy of the simulation; persons who log in do not use it up."""
    people, rest = deterministic_entropy("people"), deterministic_entropy()
    return lambda size: people(size) if size == PERSON else rest(size)


def build(listening: socket.socket) -> tuple[Server, Hall]:
    hall = Hall(GAMES, MemoryStore(), entropy=transcript_entropy(), bot_pause=0, clients=LegacySupport)
    support = hall.clients
    assert isinstance(support, LegacySupport)
    endpoint = SocketIO(
        max_payload=MAX_PAYLOAD,
        pid_suffix=lambda handshake: pid_suffix(browser_tag(hall.identity, handshake)),
    )
    endpoint.of("/", SocketIOGateway(support, ClientDetection(), endpoint))
    config = uvicorn.Config(
        create_app(hall, ConnectionLimits(), http_routes(support, endpoint, None, PAGE)),
        ws=protocol_class({"/socket.io/": route(endpoint)}, MAX_PAYLOAD),
        http="httptools",
        lifespan="off",
        access_log=False,
        log_level="error",
    )
    hall.start()
    return Server(config), hall


async def main() -> None:
    loop = asyncio.get_running_loop()
    halls: list[Hall] = []
    async with asyncio.TaskGroup() as houses:
        servers: list[Server] = []
        while await loop.run_in_executor(None, sys.stdin.readline):
            listening = socket.create_server(("127.0.0.1", 0), backlog=100)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            server, hall = build(listening)
            servers.append(server)
            halls.append(hall)
            houses.create_task(server.serve([listening]))
            print(listening.getsockname()[1], sum(each.internal_errors.count for each in halls), flush=True)
        for hall in halls:
            await hall.stop()
        for server in servers:
            server.should_exit = True


if __name__ == "__main__":
    asyncio.run(main())
