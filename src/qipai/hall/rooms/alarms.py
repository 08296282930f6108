"""One timer for all deadlines: a heap of keyed alarms."""

import asyncio
from collections.abc import Callable, Hashable
from heapq import heapify, heappop, heappush
from typing import Final

from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis

FIRED_AT_ONCE: Final = 32
"""Alarms that fire in one turn of the event loop; when a network breaks, thousands are due in one moment."""


class Alarms:
    """At most one alarm per key; setting it again moves it."""

    def __init__(self, now: Now) -> None:
        self._now = now
        self._heap: list[tuple[Millis, int, Hashable]] = []
        self._due: dict[Hashable, tuple[Millis, Callable[[], None]]] = {}
        self._queued: dict[Hashable, Millis] = {}
        self._count = 0
        self._handle: asyncio.TimerHandle | None = None
        self._armed: Millis | None = None

    def __len__(self) -> int:
        return len(self._due)

    def __contains__(self, key: Hashable) -> bool:
        return key in self._due

    def set(self, key: Hashable, due: Millis, fire: Callable[[], None]) -> None:
        """Call `fire` at this time; it replaces an earlier alarm of the key."""
        self._due[key] = (due, fire)
        queued = self._queued.get(key)
        # An alarm that moves to a later time is queued again when its old entry is due: a deadline that
        # moves with every move costs one heap entry, not one per move.
        if queued is None or due < queued:
            self._push(key, due)

    def clear(self, key: Hashable) -> None:
        """Remove the alarm of this key, if any."""
        if self._due.pop(key, None) is not None and len(self._heap) > 64 + 4 * len(self._due):
            # Renumbered, because keys cannot be compared; no number reaches the count.
            self._heap = [(due, number, key) for number, (key, (due, _)) in enumerate(self._due.items())]
            self._queued = {key: due for key, (due, _) in self._due.items()}
            heapify(self._heap)

    def close(self) -> None:
        """Fire no more alarms."""
        self._due.clear()
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _push(self, key: Hashable, due: Millis) -> None:
        self._queued[key] = due
        self._count += 1
        heappush(self._heap, (due, self._count, key))
        if self._armed is None or due < self._armed:
            self._arm(due)

    def _arm(self, due: Millis) -> None:
        if self._handle is not None:
            self._handle.cancel()
        delay = max(0, due - self._now()) / 1000
        self._armed = due
        self._handle = asyncio.get_running_loop().call_later(delay, self._fire)

    def _fire(self) -> None:
        self._handle = None
        self._armed = None
        now = self._now()
        try:
            self._fire_due(now)
        finally:
            # A failure of one alarm does not stop the timer.
            if self._heap and (self._armed is None or self._heap[0][0] < self._armed):
                self._arm(self._heap[0][0])

    def _fire_due(self, now: Millis) -> None:
        # Alarms that are set meanwhile fire in the next turn of the loop, however early they are due.
        count, fired = self._count, 0
        while fired < FIRED_AT_ONCE and self._heap and self._heap[0][0] <= now and self._heap[0][1] <= count:
            queued_for, _, key = heappop(self._heap)
            if self._queued.get(key) != queued_for:
                continue
            del self._queued[key]
            alarm = self._due.get(key)
            if alarm is None:
                continue
            due, fire = alarm
            if due > now:
                self._push(key, due)
            else:
                del self._due[key]
                fired += 1
                fire()
