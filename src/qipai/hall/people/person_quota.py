"""Quotas per person (chat lines, reports, rooms), shared by all workers."""

from collections import OrderedDict
from functools import partial
from typing import Final

from qipai.hall.background_tasks import answer
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person

CHAT_LINES: Final = 5
CHAT_WINDOW: Final = 10_000
REPORTS: Final = 5
REPORTS_WINDOW: Final = 60_000
ROOMS_PER_PERSON: Final = 16


class Quota:
    """Counts here and in the counters of all workers; without their answer, each worker counts alone."""

    def __init__(self, counters: SharedCounters, name: str, most: int, window: int) -> None:
        self._counters = counters
        self._name = name
        self._most = most
        self._window = window
        self._spent_here = SlidingWindow(most, window)

    async def spend(self, connection: Connection, now: Millis) -> bool:
        """Count one for the person of a connection; tell whether it was within the quota."""
        person = connection.person
        assert person is not None
        if self._spent_here.full(person, now):
            # All of it was spent on this worker: a flood costs the store nothing.
            return False
        try:
            granted: bool = await answer(
                partial(self._counters.spend, f"{self._name}:{person}", self._most, self._window)
            )
        except StoreError:
            return self._spent_here.allow(person, now)
        if granted:
            self._spent_here.add(person, now)
        return granted


class SlidingWindow:
    """At most so many requests per window for each person, over all connections."""

    def __init__(self, limit: int = CHAT_LINES, window: int = CHAT_WINDOW) -> None:
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
