"""The servers under test, each a child process of its own."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tools.redis_server import find

from .failure import Failure
from .node import REFERENCE, find_node, install

HOST: Final = "127.0.0.1"
START_LIMIT: Final = 20.0
STOP_LIMIT: Final = 10.0


class Server:
    """A running child: its name, its process and its port."""

    def __init__(
        self, name: str, command: list[str], port: int, settings: dict[str, str], folder: Path
    ) -> None:
        self.name = name
        self.port = port
        self.pid = 0
        self._command = command
        self._folder = folder
        self._settings = settings
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the child; what it complains about goes into a file of its folder."""
        with (self._folder / "out").open("wb") as out, (self._folder / "err").open("ab") as err:
            self._child = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=os.environ | self._settings,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )
        self.pid = self._child.pid

    def printed_port(self) -> int:
        """Wait for the port that a reference server prints."""
        for _ in self._waiting():
            if line := (self._folder / "out").read_text().strip():
                self.port = int(line)
                return self.port
        raise self.failure("printed no port")

    def healthy(self) -> float:
        """Wait until `/health` answers; return how many seconds that took."""
        began = time.monotonic()
        for _ in self._waiting():
            if answers(self.port):
                return time.monotonic() - began
        raise self.failure("did not become healthy")

    def listening(self) -> None:
        """Wait until the port takes connections."""
        for _ in self._waiting():
            with contextlib.suppress(OSError), socket.create_connection((HOST, self.port), 1):
                return
        raise self.failure("does not listen")

    def printed(self, what: str, times: int) -> None:
        """Wait until the child has logged an event so many times."""
        for _ in self._waiting():
            if (self._folder / "err").read_text().count(f'"{what}"') >= times:
                return
        raise self.failure(f"did not say {what}")

    def kill(self) -> None:
        """End the child at once, as a crash would."""
        assert self._child is not None
        self._child.kill()
        self._child.wait(STOP_LIMIT)

    def stop(self) -> None:
        """Ask the child to end, and end it if it does not."""
        if self._child is None or self._child.poll() is not None:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def failure(self, what: str) -> Failure:
        """Return the failure with the last line that the child wrote."""
        errors = self._folder / "err"
        said = errors.read_text().strip().splitlines() if errors.exists() else []
        return Failure(f"{self.name} {what}: {said[-1][:200] if said else 'no output'}")

    def _waiting(self) -> Iterator[None]:
        assert self._child is not None
        until = time.monotonic() + START_LIMIT
        while time.monotonic() < until and self._child.poll() is None:
            yield
            time.sleep(0.01)


def running(port: int, pid: int) -> Server:
    """Return a server that somebody else started."""
    server = Server("running", [], port, {}, Path())
    server.pid = pid
    return server


@contextlib.contextmanager
def ours(store: str = "", workers: int = 1) -> Iterator[Server]:
    """Run Qipai on a fresh data folder, or on a store that workers share."""
    with _folder() as folder:
        settings = {"HOST": HOST, "PORT": str(free_port()), "QIPAI_DATA": str(folder / "data")}
        command = [sys.executable, "-m", "qipai", "serve"]
        name = "qipai"
        if store:
            settings["QIPAI_STORE"] = store
            command += ["--workers", str(workers)]
            name = f"qipai, {workers} on Redis"
        server = Server(name, command, int(settings["PORT"]), settings, folder)
        with _running(server):
            server.healthy()
            server.printed("serving", workers)
            yield server


@contextlib.contextmanager
def redis() -> Iterator[Server]:
    """Run a Redis that writes nothing to disk: the binary of the test extra, or the machine's."""
    program = find()
    if program is None:
        raise Failure("no redis-server: install the test extra, or Redis itself")
    with _folder() as folder:
        port = free_port()
        options = ["--bind", HOST, "--port", str(port), "--save", "", "--appendonly", "no"]
        server = Server("redis", [program, *options], port, {}, folder)
        with _running(server):
            server.listening()
            yield server


@contextlib.contextmanager
def reference(name: str, *words: str) -> Iterator[Server]:
    """Run one of the reference servers; the words say what it does beyond the least."""
    install()
    with _folder() as folder:
        command = [find_node(), str(REFERENCE / f"{name}.mjs"), *words]
        server = Server(" ".join(["node", name, *words]), command, 0, {"PORT": "0"}, folder)
        with _running(server):
            server.printed_port()
            yield server


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    """Tell whether `/health` says 200 within a second."""
    try:
        with socket.create_connection((HOST, port), timeout=1) as peer:
            peer.sendall(f"GET /health HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n\r\n".encode())
            return peer.recv(64).split()[1:2] == [b"200"]
    except OSError:
        return False


@contextlib.contextmanager
def _running(server: Server) -> Iterator[None]:
    server.start()
    try:
        yield
    finally:
        server.stop()


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="qipai-bench-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
