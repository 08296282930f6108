"""The step after a restart or an outage of the server: no player is charged for the time."""

from msgspec.structs import replace

from qipai.kernel import clock, room_events
from qipai.kernel.commands import OutageEnded
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Millis
from qipai.kernel.room import AnyRoom, Change, deadline

from .game_steps import disconnect_events


def outage_ended(room: AnyRoom, command: OutageEnded, now: Millis) -> Change:
    """Move every running deadline by the duration of the outage."""
    if deadline(room) is None:
        return None
    down = Millis(min(max(command.down, room.at), now))
    outage = now - down
    seats = tuple(
        taken
        if taken is None or taken.disconnected_at is None
        else replace(taken, disconnected_at=taken.disconnected_at + outage)
        for taken in room.seats
    )
    clocks = room.clock and clock.resume_after_outage(room.clock, down, now, command.head_start)
    return {"seats": seats, "clock": clocks}, [
        AddressedEvent(room_events.OutageEnded(down)),
        *disconnect_events(seats, room.table.disconnect_timeout),
    ]
