"""The step after a restart or an outage of the server: no player is charged for the time."""

from qipai.kernel import clock, room_events
from qipai.kernel.commands import OutageEnded
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.room import AnyRoom, Change, deadline
from qipai.kernel.seats import with_disconnected

from .game_steps import disconnect_events


def outage_ended(room: AnyRoom, command: OutageEnded, now: Millis) -> Change:
    """Move every running deadline by the duration of the outage."""
    if deadline(room) is None:
        return None
    down = Millis(min(max(command.down, room.at), now))
    outage = now - down
    seats = room.seats
    for number, taken in enumerate(seats):
        if taken is not None and taken.disconnected_at is not None:
            seats = with_disconnected(seats, Seat(number), Millis(taken.disconnected_at + outage))
    clocks = room.clock and clock.resume_after_outage(room.clock, down, now, command.head_start)
    return {"seats": seats, "clock": clocks}, [
        AddressedEvent(room_events.OutageEnded(down)),
        *disconnect_events(seats, room.table.disconnect_timeout),
    ]
