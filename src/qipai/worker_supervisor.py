"""Starts several worker processes on one port, restarts them when they die, stops them."""

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

from .log_setup import set_up_logging
from .settings import ConfigurationError, Settings, is_shared
from .sockets import bind

POLL_SECONDS: Final = 0.1
STOP_SECONDS: Final = 15.0
"""Seconds that workers have to stop before they are killed."""
RESTART_SECONDS: Final = (0.2, 5.0)
"""First and longest pause before a worker that died is restarted."""
HEALTHY_SECONDS: Final = 10.0
"""A worker that ran for so long did not die of its start; it is restarted at once."""
IS_WORKER: Final = "QIPAI_WORKER"
"""Environment variable of a worker: it shares its port."""
CONFIGURATION_EXIT: Final = 2

_log = structlog.get_logger("qipai")


class WorkerProcess:
    """One of the workers, restarted each time it ends."""

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._command = command
        self._environment = environment
        self._pause = RESTART_SECONDS[0]
        self._restart_at = 0.0
        self._started_at = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def start(self) -> None:
        """Start the process."""
        # Its standard input closes when this process ends for any reason; then the worker stops too.
        self._process = subprocess.Popen(  # noqa: S603 - our own program
            self._command, env=self._environment, stdin=subprocess.PIPE
        )
        self._started_at = monotonic()
        self.starts += 1

    def check(self) -> int | None:
        """Return the exit code if the worker has ended since the last call; restart it when it is time."""
        if self._process is None:
            if monotonic() >= self._restart_at:
                self.start()
            return None
        code = self._process.poll()
        if code is not None:
            healthy = monotonic() - self._started_at > HEALTHY_SECONDS
            self._pause = RESTART_SECONDS[0] if healthy else min(2 * self._pause, RESTART_SECONDS[1])
            self._restart_at = monotonic() + (0 if healthy else self._pause)
            self._release()
        return code

    def signal(self, number: int) -> None:
        """Send a signal to the process, if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def wait(self, deadline: float) -> None:
        """Wait until the process ends; kill it at the deadline."""
        if self._process is not None:
            try:
                self._process.wait(max(0.0, deadline - monotonic()))
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._release()

    def _release(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None


def run(settings: Settings, count: int, arguments: Sequence[str]) -> int:
    """Run so many workers until a signal arrives; return the exit code."""
    if not is_shared(settings):
        raise ConfigurationError("--workers: several workers need a shared store, such as redis://host:port")
    set_up_logging(settings.log_level)
    # This socket does not listen; it reserves the port while workers restart.
    with bind(settings.host, settings.port, reuse=True, listen=False) as reserved:
        environment = os.environ | {IS_WORKER: "1", "PORT": str(reserved.getsockname()[1])}
        command = [sys.executable, "-m", "qipai", *arguments, "serve"]
        return _supervise([WorkerProcess(command, environment) for _ in range(count)], reserved)


def _supervise(workers: list[WorkerProcess], reserved: socket.socket) -> int:
    signals: list[int] = []

    def on_signal(number: int, _frame: FrameType | None) -> None:
        signals.append(number)

    handlers = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    # A signal writes to this socket and so ends the wait below.
    wakeup, woken = socket.socketpair()
    wakeup.setblocking(False)
    woken.settimeout(POLL_SECONDS)
    previous_wakeup = signal.set_wakeup_fd(wakeup.fileno())
    try:
        for worker in workers:
            worker.start()
        _log.info("workers started", workers=len(workers), port=reserved.getsockname()[1])
        while not signals:
            for worker in workers:
                code = worker.check()
                if code == CONFIGURATION_EXIT and worker.starts == 1:
                    # A restart does not fix a wrong setting. A worker that was restarted exits with the
                    # same code when the store is away for a while; the other workers go on then.
                    return CONFIGURATION_EXIT
                if code is not None:
                    _log.error("worker ended", code=code)
            try:
                woken.recv(1)
            except TimeoutError:
                continue
        return 0
    finally:
        for worker in workers:
            worker.signal(signal.SIGTERM)
        deadline = monotonic() + STOP_SECONDS
        for worker in workers:
            worker.wait(deadline)
        signal.set_wakeup_fd(previous_wakeup)
        for number, handler in handlers.items():
            signal.signal(number, handler)
        wakeup.close()
        woken.close()
