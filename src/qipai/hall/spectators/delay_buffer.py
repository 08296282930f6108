"""The delayed steps of one room, each with the time at which spectators may see it; all times are shifted."""

from collections import deque
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from qipai.kernel.chat_lines import MAX_LINES, ChatLine
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SYSTEM, Millis
from qipai.kernel.room import PLAYING, Advanced, AnyRoom, Phase
from qipai.kernel.room_events import Disconnected, Said
from qipai.kernel.view_values import ChatLineView

Line = TypeVar("Line", ChatLine, ChatLineView)

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
        self.room = room if room.version == 1 else empty_room(room)
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
        return replace(shifted(self.room, self.delay), chat=delayed_chat(self.room, present))

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


def shifted(room: AnyRoom, by: int) -> AnyRoom:
    """Return the room with clock and disconnection times shifted by this many milliseconds."""
    seats = tuple(
        taken
        if taken is None or taken.disconnected_at is None
        else replace(taken, disconnected_at=Millis(taken.disconnected_at + by))
        for taken in room.seats
    )
    running = room.clock
    if running is not None:
        since = tuple(None if began is None else Millis(began + by) for began in running.since)
        running = replace(running, since=since)
    return replace(room, at=Millis(room.at + by), seats=seats, clock=running)


def shifted_step(step: Advanced, by: int) -> Advanced:
    """Return a step with its times shifted, without chat lines of spectators, which they have received."""
    events = tuple(_shifted_event(one, by) for one in step.events if not _is_spectator_line(one))
    return replace(step, room=shifted(step.room, by), events=events)


def _shifted_event(addressed: AddressedEvent, by: int) -> AddressedEvent:
    event = addressed.event
    if isinstance(event, Disconnected) and event.forfeits_at is not None:
        return replace(addressed, event=replace(event, forfeits_at=Millis(event.forfeits_at + by)))
    return addressed


def _is_spectator_line(addressed: AddressedEvent) -> bool:
    return isinstance(addressed.event, Said) and addressed.event.line.seat is None


def spectator_lines(events: tuple[AddressedEvent, ...]) -> list[ChatLineView]:
    """Return the chat lines of spectators in a step."""
    return [
        as_spectator_line(one.event.line)
        for one in events
        if isinstance(one.event, Said) and _is_spectator_line(one)
    ]


def as_spectator_line(line: Line) -> Line:
    """Return a spectator's line marked as such, so that it does not reveal whether a game runs now."""
    return replace(line, spectators_only=True)


def delayed_chat(then: AnyRoom, now: AnyRoom) -> tuple[ChatLine, ...]:
    """Return the chat of the delayed room, with the later lines of spectators."""
    of_spectators = [line for line in (*then.chat, *now.chat) if line.seat is None]
    of_players = [line for line in then.chat if line.seat is not None]
    lines = [*of_players, *map(as_spectator_line, dict.fromkeys(of_spectators))]
    return tuple(sorted(lines, key=lambda line: line.at)[-MAX_LINES:])


def empty_room(room: AnyRoom) -> AnyRoom:
    """Return the room with nothing to see but that it exists."""
    return replace(
        room,
        version=1,
        phase=Phase.WAITING,
        seats=(None,) * len(room.seats),
        match=0,
        state=None,
        clock=None,
        offers=(),
        chat=(),
        result=None,
        phrases_only=False,
    )
