"""Quotas of a person, an address or a crowd (chat lines, reports, rooms), shared by all workers."""

from collections import OrderedDict
from functools import partial
from typing import Final

from qipai.hall.background_tasks import answer
from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis

from .address_refusals import AddressLimit, AddressRefusals

CHAT_LINES: Final = 5
CHAT_WINDOW: Final = 10_000
CROWD_LINES: Final = 10
"""Chat lines of all spectators of one table together, or of one lobby chat: each goes to a whole crowd."""
CROWD_SHARE: Final = CROWD_LINES // 2
"""How many of them one address may say, or one person of an unknown address: nobody silences a crowd."""
CROWD_WINDOW: Final = 5_000
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
        assert connection.person is not None
        return await self.spend_for(connection.person, now)

    async def spend_for(self, key: str, now: Millis) -> bool:
        """Count one for a person or an address; tell whether it was within the quota."""
        if self._spent_here.full(key, now):
            # All of it was spent on this worker: a flood costs the store nothing.
            return False
        try:
            granted: bool = await answer(
                partial(self._counters.spend, f"{self._name}:{key}", self._most, self._window)
            )
        except StoreError:
            return self._spent_here.allow(key, now)
        if granted:
            self._spent_here.add(key, now)
        return granted


class CrowdQuota:
    """Counts chat lines of a crowd: each for its author, and for the table or lobby chat it is sent to."""

    def __init__(
        self, lines: Quota, counters: SharedCounters, refused: AddressRefusals | None = None
    ) -> None:
        self._refused = AddressRefusals() if refused is None else refused
        self._lines = lines
        self._counters = counters
        self._spent_here = SlidingWindow(CROWD_LINES, CROWD_WINDOW)
        self._shares_here = SlidingWindow(CROWD_SHARE, CROWD_WINDOW)

    async def spend(self, connection: Connection, crowd: str, now: Millis) -> bool:
        """Count a line for its person, its address and a crowd; tell whether all quotas allow it."""
        share = f"{crowd}:{connection.address or connection.person}"
        # Counted here before anything is asked: a flood asks no more often than the quota allows.
        if self._shares_here.full(share, now):
            self._refused[AddressLimit.CHAT] += 1
            return False
        if not self._spent_here.allow(crowd, now):
            return False
        self._shares_here.add(share, now)
        if not await self._lines.spend(connection, now):
            self._shares_here.remove(share, now)
            self._spent_here.remove(crowd, now)
            return False
        try:
            if not await self._ask(f"crowd_shares:{share}", CROWD_SHARE):
                self._spent_here.remove(crowd, now)
                self._refused[AddressLimit.CHAT] += 1
                return False
            return await self._ask(f"crowds:{crowd}", CROWD_LINES)
        except StoreError:
            return True

    async def _ask(self, key: str, most: int) -> bool:
        granted: bool = await answer(partial(self._counters.spend, key, most, CROWD_WINDOW))
        return granted


class SlidingWindow:
    """At most so many requests per window for each person, address or crowd."""

    def __init__(self, limit: int = CHAT_LINES, window: int = CHAT_WINDOW) -> None:
        self._limit = limit
        self._window = window
        self._times: OrderedDict[str, tuple[Millis, ...]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._times)

    def allow(self, spender: str, now: Millis) -> bool:
        """Count a request; tell whether it is within the limit."""
        if self.full(spender, now):
            return False
        self.add(spender, now)
        return True

    def full(self, spender: str, now: Millis) -> bool:
        """Tell whether the spender is at the limit."""
        return len(self._recent(spender, now)) >= self._limit

    def add(self, spender: str, now: Millis) -> None:
        """Count a request."""
        # In the order of each spender's last request: the oldest are first.
        while self._times and now - next(iter(self._times.values()))[-1] >= self._window:
            self._times.popitem(last=False)
        self._times[spender] = (*self._recent(spender, now), now)
        self._times.move_to_end(spender)

    def remove(self, spender: str, at: Millis) -> None:
        """Do not count a request that was counted at this time."""
        times = list(self._times.get(spender, ()))
        if at in times:
            times.remove(at)
        if times:
            self._times[spender] = tuple(times)
        else:
            self._times.pop(spender, None)

    def _recent(self, spender: str, now: Millis) -> tuple[Millis, ...]:
        return tuple(at for at in self._times.get(spender, ()) if now - at < self._window)
