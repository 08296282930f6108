"""`qipai record`: prints every finished game of a room in its notation (PGN, SGF)."""

from typing import Final

from qipai.settings import Settings

from .journal_reader import CommandError, find_room

_PLAIN: Final = "json"
"""The suffix of games without a notation: one JSON object per line."""


def record(settings: Settings, room: str) -> int:
    """Print every finished game; games in a notation are separated by an empty line."""
    count = 0
    for match in find_room(settings, room).matches():
        separator = "\n" if count and match.record_suffix != _PLAIN else ""
        print(separator + match.record, end="")
        count += 1
    if not count:
        raise CommandError(f"room {room} has no finished game yet")
    return 0
