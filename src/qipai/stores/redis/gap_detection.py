"""Whether a worker got every hint that was sent to it: they are numbered, a beat tells the last number."""


class GapDetector:
    """A number that jumps, or that a beat told and half a second later is still not here, means a loss."""

    def __init__(self) -> None:
        self._last = 0
        """The highest number that came."""
        self._due = 0
        """What the last beat told."""
        self._then = 0
        """The highest number at the last beat."""

    def came(self, number: int) -> bool:
        """Tell whether any before it are missing; one that is repeated is nothing."""
        missing = number > self._last + 1
        self._last = max(self._last, number)
        return missing

    def beat(self, sent: int) -> bool:
        """Tell whether any are missing, given how many were sent in all."""
        missing = self._last < self._due
        if sent < self._then:
            # They are counted anew: the store has lost its number.
            self._last = sent
            missing = True
        elif missing:
            self._last = self._due
        self._due, self._then = sent, self._last
        return missing
