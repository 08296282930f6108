"""Calls a function for each key whose time is over, with one timer for all keys."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from qipai.socketio.timeout_queue import TimeoutQueue

K = TypeVar("K", bound=Hashable)


class Timeouts(Generic[K]):
    """Keys that are given to `expired` so many seconds after they were added."""

    def __init__(self, seconds: float, expired: Callable[[K], None]) -> None:
        self._expired = expired
        self._queue: TimeoutQueue[K] = TimeoutQueue(seconds, self._set_timer)
        self._timer: asyncio.TimerHandle | None = None

    def add(self, key: K) -> None:
        """Start the time of a key, unless it runs already."""
        if key not in self._queue:
            self._queue.add(key, asyncio.get_running_loop().time())

    def drop(self, key: K) -> None:
        """Forget a key."""
        self._queue.drop(key)

    def pop_first(self) -> K | None:
        """Remove and return the key that was added first, if there is one."""
        return self._queue.pop_first()

    def _set_timer(self, due: float) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_at(due, self._sweep)

    def _sweep(self) -> None:
        self._timer = None
        for key in list(self._queue.pop_expired(asyncio.get_running_loop().time())):
            self._expired(key)
        if (due := self._queue.next_due()) is not None:
            self._set_timer(due)
