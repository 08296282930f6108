"""The one TaskGroup of the hall: everything that waits off the move path runs in it."""

import asyncio
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import coroutine
from typing import Any, Final, TypeVar

from qipai.hall.journal.store_interface import StoreError

from .failure_isolation import FailureIsolation

Work = Coroutine[Any, Any, None]
T = TypeVar("T")

ANSWER_LIMIT: Final = 4.0
"""Seconds to wait for one answer from another process."""


class BackgroundTasks:
    """Runs coroutines in one TaskGroup until `close`, which cancels those that still wait.

    A coroutine runs at once until it first waits. One that never waits finishes inside `run`: an answer that
    is there already costs no turn of the event loop, and the order of frames stays as it is. `failed` is
    called with what a coroutine raises later: one failure must not cancel the others.
    """

    def __init__(self, failed: Callable[[Exception], object]) -> None:
        self._failed = failed
        self._waiting: set[asyncio.Task[None]] = set()
        self._early: list[Work] = []
        self._group: asyncio.TaskGroup | None = None
        self._owner: asyncio.Task[None] | None = None
        self._closed = False

    async def close(self) -> None:
        """Cancel what still waits and return when it has ended; nothing is run any more."""
        self._closed = True
        for task in self._waiting:
            task.cancel()
        if self._owner is not None:
            await self._owner

    def run(self, work: Work) -> None:
        """Run a coroutine, at once until it first waits."""
        if self._closed:
            work.close()
            return
        try:
            waits_for = work.send(None)
        except StopIteration:
            return
        rest = self._finish(work, waits_for)
        if self._group is not None and self._waiting:
            self._create(self._group, rest)
        else:
            self._early.append(rest)
            if self._owner is None or self._owner.done():
                self._owner = asyncio.get_running_loop().create_task(self._own())

    def _create(self, group: asyncio.TaskGroup, rest: Work) -> None:
        task = group.create_task(rest)
        self._waiting.add(task)
        task.add_done_callback(self._waiting.discard)
        if self._closed:
            task.cancel()

    async def _own(self) -> None:
        """Hold the group while anything waits: an idle hall has no task."""
        while self._early:
            async with asyncio.TaskGroup() as self._group:
                early, self._early = self._early, []
                for rest in early:
                    self._create(self._group, rest)
            self._group = None

    async def _finish(self, work: Work, waits_for: Any) -> None:
        with FailureIsolation(self._failed):
            await _forward(work, waits_for)


@coroutine
def _forward(work: Work, waits_for: Any) -> Generator[Any, Any, None]:
    """Continue a coroutine that was started outside of a task and waits for this."""
    while True:
        try:
            value = yield waits_for
        except BaseException as error:  # noqa: BLE001 - cancellation belongs to the coroutine
            resume = partial(work.throw, error)
        else:
            resume = partial(work.send, value)
        try:
            waits_for = resume()
        except StopIteration:
            return


async def answer(ask: Callable[[Callable[[T | StoreError], None]], object]) -> T:
    """Return what the callback receives; raise a `StoreError` that it receives, or after `ANSWER_LIMIT`."""
    loop = asyncio.get_running_loop()
    answered: asyncio.Future[T] = loop.create_future()

    def done(result: T | StoreError) -> None:
        if answered.done():
            return
        if isinstance(result, StoreError):
            answered.set_exception(result)
        else:
            answered.set_result(result)

    ask(done)
    if answered.done():
        return answered.result()
    timer = loop.call_later(ANSWER_LIMIT, done, StoreError("no answer in time"))
    try:
        return await answered
    finally:
        timer.cancel()
