"""Handles incoming frames in order; frames of a connection that waits for an answer are deferred."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.hall.background_tasks import BackgroundTasks, Work
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis

from .connection import Connection

DEFERRED_BYTES: Final = 128 * 1024
"""Bytes that are kept of a waiting connection; frames beyond are dropped."""
FRAME_OVERHEAD: Final = 256
"""Bytes that each deferred frame counts for besides its length."""


class Inbox:
    """Handles frames in the order of arrival. `write` is called when all that arrived has been handled.

    Reading, handling, writing and sending in four sweeps makes the batches of the journal.
    """

    def __init__(self, now: Now, write: Callable[[], None], tasks: BackgroundTasks) -> None:
        self._now = now
        self._write = write
        self._tasks = tasks
        self._arrived: list[tuple[Connection, bytes | None]] = []
        self._waiting: dict[Connection, deque[tuple[int, Callable[[], None]]]] = {}
        self.frames = 0

    def arrived(self, connection: Connection, frame: bytes | None) -> None:
        """Take a frame from the transport; None once the transport is closed.

        It is handled when everything that can be read now has been read.
        """
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._sweep)
        self._arrived.append((connection, frame))

    def _sweep(self) -> None:
        arrived, self._arrived = self._arrived, []
        now, waiting = self._now(), self._waiting
        self.frames += len(arrived)
        remaining = iter(arrived)
        try:
            for connection, frame in remaining:
                if waiting and connection in waiting:
                    self._keep(connection, frame, now)
                else:
                    connection.receive(frame, now)
        except BaseException:
            # A failure in one connection does not concern the others: they are handled in the next turn.
            self._arrived[:0] = remaining
            asyncio.get_running_loop().call_soon(self._sweep)
            raise
        self._write()

    # Coroutines of connections

    def handler(
        self, work: Callable[[Connection, Any, Millis], Work]
    ) -> Callable[[Connection, Any, Millis], None]:
        """Return a handler that runs a coroutine; what the connection sends meanwhile waits until it ends."""

        def handle(connection: Connection, intent: Any, now: Millis) -> None:
            self.run(connection, partial(work, connection, intent, now))

        return handle

    def run(self, connection: Connection, work: Callable[[], Work]) -> None:
        """Run a coroutine for a connection, after those that it waits for already."""
        if not self.defer(connection, partial(self.run, connection, work)):
            self._waiting[connection] = deque()
            self._tasks.run(self._run(connection, work))

    async def _run(self, connection: Connection, work: Callable[[], Work]) -> None:
        try:
            await connection.guard(work())
        finally:
            self._continue(connection)

    def defer(self, connection: Connection, work: Callable[[], None]) -> bool:
        """Tell whether the connection waits; if so, the work is done in its turn."""
        queue = self._waiting.get(connection)
        if queue is None:
            return False
        queue.append((0, work))
        return True

    def _keep(self, connection: Connection, frame: bytes | None, now: Millis) -> None:
        queue = self._waiting[connection]
        size = 0 if frame is None else len(frame) + FRAME_OVERHEAD
        if sum(each for each, _ in queue) + size <= DEFERRED_BYTES or frame is None:
            queue.append((size, partial(connection.receive, frame, now)))

    def _continue(self, connection: Connection) -> None:
        queue = self._waiting.pop(connection)
        while queue:
            _, work = queue.popleft()
            work()
            if (later := self._waiting.get(connection)) is not None:
                # It waits once more, and the rest of the queue after that.
                later.extend(queue)
                return
