"""`qipai record`: prints every finished game of a room in its notation (PGN, SGF)."""

from qipai.games.game_registry import GAMES
from qipai.hall.history.match_extraction import matches
from qipai.hall.history.notation_export import write_notation
from qipai.settings import Settings

from .journal_reader import CommandError, read_history, replay_steps


def record(settings: Settings, room: str) -> int:
    """Print every finished game; games in a notation are separated by an empty line."""
    _, entries = read_history(settings, room)
    count = 0
    for match in matches(zip(entries, replay_steps(entries), strict=True)):
        separator = "\n" if count and GAMES[match.ended.game].write_record is not None else ""
        print(separator + write_notation(GAMES, match), end="")
        count += 1
    if not count:
        raise CommandError(f"room {room} has no finished game yet")
    return 0
