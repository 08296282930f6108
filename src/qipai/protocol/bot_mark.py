"""The mark of bot accounts for programs whose protocols have none: it is part of the name that they show."""

from typing import Final

from qipai.kernel.room_events import SeatTaken
from qipai.kernel.room_view import LobbyRow, SeatRow, SeatView

MARK: Final = " [BOT]"


def shown_name(taken: SeatView | SeatRow | SeatTaken) -> str:
    """Return the name of a player, with the mark if a program plays."""
    return f"{taken.name}{MARK}" if taken.bot_account else taken.name


def shown_names(row: LobbyRow) -> tuple[str | None, ...]:
    """Return the names of the players of a row, as `shown_name`."""
    if not row.seats:
        return row.names
    return tuple(None if taken is None else shown_name(taken) for taken in row.seats)
