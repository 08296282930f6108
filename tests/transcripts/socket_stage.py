"""Plays transcripts over real sockets."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable

import uvicorn

from qipai.clients.client_registry import OlderClients
from qipai.games.game_registry import GAMES
from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.hall import Hall
from qipai.kernel.codec import MAX_FRAME
from qipai.server import websocket
from qipai.server.http_app import PAGE, create_app
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.session_interfaces import Unlimited
from qipai.socketio.uvicorn_picows import protocol_class
from qipai.stores.memory_store import MemoryStore
from tests.support.hall_simulation import deterministic_entropy
from tests.support.server import free_port
from tests.transcripts.transcript import TranscriptClient


class Server(uvicorn.Server):
    """uvicorn, which tells when it listens."""

    is_up: threading.Event

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.is_up.set()


class SocketStage:
    """A real server in a thread, with the simulation's randomness; `make_client` connects to its port."""

    def __init__(self, client: Callable[[int, str], TranscriptClient]) -> None:
        self.port = free_port()
        self._make_client = client
        self._clients: list[TranscriptClient] = []
        self._server: Server | None = None
        self._is_up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        clients = OlderClients()
        hall = Hall(
            GAMES, MemoryStore(), entropy=deterministic_entropy(), bot_pause=0, clients=clients.support
        )
        hall.start()
        served = clients.routes(hall.clients, (), Unlimited(), None, PAGE)
        paths = {websocket.NATIVE_PATH: websocket.native_path(hall), **served.websockets}
        limits = ConnectionLimits()
        first_frames, origins = websocket.FirstFrames(limits), AllowedOrigins()
        routes = {path: websocket.route(hall, made, first_frames, origins) for path, made in paths.items()}
        config = uvicorn.Config(
            create_app(hall, limits, served.http),
            host="127.0.0.1",
            port=self.port,
            ws=protocol_class(routes, MAX_FRAME),
            lifespan="off",
            log_config=None,
        )
        self._server = Server(config)
        self._server.is_up = self._is_up
        await self._server.serve()
        await hall.stop()

    def __enter__(self) -> "SocketStage":
        self._thread.start()
        assert self._is_up.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients:
            client.cut()
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(60)

    def enter(self, who: str) -> TranscriptClient:
        client = self._make_client(self.port, who)
        self._clients.append(client)
        return client

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
