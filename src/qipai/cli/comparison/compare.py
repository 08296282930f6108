"""`qipai compare`: compares a finished chess game with an engine, and prints figures."""

import os
from contextlib import closing

from qipai.app import open_archive
from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import GAMES
from qipai.hall.comparison.comparisons import LOWEST_PRIORITY, NotCompared, find_comparable
from qipai.hall.comparison.game_comparison import Comparison, compare_game
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId
from qipai.settings import Settings, find_engine

_REASONS = {
    NotCompared.UNKNOWN: "is not in the archive",
    NotCompared.NOT_COMPARABLE: "is no plain chess game with moves",
    NotCompared.NOT_RATED: "was not rated; --unrated compares it too",
}


def compare(settings: Settings, room: str, match: int, *, unrated: bool) -> int:
    """Print how often each player chose the engine's move, the average loss, and the time per move."""
    archive = open_archive(settings, update_schema=False)
    if archive is None:
        raise CommandError("a store in memory has no archive")
    try:
        with closing(archive):
            found = find_comparable(GAMES, archive, (RoomId(room), match))
    except StoreError as error:
        raise CommandError(str(error)) from error
    if not isinstance(found, NotCompared) and not (unrated or found.rated):
        found = NotCompared.NOT_RATED
    if isinstance(found, NotCompared):
        raise CommandError(f"match {match} of room {room} {_REASONS[found]}")
    program = find_engine(settings)
    if hasattr(os, "nice"):
        os.nice(LOWEST_PRIORITY)
    print(_table(compare_game(found.game, found.timed, program)))
    return 0


def _table(comparison: Comparison) -> str:
    lines = [
        f"{comparison.engine}, {comparison.nodes:,} nodes a position, median depth {comparison.depth:g}",
        "",
        f"{'':7}{'moves':>6}{'with a choice':>15}{'agreed':>14}{'average loss':>15}{'time per move':>24}",
    ]
    for figures in comparison.sides:
        agreed = f"{figures.agreed} ({figures.agreement} %)"
        time = f"{figures.average_millis / 1000:.1f} s, median {figures.median_millis / 1000:.1f} s"
        lines.append(
            f"seat {figures.seat:<2}{figures.moves:>6}{figures.compared:>15}{agreed:>14}"
            f"{figures.average_loss:>11} cp{time:>25}"
        )
    return "\n".join(lines)
