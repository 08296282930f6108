"""A real server process, and a small blocking client for it."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect

Message = dict[str, Any]


_PORTS = range(10_000, 32_000)
"""Below the ephemeral ports of Linux, so that no outgoing connection uses one of them."""
_held: list[socket.socket] = []
"""UDP sockets that reserve our TCP ports until this process ends, also while a server is restarted."""


def free_port() -> int:
    """Return a free port that no other test process gets."""
    for port in random.SystemRandom().sample(_PORTS, 1_000):
        mark = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        try:
            mark.bind(("127.0.0.1", port))
            socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            mark.close()
            continue
        _held.append(mark)
        return port
    raise RuntimeError("no port is free")


class ServerProcess:
    """`qipai serve` on 127.0.0.1, stopped by its process id."""

    program = sys.executable
    arguments: tuple[str, ...] = ("-m", "qipai", "serve")

    def __init__(self, data: Path, port: int | None = None, config: str = "") -> None:
        self.data = data
        self.port = port or free_port()
        data.mkdir(parents=True, exist_ok=True)
        self._config = data / "test.toml"
        self._config.write_text(config or "bot_pause = 20\n")
        self.process: subprocess.Popen[str] | None = None
        self.environment: dict[str, str] = {}
        self.log = data / "server.log"

    def launch(self) -> subprocess.Popen[str]:
        """Start the process without waiting until it listens."""
        environment = os.environ | {
            "PORT": str(self.port),
            "HOST": "127.0.0.1",
            "QIPAI_DATA": str(self.data),
            "QIPAI_CONFIG": str(self._config),
            **self.environment,
        }
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [self.program, *self.arguments],
                env=environment,
                stdout=log,
                stderr=log,
                text=True,
            )
        return self.process

    def start(self) -> Self:
        process = self.launch()
        for _ in range(1_200):
            if process.poll() is not None:
                raise RuntimeError(self.log.read_text())
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return self
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(0.05)
        raise RuntimeError("the server does not listen")

    def signal(self, number: int) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def wait(self, seconds: float = 60) -> int:
        assert self.process is not None
        return self.process.wait(seconds)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait()

    def stop(self) -> int:
        self.signal(signal.SIGTERM)
        return self.wait()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.stop()

    @property
    def errors(self) -> list[Message]:
        """Return the error lines of the server's log."""
        lines = [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]
        return [line for line in lines if line["level"] == "error"]


class Client:
    """A blocking client of the native protocol."""

    def __init__(
        self,
        port: int,
        token: str = "",
        name: str = "",
        path: str = "/play",
        *,
        greet: bool = True,
        cookie: str = "",
    ) -> None:
        self._open = contextlib.ExitStack()
        self.socket: ClientConnection = self._open.enter_context(
            connect(
                f"ws://127.0.0.1:{port}{path}",
                additional_headers={"cookie": cookie} if cookie else None,
                compression=None,
                max_size=None,
                max_queue=None,
                open_timeout=60,
                ping_interval=None,
            )
        )
        if greet:
            self.send("hello", token=token, name=name)
            self.welcome = self.receive_until("welcome")
            self.token: str = self.welcome["token"]

    def send(self, type_: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type_, **fields}))

    def receive(self, seconds: float = 60) -> Message:
        message: Message = json.loads(self.socket.recv(seconds))
        return message

    def receive_until(self, *types: str, seconds: float = 60) -> Message:
        while (message := self.receive(seconds))["type"] not in types:
            pass
        return message

    def receive_event(self, name: str) -> Message:
        """Receive until an event with this name arrives, and return it."""
        while True:
            for event in self.receive_until("events")["events"]:
                if event["e"] == name:
                    return dict(event)

    def ask(self, type_: str, *answers: str, **fields: Any) -> Message:
        self.send(type_, **fields)
        return self.receive_until(*answers)

    def close(self) -> None:
        self._open.close()


@contextlib.contextmanager
def clients(port: int, count: int) -> Iterator[list[Client]]:
    """Yield some clients and close them afterwards."""
    made = [Client(port) for _ in range(count)]
    try:
        yield made
    finally:
        for client in made:
            client.close()
