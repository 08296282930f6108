"""Keeps the event loop of a server responsive: measures how late it is, and controls the garbage collector.

A move makes no reference cycles, and the objects of a table live long: a pass of the collector over all
tables would find nothing, and every move would wait for it (36 ms with 10,000 tables). Objects that have
survived a moment are therefore never visited again, except when nobody plays.
"""

import asyncio
import gc
from collections.abc import Callable
from typing import Final

from prometheus_client import Histogram

TICK: Final = 0.05
"""Seconds between two measurements."""
YOUNG_OBJECTS: Final = 1_000
"""New objects since the last tick, freed ones subtracted, from which cycles among them are looked for."""
FULL_AFTER: Final = 600.0
"""Seconds after which all objects are visited as soon as no command arrives for a tick."""
FULL_AT_LATEST: Final = 24 * 3600.0
"""Seconds after which they are visited in any case."""
_BUCKETS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)


class EventLoopMonitor:
    """Runs a timer in the event loop; `commands` is the number of commands so far."""

    def __init__(self, commands: Callable[[], int]) -> None:
        self.lag = Histogram(
            "qipai_event_loop_lag_seconds",
            "How late a timer runs: so long a frame may have to wait",
            buckets=_BUCKETS,
            registry=None,
        )
        self._commands = commands
        self._commands_before = 0
        self._full_at = self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def take_over(self) -> None:
        """Take the garbage collector over: what is loaded next has no cycles to look for."""
        gc.disable()

    def start(self) -> None:
        """Start the timer. Everything loaded so far lives as long as the process."""
        self.take_over()
        gc.collect()
        gc.freeze()
        now = asyncio.get_running_loop().time()
        self._full_at = now
        self._schedule(now)

    def stop(self) -> None:
        """Leave the garbage collector as it was."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        gc.unfreeze()
        gc.enable()

    def _schedule(self, now: float) -> None:
        self._due = now + TICK
        self._timer = asyncio.get_running_loop().call_at(self._due, self._tick)

    def _tick(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        self.lag.observe(max(0.0, now - self._due))
        self._collect(now)
        self._schedule(loop.time())

    def _collect(self, now: float) -> None:
        commands = self._commands()
        idle, self._commands_before = commands == self._commands_before, commands
        age = now - self._full_at
        if age > FULL_AT_LATEST or (age > FULL_AFTER and idle):
            self._full_at = now
            gc.unfreeze()
            gc.collect()
        elif gc.get_count()[0] > YOUNG_OBJECTS:
            gc.collect(0)
        gc.freeze()
