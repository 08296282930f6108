"""The servers under test, each in a child process."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from tools.redis_server import find

from .failure import Failure
from .node import REFERENCE, find_node, install

HOST: Final = "127.0.0.1"
START_LIMIT: Final = 20.0
STOP_LIMIT: Final = 10.0


class Server:
    """A child process: its name, its process id and its port."""

    def __init__(
        self, name: str, command: list[str], port: int, settings: dict[str, str], folder: Path
    ) -> None:
        self.name = name
        self.port = port
        self.pid = 0
        self.data = folder / "data"
        """The data folder, if this is Qipai."""
        self._command = command
        self._folder = folder
        self._settings = settings
        self._child: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the child; its output goes into files in its folder."""
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

    def wait_for_port(self) -> int:
        """Wait for the port that the server prints."""
        for _ in self._waiting():
            if line := (self._folder / "out").read_text().strip():
                self.port = int(line)
                return self.port
        raise self.failure("printed no port")

    def wait_until_healthy(self) -> float:
        """Wait until `/health` answers; return the seconds that it took."""
        started = time.monotonic()
        for _ in self._waiting():
            if is_healthy(self.port):
                return time.monotonic() - started
        raise self.failure("did not become healthy")

    def wait_until_listening(self) -> None:
        """Wait until the port accepts connections."""
        for _ in self._waiting():
            with contextlib.suppress(OSError), socket.create_connection((HOST, self.port), 1):
                return
        raise self.failure("does not listen")

    def wait_for_log(self, event: str, times: int) -> None:
        """Wait until the child has logged an event so many times."""
        for _ in self._waiting():
            if (self._folder / "err").read_text().count(f'"{event}"') >= times:
                return
        raise self.failure(f"did not log {event}")

    def kill(self) -> None:
        """End the child at once, as a crash would."""
        assert self._child is not None
        self._child.kill()
        self._child.wait(STOP_LIMIT)

    def stop(self) -> None:
        """Terminate the child, and kill it if it does not end."""
        if self._child is None or self._child.poll() is not None:
            return
        self._child.terminate()
        try:
            self._child.wait(STOP_LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def failure(self, problem: str) -> Failure:
        """Return a failure with the last line that the child wrote."""
        errors = self._folder / "err"
        lines = errors.read_text().strip().splitlines() if errors.exists() else []
        return Failure(f"{self.name} {problem}: {lines[-1][:200] if lines else 'no output'}")

    def _waiting(self) -> Iterator[None]:
        assert self._child is not None
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline and self._child.poll() is None:
            yield
            time.sleep(0.01)


def running(port: int, pid: int) -> Server:
    """Return a server that already runs."""
    server = Server("running", [], port, {}, Path())
    server.pid = pid
    return server


@contextlib.contextmanager
def qipai_server(
    store: str = "", workers: int = 1, prepare: Callable[[Path], None] | None = None
) -> Iterator[Server]:
    """Run Qipai on a new data folder, or as workers on a shared store; `prepare` fills the folder first."""
    with _folder() as folder:
        if prepare is not None:
            prepare(folder / "data")
        settings = {"HOST": HOST, "PORT": str(free_port()), "QIPAI_DATA": str(folder / "data")}
        command = [sys.executable, "-m", "qipai", "serve"]
        name = "qipai"
        if store:
            settings["QIPAI_STORE"] = store
            command += ["--workers", str(workers)]
            name = f"qipai, {workers} on Redis"
        server = Server(name, command, int(settings["PORT"]), settings, folder)
        with _running(server):
            server.wait_until_healthy()
            server.wait_for_log("serving", workers)
            yield server


@contextlib.contextmanager
def redis_server() -> Iterator[Server]:
    """Run a Redis that writes nothing to disk: the program of the test extra, or the installed one."""
    program = find()
    if program is None:
        raise Failure("no redis-server: install the test extra, or Redis itself")
    with _folder() as folder:
        port = free_port()
        options = ["--bind", HOST, "--port", str(port), "--save", "", "--appendonly", "no"]
        server = Server("redis", [program, *options], port, {}, folder)
        with _running(server):
            server.wait_until_listening()
            yield server


@contextlib.contextmanager
def reference_server(name: str, *options: str) -> Iterator[Server]:
    """Run one of the reference servers; the options add to the minimum that it does."""
    install(REFERENCE)
    command = [find_node(), str(REFERENCE / f"{name}.mjs"), *options]
    with printing_server(" ".join(["node", name, *options]), command, {"PORT": "0"}) as server:
        yield server


@contextlib.contextmanager
def printing_server(name: str, command: list[str], settings: dict[str, str]) -> Iterator[Server]:
    """Run a server that chooses a free port and prints it; its current folder is empty and its own."""
    with _folder() as folder:
        server = Server(name, command, 0, settings, folder)
        with _running(server):
            server.wait_for_port()
            yield server


def free_port() -> int:
    """Return a port that is free now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])


def is_healthy(port: int) -> bool:
    """Tell whether `/health` answers 200 within a second."""
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
