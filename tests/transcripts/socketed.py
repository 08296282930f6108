"""Transcripts over real sockets: one theatre, which says who comes in."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable

import uvicorn

from qipai.clients.client_registry import OlderClients
from qipai.games.game_registry import GAMES
from qipai.hall.hall import Hall
from qipai.kernel.codec import MAX_FRAME
from qipai.server import websocket
from qipai.server.http_app import PAGE, create_app
from qipai.socketio.websocket_upgrade import protocol_class
from qipai.stores.memory_store import MemoryStore
from tests.support.server import free_port
from tests.support.stage import counted_entropy
from tests.transcripts.script import Actor


class Server(uvicorn.Server):
    """uvicorn, which tells when it listens."""

    up: threading.Event

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.up.set()


class SocketTheatre:
    """A real server in a thread, with the same chance as the stage; `actor` makes a client of its port."""

    def __init__(self, actor: Callable[[int, str], Actor]) -> None:
        self.port = free_port()
        self._actor = actor
        self._callers: list[Actor] = []
        self._server: Server | None = None
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        clients = OlderClients()
        hall = Hall(GAMES, MemoryStore(), entropy=counted_entropy(), bot_pause=0, clients=clients.support)
        hall.start()
        served = clients.routes(hall.clients, (), None, PAGE)
        routes = {path: websocket.route(hall, made) for path, made in served.websockets.items()}
        config = uvicorn.Config(
            create_app(hall, served.http),
            host="127.0.0.1",
            port=self.port,
            ws=protocol_class(routes, MAX_FRAME),
            lifespan="off",
            log_config=None,
        )
        self._server = Server(config)
        self._server.up = self._up
        await self._server.serve()
        await hall.stop()

    def __enter__(self) -> "SocketTheatre":
        self._thread.start()
        assert self._up.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        for caller in self._callers:
            caller.cut()
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(60)

    def enter(self, who: str) -> Actor:
        caller = self._actor(self.port, who)
        self._callers.append(caller)
        return caller

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
