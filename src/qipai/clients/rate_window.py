"""Rate limits of the older clients: dropped frames for the chess client, slower reading for mahjong."""

from collections.abc import Sequence
from typing import Final, Protocol

from qipai.hall.connections.connection import Connection, ConnectionEvents
from qipai.hall.connections.rate_limit import FRAMES_PER_SECOND, RateLimit
from qipai.hall.connections.transport_interface import Transport
from qipai.kernel.ids import Millis
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import AnyIntent, Dialect
from qipai.protocol.notices import Refused

WINDOW: Final = 1_000
"""Milliseconds of a window."""
MAX_FRAMES: Final = 1_000
"""Frames of any kind per window; further ones are dropped unread."""


class FiltersNoise(Dialect, Protocol):
    """A dialect that tells frames with an effect from noise, which counts for nothing."""

    def counts_for_rate_limit(self, frame: bytes) -> bool:
        """Tell whether the frame would be answered or have an effect."""


class RateWindow(Connection):
    """A connection with a fixed number of frames per window, which begins with the first that counts."""

    __slots__ = ("_counted", "_filter", "_frames", "_frames_end", "_window_end")

    def __init__(
        self, transport: Transport, dialect: FiltersNoise, events: ConnectionEvents, address: str = ""
    ) -> None:
        super().__init__(transport, dialect, events, RateLimit(quiet=True), address)
        self._filter = dialect
        self._window_end = self._frames_end = 0
        self._counted = self._frames = 0

    def decode(self, frame: bytes, now: Millis) -> Sequence[AnyIntent]:
        """Return the intents of a frame; none if the window is full."""
        if now < self._window_end and self._counted >= FRAMES_PER_SECOND:
            self._refuse(frame, now)
            return ()
        intents = self.dialect.decode(frame)
        if intents and now < self._window_end:
            self._counted += 1
        elif intents:
            self._window_end = now + WINDOW
            self._counted = 1
        return intents

    def counted(self, now: Millis, message: bytes | None = None) -> bool:
        """Count a frame of any kind; tell whether it is read."""
        self.received = True
        if now >= self._frames_end:
            self._frames_end = now + WINDOW
            self._frames = 0
        self._frames += 1
        return self._frames <= MAX_FRAMES

    def malformed(self, why: str, room: str = "", nonce: str = "") -> None:
        """Ignore a frame that is no text: the dialect answers all others."""

    def _refuse(self, frame: bytes, now: Millis) -> None:
        if self._filter.counts_for_rate_limit(frame) and self.rate_limit.warn(now):
            self.send_notice(Refused(Refusal.RATE_LIMITED))


class SlowedConnection(Connection):
    """A connection that is read more slowly above the rate limit: no request stays unanswered."""

    __slots__ = ()

    def __init__(
        self, transport: Transport, dialect: Dialect, events: ConnectionEvents, address: str = ""
    ) -> None:
        super().__init__(transport, dialect, events, RateLimit(slows=True), address)

    def malformed(self, why: str, room: str = "", nonce: str = "") -> None:
        """Ignore a frame that is no text: the dialect answers all others."""
