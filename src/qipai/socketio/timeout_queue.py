"""Waiting without a timer per connection: everybody waits equally long, so the first in is the first out."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)


class TimeoutQueue(Generic[K]):
    """Keys that are due `delay` seconds after they were added."""

    def __init__(self, delay: float, wake: Callable[[float], None]) -> None:
        self.delay = delay
        self._wake = wake
        self._due: OrderedDict[K, float] = OrderedDict()

    def __len__(self) -> int:
        return len(self._due)

    def __contains__(self, key: K) -> bool:
        return key in self._due

    def add(self, key: K, now: float) -> None:
        """Let a key wait from now on."""
        self._due.pop(key, None)
        self._due[key] = due = now + self.delay
        if len(self._due) == 1:
            self._wake(due)

    def drop(self, key: K) -> bool:
        """Let a key wait no longer; tell whether it did."""
        return self._due.pop(key, None) is not None

    def expired(self, now: float) -> Iterator[K]:
        """Take every key whose time has come."""
        while (due := self.next()) is not None and due <= now:
            yield self._due.popitem(last=False)[0]

    def next(self) -> float | None:
        """Return when the first key is due."""
        for due in self._due.values():
            return due
        return None
