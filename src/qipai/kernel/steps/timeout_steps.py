"""Steps of time-outs: a clock runs out, or a player stays disconnected too long."""

from typing import Any, Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, Outcome
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.randomness import Random
from qipai.kernel.room import AnyRoom, Change, seat_deadlines

from .game_steps import apply_move, end_without_move

MAX_TIMEOUTS_PER_STEP: Final = 256
"""How many time-outs one `TimeUp` applies; the deadline of the rest is still due afterwards."""


def time_up(rules: AnyRules, room: AnyRoom, now: Millis) -> Change:
    """Apply every time-out due now, the earliest first; None if nothing is due."""
    changes: dict[str, Any] = {}
    events: list[AddressedEvent] = []
    for _ in range(MAX_TIMEOUTS_PER_STEP):
        due = min(seat_deadlines(room), default=None)
        if due is None or due.at > now:
            break
        if due.absence:
            change = end_without_move(rules, room, _absence_outcome(rules, room, due.seat), now)
        else:
            random = Random(room.random_key, room.random_position)
            move = rules.overdue(room.state, due.seat, random)
            changes["random_position"] = random.position
            room = replace(room, random_position=random.position)
            change = (
                end_without_move(rules, room, rules.forfeit(room.state, due.seat, "time"), now)
                if move is None
                else apply_move(rules, room, due.seat, move, now, room.clock)
            )
        assert change is not None
        changes |= change[0]
        events += change[1]
        room = replace(room, **change[0])
    return (changes, events) if changes else None


def _absence_outcome(rules: AnyRules, room: AnyRoom, seat: Seat) -> Outcome:
    """Return the outcome of an absence time-out: without a connected player there is no winner."""
    present = any(
        taken is not None and taken.disconnected_at is None and not taken.bot for taken in room.seats
    )
    return rules.forfeit(room.state, seat, "left") if present else Outcome((), "abandoned")
