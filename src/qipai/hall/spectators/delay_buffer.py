"""What the watchers of a table will see: its last steps, each at its time."""

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from msgspec.structs import replace

from qipai.kernel.ids import SYSTEM, Millis
from qipai.kernel.room import PLAYING, Advanced, AnyRoom

from . import delayed_view

MOST: Final = 1_000
"""Steps that are waited for at one table; of more, only every second one is shown."""


class DelayedStep(NamedTuple):
    """A step that watchers have not seen; where those before it are not known, they see the `whole` table."""

    due: Millis
    step: Advanced
    whole: bool = False


class DelayBuffer:
    """`room` is what watchers see now; the steps after it come `delay` milliseconds after they were taken.

    A room that has been somewhere else is not known as it was: until its time has come, nothing is.
    """

    __slots__ = ("delay", "pending", "room")

    def __init__(self, room: AnyRoom) -> None:
        self.delay = room.table.spectator_delay * 1000
        self.room = room if room.version == 1 else delayed_view.blank(room)
        self.pending: deque[DelayedStep] = deque()
        if room.version > 1:
            self.jump(room)

    def add(self, step: Advanced) -> None:
        """Take a step that has just become known."""
        self._append(DelayedStep(Millis(step.room.at + self.delay), step))

    def jump(self, room: AnyRoom) -> None:
        """Take a room of which it is not known how it became so."""
        self._append(DelayedStep(Millis(room.at + self.delay), Advanced(room, (), SYSTEM), whole=True))

    def go(self, now: Millis, *, closed: bool = False) -> Iterator[DelayedStep]:
        """Yield each step whose time has come, when watchers see it; all of them at a closed table."""
        while self.pending and (closed or self.pending[0].due <= now):
            late = self.pending.popleft()
            self.room = late.step.room
            yield late

    def seen(self, present: AnyRoom) -> AnyRoom:
        """Return the room as watchers may see it now, with what they themselves have said since."""
        return replace(delayed_view.moved(self.room, self.delay), chat=delayed_view.chat(self.room, present))

    @property
    def newest(self) -> AnyRoom:
        """Return the last room that is known."""
        return self.pending[-1].step.room if self.pending else self.room

    def playing(self) -> AnyRoom | None:
        """Return the last room that watchers have not seen the end of, if there is one."""
        rooms = chain((late.step.room for late in reversed(self.pending)), (self.room,))
        return next((room for room in rooms if room.phase is PLAYING), None)

    def _append(self, late: DelayedStep) -> None:
        if late.step.room.version <= self.newest.version:
            return
        self.pending.append(late)
        if len(self.pending) > MOST:
            # The newest stays; what is between those that stay is seen with the later of them.
            kept = [DelayedStep(each.due, each.step, whole=True) for each in [*self.pending][::-2]]
            self.pending = deque(reversed(kept))
