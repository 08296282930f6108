"""How much one peer may ask of us."""

from typing import Final

from qipai.kernel.names import Millis

FRAMES_PER_SECOND: Final = 50
FLOOD: Final = 500
"""Frames in one second that end the connection."""
STRIKES: Final = 20
LINES: Final = 5
LINES_WINDOW: Final = 10_000
ROOMS_PER_PERSON: Final = 16


class Pace:
    """Counts frames in one-second windows, malformed frames, and lines of chat."""

    __slots__ = ("_lines", "_window", "count", "strikes", "warned")

    def __init__(self) -> None:
        self._window = 0
        self.count = 0
        self.strikes = 0
        self.warned = False
        self._lines: tuple[Millis, ...] = ()

    def frame(self, now: Millis) -> bool:
        """Count a frame; tell whether it is within the limit."""
        window = now // 1000
        if window != self._window:
            self._window = window
            self.count = 0
            self.warned = False
        self.count += 1
        return self.count <= FRAMES_PER_SECOND

    def strike(self) -> bool:
        """Count a malformed frame; tell whether the peer may go on."""
        self.strikes += 1
        return self.strikes < STRIKES

    def line(self, now: Millis) -> bool:
        """Count a line of chat; tell whether it may be said."""
        recent = tuple(at for at in self._lines if now - at < LINES_WINDOW)
        if len(recent) >= LINES:
            self._lines = recent
            return False
        self._lines = (*recent, now)
        return True
