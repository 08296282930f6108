"""Compares archived matches with an engine, one at a time, in a process of the lowest priority."""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from qipai.games.game import Game
from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.bots.thinking_pool import processes
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import unpack
from qipai.hall.history.finished_games import MATCH_LIMIT, FinishedGames
from qipai.hall.history.recent_games import MatchKey
from qipai.kernel.game_interface.engine_comparison import ComparableGame

from .game_comparison import Comparison, TimedMoves, compare_game, timed_moves

LOWEST_PRIORITY: Final = 19
"""Bots, whose players wait, compute before comparisons."""
MOST_WAITING: Final = 10
MOST_KEPT: Final = 200
"""Comparisons that are kept in memory; the oldest are computed again."""


class NotCompared(StrEnum):
    """Why there is no comparison."""

    COMPUTING = "computing"
    BUSY = "busy"
    UNKNOWN = "unknown"
    NOT_COMPARABLE = "not_comparable"
    NOT_RATED = "not_rated"


class Comparable(NamedTuple):
    """A match that can be compared, and whether it was played at a rated table."""

    game: ComparableGame
    timed: TimedMoves
    rated: bool


class _Kept(NamedTuple):
    comparison: Comparison
    rated: bool


def find_comparable(games: Mapping[str, Game], archive: Archive, key: MatchKey) -> Comparable | NotCompared:
    """Return what to compare of an archived match, or why it is not compared; this reads the archive."""
    body = archive.match(*key) if 0 < key[1] < MATCH_LIMIT else None
    if body is None:
        return NotCompared.UNKNOWN
    match = unpack(body)
    game = games.get(match.game)
    comparable = None if game is None else game.comparison
    timed = timed_moves(comparable, match)
    if comparable is None or timed is None:
        return NotCompared.NOT_COMPARABLE
    return Comparable(comparable, timed, bool(match.table.get("rated")))


class Comparisons:
    """The comparisons that operators asked for, in memory."""

    def __init__(
        self,
        games: Mapping[str, Game],
        archive: Archive | None,
        finished_games: FinishedGames,
        tasks: BackgroundTasks,
        engine: str,
    ) -> None:
        self._games = games
        self._archive = archive
        self._in_thread = finished_games.in_thread
        self._tasks = tasks
        self._engine = engine
        self._kept: OrderedDict[MatchKey, _Kept] = OrderedDict()
        self._waiting: OrderedDict[MatchKey, Comparable] = OrderedDict()
        """Matches to compare; the first of them is being compared."""

    async def compare(self, key: MatchKey, *, unrated: bool) -> Comparison | NotCompared:
        """Return a comparison, or begin it; with `unrated` also of matches that do not count.

        Raise `StoreError` if the archive cannot be read, `TooManyRequests` if no place is free.
        """
        known = self._kept.get(key) or self._waiting.get(key)
        found: Comparable | _Kept | NotCompared
        found = await self._find(key) if known is None else known
        if isinstance(found, NotCompared):
            return found
        if not (unrated or found.rated):
            return NotCompared.NOT_RATED
        if isinstance(found, _Kept):
            return found.comparison
        return self._wait(key, found)

    async def _find(self, key: MatchKey) -> Comparable | NotCompared:
        archive = self._archive
        if archive is None:
            return NotCompared.UNKNOWN
        return await self._in_thread(lambda: find_comparable(self._games, archive, key), "")

    def _wait(self, key: MatchKey, found: Comparable) -> NotCompared:
        if key not in self._waiting:
            if len(self._waiting) >= MOST_WAITING:
                return NotCompared.BUSY
            self._waiting[key] = found
            if len(self._waiting) == 1:
                self._tasks.run(self._work())
        return NotCompared.COMPUTING

    async def _work(self) -> None:
        """Compare what waits, then end the process: it needs memory."""
        pool, loop = processes(1, nice=LOWEST_PRIORITY), asyncio.get_running_loop()
        try:
            while self._waiting:
                key, found = next(iter(self._waiting.items()))
                compared = loop.run_in_executor(pool, compare_game, found.game, found.timed, self._engine)
                self._kept[key] = _Kept(await compared, found.rated)
                del self._waiting[key]
                while len(self._kept) > MOST_KEPT:
                    self._kept.popitem(last=False)
        finally:
            # After a failure, what waits is compared when it is asked for again.
            self._waiting.clear()
            pool.shutdown(wait=False, cancel_futures=True)
