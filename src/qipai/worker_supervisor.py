"""Several workers on one port and one store: begun, begun again when they die, stopped together."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from time import monotonic
from types import FrameType
from typing import Final

import structlog

from .app import bind, set_up_logging
from .settings import ConfigurationError, Settings, shared

POLL: Final = 0.1
PATIENCE: Final = 15.0
"""Seconds that workers have to stop."""
PAUSE: Final = (0.2, 5.0)
"""Seconds until a worker that died is begun again: at first, and at the most."""
HEALTHY: Final = 10.0
"""One that lived so long did not die of its start."""
WORKER: Final = "QIPAI_WORKER"
"""In the environment of a worker: it shares its port."""

_log = structlog.get_logger("qipai")


class WorkerProcess:
    """A worker's place: whoever has it, since when, and when it is filled again."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._pause = PAUSE[0]
        self._due = 0.0
        self.began = 0.0
        self.filled = 0
        self.process: subprocess.Popen[bytes] | None = None

    def fill(self) -> None:
        """Begin a worker."""
        # Its standard input ends with us, however we end: then it stops as well.
        self.process = subprocess.Popen(  # noqa: S603 - our own program
            self._command, env=self._environment, stdin=subprocess.PIPE
        )
        self.began = monotonic()
        self.filled += 1

    def look(self) -> int | None:
        """Return how the worker ended if it has just done so; begin another when it is time."""
        if self.process is None:
            if monotonic() >= self._due:
                self.fill()
            return None
        code = self.process.poll()
        if code is not None:
            lived = monotonic() - self.began
            self._pause = PAUSE[0] if lived > HEALTHY else min(2 * self._pause, PAUSE[1])
            self._due = monotonic() + (0 if lived > HEALTHY else self._pause)
            self._close()
        return code

    def stop(self, number: int) -> None:
        """Tell the worker to stop."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def wait(self, until: float) -> None:
        """Wait for the worker to stop; end it if it takes too long."""
        if self.process is not None:
            try:
                self.process.wait(max(0.0, until - monotonic()))
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self._close()

    def _close(self) -> None:
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()
        self.process = None


def run(settings: Settings, count: int, config: Sequence[str]) -> int:
    """Serve with so many workers until told to stop; return the exit code."""
    if not shared(settings):
        raise ConfigurationError("--workers: several workers need a store they can share, redis://…")
    set_up_logging(settings.log_level)
    # Nobody listens here; it keeps the port ours while workers come and go.
    with bind(settings.host, settings.port, reuse=True, listen=False) as reserved:
        environment = os.environ | {WORKER: "1", "PORT": str(reserved.getsockname()[1])}
        command = [sys.executable, "-m", "qipai", *config, "serve"]
        return _watch([WorkerProcess(command, environment) for _ in range(count)], reserved)


def _watch(posts: list[WorkerProcess], reserved: socket.socket) -> int:
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    # A signal wakes us from waiting.
    waker, woken = socket.socketpair()
    waker.setblocking(False)
    woken.settimeout(POLL)
    descriptor = signal.set_wakeup_fd(waker.fileno())
    try:
        for post in posts:
            post.fill()
        _log.info("workers begun", workers=len(posts), port=reserved.getsockname()[1])
        while not stopping:
            for post in posts:
                code = post.look()
                if code == 2 and post.filled == 1:
                    # What an operator must mend is not mended by another try; later on it is more likely that
                    # the store is out of reach for a while, which must not take the other workers along.
                    return 2
                if code is not None:
                    _log.error("a worker ended", code=code)
            try:
                woken.recv(1)
            except TimeoutError:
                continue
        return 0
    finally:
        for post in posts:
            post.stop(signal.SIGTERM)
        until = monotonic() + PATIENCE
        for post in posts:
            post.wait(until)
        signal.set_wakeup_fd(descriptor)
        for number, handler in before.items():
            signal.signal(number, handler)
        waker.close()
        woken.close()
