"""Alarms for the deadlines of rooms: clocks and absences that run out become `TimeUp` commands."""

from functools import partial
from typing import Final, Protocol

from qipai.hall.journal.store_interface import Now
from qipai.kernel.commands import TimeUp
from qipai.kernel.ids import SYSTEM, Millis, Seat
from qipai.kernel.room import deadline

from .alarms import Alarms
from .live_room import LiveRoom

RETRY_PAUSE: Final = 1_000
"""Milliseconds before something that failed is retried without a request."""


class Submit(Protocol):
    """Executes a command."""

    def __call__(self, live: LiveRoom, actor: Seat, command: TimeUp, now: Millis) -> None:
        """Execute it."""


class RoomDeadlines:
    """Sets at most one alarm per room."""

    def __init__(self, alarms: Alarms, now: Now, submit: Submit) -> None:
        self._alarms = alarms
        self._now = now
        self._submit = submit

    def set(self, live: LiveRoom) -> None:
        """Set the alarm for the next deadline of the room."""
        live.deadline = due = deadline(live.latest)
        if due is None:
            live.alarm = None
            self.clear(live)
        elif live.alarm is None or due < live.alarm:
            # An alarm that fires too early is set again then: a deadline that moves with every move is free.
            live.alarm = Millis(max(due, live.retry_after))
            self._alarms.set(("deadline", live.latest.id), live.alarm, partial(self._time_up, live))

    def clear(self, live: LiveRoom) -> None:
        """Clear the alarm of the room."""
        self._alarms.clear(("deadline", live.latest.id))

    def _time_up(self, live: LiveRoom) -> None:
        live.alarm = None
        before, now = live.latest, self._now()
        if live.deadline is None or live.deadline > now or live.retry_after > now:
            self.set(live)
            return
        self._submit(live, SYSTEM, TimeUp(), now)
        if live.latest is before:
            # Nothing was overdue, or the cause of the failure will not pass at once.
            live.retry_after = Millis(now + RETRY_PAUSE)
            self.set(live)
