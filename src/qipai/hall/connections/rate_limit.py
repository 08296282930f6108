"""How much one peer, and one person, may ask of us."""

from collections import OrderedDict
from typing import Final

from qipai.kernel.ids import Millis, Person

FRAMES_PER_SECOND: Final = 50
STEP: Final = 1000 // FRAMES_PER_SECOND
"""Milliseconds that one frame costs."""
FLOOD: Final = 500
"""Frames beyond the limit that end the connection; as many are forgiven in a second as are allowed."""
WARNING: Final = 1_000
STRIKES: Final = 20
LINES: Final = 5
LINES_WINDOW: Final = 10_000
REPORTS: Final = 5
REPORTS_WINDOW: Final = 60_000
ROOMS_PER_PERSON: Final = 16


class RateLimit:
    """A bucket of `burst` frames, kept as the moment at which it is full again, and malformed frames.

    What a `quiet` one has too much of is dropped, and never ends the connection.
    """

    __slots__ = ("_flooded", "_warned", "due", "quiet", "slack", "strikes")

    def __init__(self, burst: int = FRAMES_PER_SECOND, *, quiet: bool = False) -> None:
        self.due = 0
        self.slack = (burst - 1) * STEP
        self.quiet = quiet
        self.strikes = 0
        self._flooded = 0
        self._warned = -WARNING

    def flood(self, now: Millis) -> bool:
        """Count a frame too many; tell whether the connection must end."""
        self._flooded = max(self._flooded, now) + STEP
        return not self.quiet and self._flooded - now > FLOOD * STEP

    def warn(self, now: Millis) -> bool:
        """Tell whether it is time to say that this is too fast."""
        if now - self._warned < WARNING:
            return False
        self._warned = now
        return True

    def strike(self) -> bool:
        """Count a malformed frame; tell whether the peer may go on."""
        self.strikes += 1
        return self.strikes < STRIKES


class SlidingWindow:
    """Who said how much lately: a few lines in some time for each person, on however many sockets."""

    def __init__(self, most: int = LINES, window: int = LINES_WINDOW) -> None:
        self._most = most
        self._window = window
        self._said: OrderedDict[Person, tuple[Millis, ...]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._said)

    def allow(self, person: Person, now: Millis) -> bool:
        """Count a line; tell whether it may be said."""
        if self.full(person, now):
            return False
        self.add(person, now)
        return True

    def full(self, person: Person, now: Millis) -> bool:
        """Tell whether this person may say no more for now."""
        return len(self._recent(person, now)) >= self._most

    def add(self, person: Person, now: Millis) -> None:
        """Count a line that is said."""
        # In the order of everybody's last line: who has been silent for long is in front.
        while self._said and now - next(iter(self._said.values()))[-1] >= self._window:
            self._said.popitem(last=False)
        self._said[person] = (*self._recent(person, now), now)
        self._said.move_to_end(person)

    def _recent(self, person: Person, now: Millis) -> tuple[Millis, ...]:
        return tuple(at for at in self._said.get(person, ()) if now - at < self._window)
