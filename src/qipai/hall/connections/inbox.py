"""What peers say, each heard in its turn; who waits for an answer from elsewhere is heard on after it."""

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.cluster.replication_interface import Retry
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis

from .connection import Connection

ROOM: Final = 128 * 1024
"""Bytes that are kept of what a peer says while it waits; what is beyond is not heard."""
OVERHEAD: Final = 256
"""Bytes that each frame counts for, however short it is."""


class Inbox:
    """Hears frames in the order in which they arrive. `write` is called when all that came has been heard.

    Reading, hearing, writing and telling in four sweeps makes the groups of the journal.
    """

    def __init__(self, now: Now, write: Callable[[], None]) -> None:
        self._now = now
        self._write = write
        self._arrived: list[tuple[Connection, bytes | None]] = []
        self._held: dict[Connection, deque[tuple[int, Retry]]] = {}
        self.frames = 0

    def arrived(self, connection: Connection, frame: bytes | None) -> None:
        """Take a frame from the socket, or None when the socket is gone.

        It is heard in its turn, when all that can be read now has been read.
        """
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._sweep)
        self._arrived.append((connection, frame))

    def _sweep(self) -> None:
        arrived, self._arrived = self._arrived, []
        now, held = self._now(), self._held
        self.frames += len(arrived)
        waiting = iter(arrived)
        try:
            for connection, frame in waiting:
                if held and connection in held:
                    self._keep(connection, frame, now)
                else:
                    connection.receive(frame, now)
        except BaseException:
            # One peer's trouble is not the others': they are heard in the next turn of the loop.
            self._arrived[:0] = waiting
            asyncio.get_running_loop().call_soon(self._sweep)
            raise
        self._write()

    # Waiting

    def wait(self, connection: Connection, begin: Callable[[Retry], None]) -> None:
        """Begin what ends, later, by calling what it is given; until then nothing of the peer is heard."""
        if not self.defer(connection, partial(self.wait, connection, begin)):
            self._held[connection] = deque()
            begin(partial(self._go_on, connection))

    def defer(self, connection: Connection, work: Retry) -> bool:
        """Tell whether the peer waits; then this is done in its turn."""
        held = self._held.get(connection)
        if held is None:
            return False
        held.append((0, work))
        return True

    def _keep(self, connection: Connection, frame: bytes | None, now: Millis) -> None:
        held = self._held[connection]
        size = 0 if frame is None else len(frame) + OVERHEAD
        if sum(each for each, _ in held) + size <= ROOM or frame is None:
            held.append((size, partial(connection.receive, frame, now)))

    def _go_on(self, connection: Connection) -> None:
        waiting = self._held.pop(connection)
        while waiting:
            _, work = waiting.popleft()
            work()
            if (again := self._held.get(connection)) is not None:
                # It waits once more, and all the rest after that.
                again.extend(waiting)
                return
