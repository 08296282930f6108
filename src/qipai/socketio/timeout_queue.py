"""Time-outs of equal length in one queue, without a timer per connection."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class TimeoutQueue(Generic[K]):
    """Keys that are due `delay` seconds after they were added; the first added is the first due."""

    def __init__(self, delay: float, wake: Callable[[float], None]) -> None:
        self.delay = delay
        self._wake = wake
        self._due: OrderedDict[K, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._due)

    def __contains__(self, key: K) -> bool:
        return key in self._due

    def add(self, key: K, now: float) -> None:
        """Start the time-out of a key, or start it again."""
        self._due.pop(key, None)
        self._due[key] = due = now + self.delay
        if len(self._due) == 1:
            self._wake(due)

    def drop(self, key: K) -> bool:
        """Stop the time-out of a key; tell whether it was running."""
        return self._due.pop(key, None) is not None

    def pop_first(self) -> K | None:
        """Stop the time-out that is due first and return its key; None if there is none."""
        return self._due.popitem(last=False)[0] if self._due else None

    def pop_expired(self, now: float) -> Iterator[K]:
        """Yield and remove every key that is due."""
        while (due := self.next_due()) is not None and due <= now:
            yield self._due.popitem(last=False)[0]

    def next_due(self) -> float | None:
        """Return when the first key is due."""
        for due in self._due.values():
            return due
        return None
