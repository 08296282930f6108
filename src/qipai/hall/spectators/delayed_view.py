"""A table as it is shown later: the same, with every clock as if it were happening then."""

from msgspec.structs import replace

from qipai.kernel.chat import MAX_LINES, ChatLine
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Millis
from qipai.kernel.room import Advanced, AnyRoom, Phase
from qipai.kernel.room_events import Disconnected, Said


def moved(room: AnyRoom, by: int) -> AnyRoom:
    """Return the room with its clock and absences moved by this many milliseconds."""
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


def retold(step: Advanced, by: int) -> Advanced:
    """Return a step as watchers are told it later; what one of them said they have heard already."""
    told = tuple(_moved(one, by) for one in step.events if not _whispered(one))
    return replace(step, room=moved(step.room, by), events=told)


def _moved(told: AddressedEvent, by: int) -> AddressedEvent:
    event = told.event
    if isinstance(event, Disconnected) and event.forfeits_at is not None:
        return replace(told, event=replace(event, forfeits_at=Millis(event.forfeits_at + by)))
    return told


def _whispered(told: AddressedEvent) -> bool:
    return isinstance(told.event, Said) and told.event.line.seat is None


def whispers(told: tuple[AddressedEvent, ...]) -> list[ChatLine]:
    """Return what a watcher said in a step."""
    return [whisper(one.event.line) for one in told if isinstance(one.event, Said) and _whispered(one)]


def whisper(line: ChatLine) -> ChatLine:
    """Return a watcher's line as others hear it: whether a game runs now is not theirs to know yet."""
    return replace(line, spectators_only=True)


def chat(then: AnyRoom, now: AnyRoom) -> tuple[ChatLine, ...]:
    """Return what was said until then, and what watchers have said since."""
    whispered = [line for line in (*then.chat, *now.chat) if line.seat is None]
    spoken = [line for line in then.chat if line.seat is not None]
    lines = [*spoken, *map(whisper, dict.fromkeys(whispered))]
    return tuple(sorted(lines, key=lambda line: line.at)[-MAX_LINES:])


def blank(room: AnyRoom) -> AnyRoom:
    """Return a table of which nothing is known but that it exists."""
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
