"""Builds the delayed room that spectators see: the same values with all times shifted by the delay."""

from typing import TypeVar

from msgspec.structs import replace

from qipai.kernel.chat import MAX_LINES, ChatLine
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Millis
from qipai.kernel.room import Advanced, AnyRoom, Phase
from qipai.kernel.room_events import Disconnected, Said
from qipai.kernel.view_values import ChatLineView

Line = TypeVar("Line", ChatLine, ChatLineView)


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
