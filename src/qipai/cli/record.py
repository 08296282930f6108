"""Finished games out of the journal, each in the notation of its game: `qipai record`."""

from qipai.games.game_registry import GAMES
from qipai.hall.history.match_extraction import matches
from qipai.hall.history.notation_export import written
from qipai.settings import Settings

from .journal_reader import Failure, history, steps


def record(settings: Settings, room: str) -> int:
    """Print every finished game of a table."""
    _, entries = history(settings, room)
    games = 0
    for match in matches(zip(entries, steps(entries), strict=True)):
        apart = "\n" if games and GAMES[match.ended.game].record is not None else ""
        print(apart + written(GAMES, match), end="")
        games += 1
    if not games:
        raise Failure(f"no game of room {room} is over yet")
    return 0
