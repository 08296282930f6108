"""The native protocol as transcripts: without a socket, and again over a real one."""

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed

from qipai.dialects.registry import PATHS
from qipai.games.registry import GAMES
from qipai.hall.reception import Reception
from qipai.kernel.codec import MAX_FRAME
from qipai.stores.memory import Memory
from qipai.transports import websocket
from qipai.transports.http import create_app
from qipai.transports.socketio.endpoint import SocketIO
from qipai.transports.upgrade import protocol_class
from tests.support.server import Client, free_port
from tests.support.stage import Peer, Stage, counted_entropy
from tests.transcripts.script import Actor, play

SCRIPTS = sorted((Path(__file__).parent / "native").glob("*.txt"))
TIMELESS = [script for script in SCRIPTS if "\n+" not in script.read_text("utf-8")]


class Player:
    """A client on the stage."""

    def __init__(self, stage: Stage) -> None:
        self.peer = Peer(stage)

    def send(self, frame: str) -> None:
        self.peer.raw(frame.encode())
        self.peer.stage.settle()

    def hear(self) -> dict[str, Any] | None:
        frames = self.peer.wire.frames
        if self.peer.read == len(frames):
            return None
        self.peer.read += 1
        message: dict[str, Any] = json.loads(frames[self.peer.read - 1])
        return message

    def cut(self) -> None:
        self.peer.cut()

    def back(self) -> None:
        raise NotImplementedError("native clients resume")

    def leave(self) -> None:
        self.peer.cut()


class StageTheatre:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def enter(self, who: str) -> Actor:
        return Player(self.stage)

    def wait(self, seconds: float) -> None:
        self.stage.wait(seconds)


class Caller:
    """A client on a socket."""

    def __init__(self, port: int) -> None:
        self.client = Client(port, greet=False)

    def send(self, frame: str) -> None:
        self.client.socket.send(frame)

    def hear(self) -> dict[str, Any] | None:
        try:
            return self.client.hear(0.25)
        except (TimeoutError, ConnectionClosed):
            return None

    def cut(self) -> None:
        self.client.close()

    def back(self) -> None:
        raise NotImplementedError("native clients resume")

    def leave(self) -> None:
        self.client.close()


class SocketTheatre:
    """A real server in a thread, with the same chance as the stage."""

    def __init__(self) -> None:
        self.port = free_port()
        self._callers: list[Caller] = []
        self._server: uvicorn.Server | None = None
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    async def _serve(self) -> None:
        hall = Reception(GAMES, Memory(), entropy=counted_entropy(), bot_pause=0)
        hall.start()
        routes = {path: websocket.route(hall, dialect) for path, dialect in PATHS.items()}
        config = uvicorn.Config(
            create_app(hall, SocketIO()),
            host="127.0.0.1",
            port=self.port,
            ws=protocol_class(routes, MAX_FRAME),
            lifespan="off",
            log_config=None,
        )
        self._server = uvicorn.Server(config)
        asyncio.get_running_loop().call_later(0.3, self._up.set)
        await self._server.serve()
        await hall.stop()

    def __enter__(self) -> "SocketTheatre":
        self._thread.start()
        assert self._up.wait(10)
        return self

    def __exit__(self, *_: object) -> None:
        for caller in self._callers:
            caller.cut()
        assert self._server is not None
        self._server.should_exit = True
        self._thread.join(10)

    def enter(self, who: str) -> Actor:
        caller = Caller(self.port)
        self._callers.append(caller)
        return caller

    def wait(self, seconds: float) -> None:
        raise NotImplementedError("a real clock does not jump")


@pytest.fixture
def theatre() -> Iterator[StageTheatre]:
    with Stage(bot_pause=0) as stage:
        yield StageTheatre(stage)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_on_the_stage(script: Path, theatre: StageTheatre) -> None:
    play(script, theatre)


@pytest.mark.slow
@pytest.mark.parametrize("script", TIMELESS, ids=lambda script: script.stem)
def test_transcript_over_a_real_socket(script: Path) -> None:
    with SocketTheatre() as theatre:
        play(script, theatre)


def test_most_transcripts_run_in_both_places() -> None:
    assert len(TIMELESS) >= 4
