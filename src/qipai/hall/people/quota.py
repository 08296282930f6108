"""Quota per person (chat lines, reports) in a time window, shared by all workers."""

from functools import partial

from qipai.hall.background_tasks import answer
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import SlidingWindow
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis


class Quota:
    """Counts here and in the counters of all workers; while those give no answer, each worker counts alone."""

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
