"""Handles incoming frames in order; frames of a connection that waits for an answer are deferred."""

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any, Final

from qipai.hall.background_tasks import BackgroundTasks, Work
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import SPECTATOR, Millis

from .connection import Connection

DEFERRED_BYTES: Final = 128 * 1024
"""Bytes that are kept of a waiting connection; beyond, it is closed, or frames of older clients dropped."""
FRAME_OVERHEAD: Final = 256
"""Bytes that each deferred frame counts for besides its length."""
CROWDED: Final = 64
"""Frames in one turn of the event loop above which players come first."""
SLICE: Final = 0.001
"""Seconds in which frames of others are handled in such a turn."""
MAX_POSTPONED: Final = 4_000
"""Frames that may wait for a later turn; of a connection with a frame beyond, nothing more is read."""
MAX_POSTPONED_BYTES: Final = 4_000_000
"""Bytes of such frames; long ones fill the memory before there are many."""
MAX_POSTPONED_EACH: Final = 32
"""Frames of one connection that may wait beyond that; further ones of older clients are dropped."""
MAX_POSTPONED_NATIVE: Final = 500
"""Frames of one connection that is slowed down which may wait beyond that; with more it is closed."""

_Arrived = tuple[Connection, bytes | None]


class _Deferred:
    """Work of one connection that waits, with the sum of the bytes it counts for."""

    __slots__ = ("_work", "bytes")

    def __init__(self) -> None:
        self._work: deque[tuple[int, Callable[[], None]]] = deque()
        self.bytes = 0

    def append(self, work: Callable[[], None], size: int = 0) -> None:
        self._work.append((size, work))
        self.bytes += size

    def pop(self) -> Callable[[], None] | None:
        """Remove and return the oldest work, if there is any."""
        if not self._work:
            return None
        size, work = self._work.popleft()
        self.bytes -= size
        return work

    def extend(self, later: "_Deferred") -> None:
        self._work.extend(later._work)
        self.bytes += later.bytes

    def clear(self) -> None:
        self._work.clear()
        self.bytes = 0


class Inbox:
    """Handles frames in the order of arrival. `write` is called when all that arrived has been handled.

    Reading, handling, writing and sending in four sweeps makes the batches of the journal. When a crowd sends
    at once, frames of connections with a seat come first, and those of others are handled in slices. The
    order of the frames of one connection stays as it is.
    """

    def __init__(
        self,
        now: Now,
        write: Callable[[], None],
        tasks: BackgroundTasks,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self._now = now
        self._write = write
        self._tasks = tasks
        self._clock = clock
        self._arrived: list[_Arrived] = []
        self._scheduled = False
        self._postponed: deque[_Arrived] = deque()
        """Frames of a crowd, which are handled in slices."""
        self._postponed_frames: Counter[Connection] = Counter()
        self._postponed_bytes = 0
        self._unread: set[Connection] = set()
        """Connections of which nothing is read until fewer frames are postponed."""
        self._waiting: dict[Connection, _Deferred] = {}
        self._slowed: set[Connection] = set()
        """Connections above their rate limit, of which nothing more is read."""
        self.frames = 0

    @property
    def idle(self) -> bool:
        """Tell whether no connection waits for anything."""
        return not self._waiting and not self._slowed

    def arrived(self, connection: Connection, frame: bytes | None) -> None:
        """Take a frame from the transport; None once the transport is closed.

        It is handled when everything that can be read now has been read.
        """
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._sweep)
        self._arrived.append((connection, frame))

    def _sweep_again(self) -> None:
        if not self._scheduled:
            self._scheduled = True
            asyncio.get_running_loop().call_soon(self._sweep)

    def _sweep(self) -> None:
        arrived, self._arrived, self._scheduled = self._arrived, [], False
        now, waiting = self._now(), self._waiting
        if self._postponed or len(arrived) > CROWDED:
            arrived = self._postpone_others(arrived)
        remaining = iter(arrived)
        self.frames += len(arrived)
        try:
            for connection, frame in remaining:
                if waiting and connection in waiting:
                    self._keep(connection, frame, now)
                else:
                    connection.receive(frame, now)
        except BaseException:
            # A failure in one connection does not concern the others: they are handled in the next turn.
            self._arrived[:0] = remaining
            self._sweep_again()
            raise
        if self._postponed:
            # The players' commands do not wait for the others.
            self._write()
            self._sweep_again()
            self._sweep_postponed(now)
        self._write()

    def _postpone_others(self, arrived: list[_Arrived]) -> list[_Arrived]:
        """Return the frames of connections that hold a seat; postpone all others, and what has ended."""
        players: list[_Arrived] = []
        for each in arrived:
            connection, frame = each
            # That a connection has ended is postponed too: when a network breaks, thousands end together.
            if frame is not None and connection not in self._postponed_frames and _is_player(connection):
                players.append(each)
                continue
            if frame is not None and connection.outbox.closed_by_server:
                continue
            if frame is None or self._postponed_part < 1 or self._hold_back(connection):
                self._postponed.append(each)
                self._postponed_frames[connection] += 1
                self._postponed_bytes += len(frame or b"")
        return players

    @property
    def _postponed_part(self) -> float:
        """Return which part of what may be postponed is."""
        return max(len(self._postponed) / MAX_POSTPONED, self._postponed_bytes / MAX_POSTPONED_BYTES)

    def _hold_back(self, connection: Connection) -> bool:
        """Read nothing more of a connection; tell whether its frame is kept."""
        if connection not in self._unread:
            self._unread.add(connection)
            connection.transport.pause_reading()
        if connection.rate_limit.slows:
            if self._postponed_frames[connection] < MAX_POSTPONED_NATIVE:
                return True
            connection.too_many_waiting()
            return False
        # The sockets of some older clients cannot be paused.
        return self._postponed_frames[connection] < MAX_POSTPONED_EACH

    def _sweep_postponed(self, now: Millis) -> None:
        """Handle postponed frames until the slice is over."""
        postponed, frames = self._postponed, self._postponed_frames
        end = self._clock() + SLICE
        while postponed:
            connection, frame = postponed.popleft()
            self._postponed_bytes -= len(frame or b"")
            frames[connection] -= 1
            if not frames[connection]:
                del frames[connection]
            self.frames += 1
            if connection in self._waiting:
                self._keep(connection, frame, now)
            else:
                connection.receive(frame, now)
            if self._clock() >= end:
                break
        if self._unread and self._postponed_part <= 0.5:
            unread, self._unread = self._unread, set()
            for connection in unread - self._slowed:
                connection.transport.resume_reading()

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
            self._waiting[connection] = _Deferred()
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
        queue.append(work)
        return True

    # Connections above their rate limit

    def slow_down(self, connection: Connection, frame: bytes) -> None:
        """Handle a frame once the rate limit allows it; later frames wait behind it."""
        if connection not in self._slowed:
            self._slowed.add(connection)
            connection.transport.pause_reading()
        queue = self._waiting[connection] = _Deferred()
        queue.append(partial(self._receive, connection, frame), len(frame) + FRAME_OVERHEAD)
        pause = connection.rate_limit.wait(self._now()) / 1000
        self._tasks.run(self._run(connection, partial(asyncio.sleep, pause)))

    def _receive(self, connection: Connection, frame: bytes) -> None:
        connection.receive(frame, self._now())

    def _keep(self, connection: Connection, frame: bytes | None, now: Millis) -> None:
        queue = self._waiting[connection]
        size = 0 if frame is None else len(frame) + FRAME_OVERHEAD
        if frame is None and connection in self._slowed:
            # The client is gone, and nothing is owed for frames above the limit.
            queue.clear()
        if queue.bytes + size <= DEFERRED_BYTES or frame is None:
            queue.append(partial(connection.receive, frame, now), size)
        elif connection.rate_limit.slows:
            connection.too_many_waiting()

    def _continue(self, connection: Connection) -> None:
        queue = self._waiting.pop(connection)
        while (work := queue.pop()) is not None:
            work()
            if (later := self._waiting.get(connection)) is not None:
                # It waits once more, and the rest of the queue after that.
                later.extend(queue)
                return
        if connection in self._slowed:
            self._slowed.discard(connection)
            if connection not in self._unread:
                connection.transport.resume_reading()


def _is_player(connection: Connection) -> bool:
    """Tell whether a connection holds a seat."""
    # Not `any`: a generator costs more than this loop, and in a full turn every frame comes here.
    for viewer in connection.rooms.values():  # noqa: SIM110 - see above
        if viewer != SPECTATOR:
            return True
    return False
