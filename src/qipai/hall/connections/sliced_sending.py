"""Sends frames to crowds in slices, so that moves elsewhere are handled between two slices."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Final

from .outbox import Outbox

SLICE: Final = 0.001
"""Seconds of sending in one turn of the event loop."""
FRAMES_PER_LOOK: Final = 8
"""Frames that are sent between two looks at the clock."""


class SlicedSending:
    """Sends deferred frames, one per connection in turn, for `SLICE` seconds in each turn of the event loop.

    In turn means that connections receive the same frame one after the other, so that a transport which
    keeps the last packet encodes it once, and that a frame waits for one frame of each other connection.
    """

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._waiting: deque[Outbox] = deque()

    def send(self, outbox: Outbox, frames: Sequence[bytes]) -> None:
        """Send frames with the next slices; what is sent to this connection later follows them."""
        if outbox.defer(frames):
            if not self._waiting:
                asyncio.get_running_loop().call_soon(self._send_slice)
            self._waiting.append(outbox)

    @property
    def waiting(self) -> int:
        """Return the number of connections with deferred frames."""
        return len(self._waiting)

    def _send_slice(self) -> None:
        waiting, clock = self._waiting, self._clock
        end = clock() + SLICE
        try:
            while waiting:
                for _ in range(min(len(waiting), FRAMES_PER_LOOK)):
                    outbox = waiting[0]
                    if outbox.send_deferred():
                        waiting.rotate(-1)
                    else:
                        waiting.popleft()
                if clock() >= end:
                    break
        except BaseException:
            # A failure of one transport does not concern the others.
            waiting.popleft().abort()
            raise
        finally:
            if waiting:
                asyncio.get_running_loop().call_soon(self._send_slice)
