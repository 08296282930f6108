"""Rate limit of one connection: a token bucket of frames, and strikes for malformed ones."""

from typing import Final

from qipai.kernel.ids import Millis

FRAMES_PER_SECOND: Final = 50
FLOOD: Final = 500
"""Frames above the limit that close the connection; as many are forgiven per second as are allowed."""
WARNING_INTERVAL: Final = 1_000
STRIKES: Final = 20


class RateLimit:
    """A token bucket of `burst` frames, stored as the time when it is full again; counts malformed frames.

    With `slows`, messages above the limit wait, and nothing more is read meanwhile. With `quiet`, frames
    above the limit are dropped and never close the connection. `step`: milliseconds per frame. `delayed`: how
    many messages had to wait.
    """

    __slots__ = ("_flooded", "_warned", "delayed", "due", "quiet", "slack", "slows", "step", "strikes")

    def __init__(
        self,
        burst: int = FRAMES_PER_SECOND,
        *,
        quiet: bool = False,
        slows: bool = False,
        per_second: int = FRAMES_PER_SECOND,
    ) -> None:
        self.slows = slows
        self.due = 0
        self.step = 1000 // per_second
        self.slack = (burst - 1) * self.step
        self.delayed = 0
        self.quiet = quiet
        self.strikes = 0
        self._flooded = 0
        self._warned = -WARNING_INTERVAL

    def wait(self, now: Millis) -> int:
        """Return the milliseconds until the bucket has a token."""
        return max(0, self.due - self.slack - now)

    def flood(self, now: Millis) -> bool:
        """Count a frame above the limit; tell whether the connection must be closed."""
        self._flooded = max(self._flooded, now) + self.step
        return not self.quiet and self._flooded - now > FLOOD * self.step

    def warn(self, now: Millis) -> bool:
        """Tell whether a warning is due."""
        if now - self._warned < WARNING_INTERVAL:
            return False
        self._warned = now
        return True

    def strike(self) -> bool:
        """Count a malformed frame; tell whether the connection stays open."""
        self.strikes += 1
        return self.strikes < STRIKES
