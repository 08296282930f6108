"""One row of the room list, and how often lists are sent."""

from typing import Final

from qipai.hall.rooms.hidden_information import others_may_see
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR
from qipai.kernel.room_view import LobbyRow, SeatRating, SeatRow
from qipai.kernel.seats import TakenSeat
from qipai.kernel.view_values import clock_plan_view

SHORTEST_INTERVAL: Final = 0.1
INTERVAL_PER_RECEIVER: Final = 0.0002
"""Seconds that every receiver adds, so that many receivers do not take the server's time."""


def update_interval(receivers: int) -> float:
    """Return the seconds between two lists: a tenth, and more for many receivers."""
    return max(SHORTEST_INTERVAL, INTERVAL_PER_RECEIVER * receivers)


def row(live: LiveRoom) -> LobbyRow:
    """Return the row of a room, as connections outside it may see it."""
    room, delayed = live.listed, live.delay_buffer is not None
    ratings = live.ratings_for(SPECTATOR) or (None,) * len(room.seats)
    return LobbyRow(
        room.id,
        room.code,
        room.game,
        room.phase,
        tuple(None if taken is None else taken.name for taken in room.seats),
        live.spectators,
        clock_plan_view(room.table.clock),
        room.table.title,
        None if room.options == live.rules.option_type() else room.options,
        tuple(
            _seat_row(taken, rating, delayed=delayed)
            for taken, rating in zip(room.seats, ratings, strict=True)
        ),
        room.opened,
        room.table.spectator_delay,
        others_may_see(live, room),
        room.table.rated,
    )


def _seat_row(taken: TakenSeat | None, rating: SeatRating | None, *, delayed: bool) -> SeatRow | None:
    """Return the player of a seat; in a delayed room disconnections are hidden."""
    return (
        None
        if taken is None
        else SeatRow(
            taken.name,
            taken.bot,
            taken.disconnected_at is not None and not delayed,
            rating,
            taken.bot_account,
        )
    )
