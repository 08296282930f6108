"""Rate limits: frames of a connection (token bucket), requests of a person (sliding window)."""

from collections import OrderedDict
from typing import Final

from qipai.kernel.ids import Millis, Person

FRAMES_PER_SECOND: Final = 50
STEP: Final = 1000 // FRAMES_PER_SECOND
"""Milliseconds per frame."""
FLOOD: Final = 500
"""Frames above the limit that close the connection; as many are forgiven per second as are allowed."""
WARNING_INTERVAL: Final = 1_000
STRIKES: Final = 20
LINES: Final = 5
LINES_WINDOW: Final = 10_000
REPORTS: Final = 5
REPORTS_WINDOW: Final = 60_000
ROOMS_PER_PERSON: Final = 16


class RateLimit:
    """A token bucket of `burst` frames, stored as the time when it is full again; counts malformed frames.

    With `quiet`, frames above the limit are dropped and never close the connection.
    """

    __slots__ = ("_flooded", "_warned", "due", "quiet", "slack", "strikes")

    def __init__(self, burst: int = FRAMES_PER_SECOND, *, quiet: bool = False) -> None:
        self.due = 0
        self.slack = (burst - 1) * STEP
        self.quiet = quiet
        self.strikes = 0
        self._flooded = 0
        self._warned = -WARNING_INTERVAL

    def flood(self, now: Millis) -> bool:
        """Count a frame above the limit; tell whether the connection must be closed."""
        self._flooded = max(self._flooded, now) + STEP
        return not self.quiet and self._flooded - now > FLOOD * STEP

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


class SlidingWindow:
    """At most so many requests per window for each person, over all connections."""

    def __init__(self, limit: int = LINES, window: int = LINES_WINDOW) -> None:
        self._limit = limit
        self._window = window
        self._times: OrderedDict[Person, tuple[Millis, ...]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._times)

    def allow(self, person: Person, now: Millis) -> bool:
        """Count a request; tell whether it is within the limit."""
        if self.full(person, now):
            return False
        self.add(person, now)
        return True

    def full(self, person: Person, now: Millis) -> bool:
        """Tell whether the person is at the limit."""
        return len(self._recent(person, now)) >= self._limit

    def add(self, person: Person, now: Millis) -> None:
        """Count a request."""
        # In the order of each person's last request: the oldest are first.
        while self._times and now - next(iter(self._times.values()))[-1] >= self._window:
            self._times.popitem(last=False)
        self._times[person] = (*self._recent(person, now), now)
        self._times.move_to_end(person)

    def _recent(self, person: Person, now: Millis) -> tuple[Millis, ...]:
        return tuple(at for at in self._times.get(person, ()) if now - at < self._window)
