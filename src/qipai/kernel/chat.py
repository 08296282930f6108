"""What was said: a bounded tail, with watchers kept apart while a game runs."""

from typing import Final

from msgspec import Struct

from .ids import Millis, Seat
from .phrases import Phrase

TAIL: Final = 50
MAX_LINE: Final = 200


class ChatLine(Struct, frozen=True, omit_defaults=True):
    """One line. `aside` lines were said among watchers and are shown to watchers only.

    Where there is a `phrase`, `text` says it in English.
    """

    at: Millis
    name: str
    text: str
    seat: Seat | None = None
    spectators_only: bool = False
    phrase: Phrase | None = None


def said(tail: tuple[ChatLine, ...], line: ChatLine) -> tuple[ChatLine, ...]:
    """Return the tail with one more line, the oldest forgotten."""
    return (*tail[-(TAIL - 1) :], line)


def heard(tail: tuple[ChatLine, ...], *, watching: bool) -> tuple[ChatLine, ...]:
    """Return the lines a viewer may read."""
    return tuple(line for line in tail if watching or not line.spectators_only)
