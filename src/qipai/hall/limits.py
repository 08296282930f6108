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

    __slots__ = ("_lines", "count", "strikes", "until", "warned")

    def __init__(self) -> None:
        self.until = 0
        self.count = 0
        self.strikes = 0
        self.warned = False
        self._lines: tuple[Millis, ...] = ()

    def turn(self, now: Millis) -> None:
        """Begin a new window."""
        self.until = now - now % 1000 + 1000
        self.count = 0
        self.warned = False

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
