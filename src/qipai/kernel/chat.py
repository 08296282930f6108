"""Chat lines of a room, and which of them a viewer may read."""

from typing import Final

from msgspec import Struct

from .ids import Millis, Seat
from .phrases import Phrase

MAX_LINES: Final = 50
MAX_LINE: Final = 200


class ChatLine(Struct, frozen=True, omit_defaults=True):
    """One line of chat. `seat` is the author's, None for a spectator.

    `spectators_only`: only spectators read it. With a `phrase`, `text` is its English version.
    """

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False
    phrase: Phrase | None = None


def append_line(lines: tuple[ChatLine, ...], line: ChatLine) -> tuple[ChatLine, ...]:
    """Return the lines with one more; the oldest is dropped beyond `MAX_LINES`."""
    return (*lines[-(MAX_LINES - 1) :], line)


def visible_lines(lines: tuple[ChatLine, ...], *, spectator: bool) -> tuple[ChatLine, ...]:
    """Return the lines a viewer may read."""
    return tuple(line for line in lines if spectator or not line.spectators_only)
