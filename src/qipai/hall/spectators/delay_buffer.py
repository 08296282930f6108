"""The delayed steps of one room, each with the time at which spectators may see it."""

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from msgspec.structs import replace

from qipai.kernel.ids import SYSTEM, Millis
from qipai.kernel.room import PLAYING, Advanced, AnyRoom

from . import shifted_times

MAX_STEPS: Final = 1_000
"""Delayed steps of one room; above that, every second one is merged into the next."""


class DelayedStep(NamedTuple):
    """A step that spectators have not seen; `full`: steps before are missing, so they receive the room."""

    due: Millis
    step: Advanced
    full: bool = False


class DelayBuffer:
    """`room` is what spectators see; later steps follow `delay` milliseconds after they were made.

    Of a room that was read from a snapshot, spectators see nothing until its own delay has passed.
    """

    __slots__ = ("delay", "pending", "room")

    def __init__(self, room: AnyRoom) -> None:
        self.delay = room.table.spectator_delay * 1000
        self.room = room if room.version == 1 else shifted_times.empty_room(room)
        self.pending: deque[DelayedStep] = deque()
        if room.version > 1:
            self.add_full_room(room)

    def add(self, step: Advanced) -> None:
        """Add a step."""
        self._append(DelayedStep(Millis(step.room.at + self.delay), step))

    def add_full_room(self, room: AnyRoom) -> None:
        """Add a room whose steps are not known."""
        self._append(DelayedStep(Millis(room.at + self.delay), Advanced(room, (), SYSTEM), full=True))

    def release(self, now: Millis, *, closed: bool = False) -> Iterator[DelayedStep]:
        """Yield each step that is due, once spectators see its room; all steps of a closed room."""
        while self.pending and (closed or self.pending[0].due <= now):
            delayed = self.pending.popleft()
            self.room = delayed.step.room
            yield delayed

    def spectator_room(self, present: AnyRoom) -> AnyRoom:
        """Return the room as spectators may see it, with their own chat lines since then."""
        return replace(
            shifted_times.shifted(self.room, self.delay), chat=shifted_times.delayed_chat(self.room, present)
        )

    @property
    def newest(self) -> AnyRoom:
        """Return the newest room in the buffer."""
        return self.pending[-1].step.room if self.pending else self.room

    def last_playing(self) -> AnyRoom | None:
        """Return the newest room in play, whose end spectators have not seen; None if there is none."""
        rooms = chain((delayed.step.room for delayed in reversed(self.pending)), (self.room,))
        return next((room for room in rooms if room.phase is PLAYING), None)

    def _append(self, delayed: DelayedStep) -> None:
        if delayed.step.room.version <= self.newest.version:
            return
        self.pending.append(delayed)
        if len(self.pending) > MAX_STEPS:
            # The newest step stays; each dropped step is part of the next full room.
            merged = [DelayedStep(each.due, each.step, full=True) for each in [*self.pending][::-2]]
            self.pending = deque(reversed(merged))
