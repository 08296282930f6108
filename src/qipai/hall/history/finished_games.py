"""Searches finished games and fetches their replays and records, off the event loop."""

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

from qipai.games.game_registry import Game
from qipai.hall.journal.room_rebuilding import retrace
from qipai.hall.journal.store_interface import Now, Store
from qipai.kernel.ids import RoomId
from qipai.kernel.room import Phase

from .archive_interface import Archive, FinishedGame, GameFilter
from .match_extraction import Match, matches
from .notation_export import write_notation
from .replay_builder import ReplayTooLong, build_replay, viewpoints

MOST_RECORDS: Final = 50_000
"""Records of the longest room whose matches can be fetched."""
MOST_REQUESTS: Final = 16
"""Requests that may wait; one is read at a time."""
CACHE_BYTES: Final = 16 * 1024 * 1024
"""Bytes of cached files: all players of a game look at it at about the same time."""
GZIP_LEVEL: Final = 5


class TooManyRequests(Exception):
    """As many requests as allowed are waiting."""


class FoundFile(NamedTuple):
    """A finished match, compressed with gzip, and a file name for it."""

    body: bytes
    name: str


CacheKey = tuple[RoomId, int, str]
"""Room, match, and the viewpoint of a replay or `_NOTATION`."""
T = TypeVar("T")
_NOTATION: Final = "record"


class FinishedGames:
    """Fetches finished games; what it returns never changes, so it is cached."""

    def __init__(
        self, games: Mapping[str, Game], store: Store, now: Now, archive: Archive | None = None
    ) -> None:
        self._games = games
        self._store = store
        self._archive = archive
        self._now = now
        self._thread = ThreadPoolExecutor(1, "finished-games")
        self._waiting = 0
        self._cache: OrderedDict[CacheKey, FoundFile] = OrderedDict()

    def close(self) -> None:
        """Cancel waiting requests and accept no more."""
        self._thread.shutdown(cancel_futures=True)

    async def replay(self, room: RoomId, match: int, seat: str) -> FoundFile | None:
        """Return the replay of a match from a viewpoint (empty: the default one), or None."""
        return await self._fetch((room, match, seat), self._replay_file)

    async def record(self, room: RoomId, match: int) -> FoundFile | None:
        """Return a match in its notation, or None."""
        return await self._fetch((room, match, _NOTATION), self._notation_file)

    async def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that match a filter; none without an archive."""
        archive = self._archive
        return () if archive is None else await self._in_thread(lambda: archive.search(wanted))

    async def _fetch(self, key: CacheKey, make: Callable[[Match, str], FoundFile | None]) -> FoundFile | None:
        if (cached := self._cache.get(key)) is not None:
            self._cache.move_to_end(key)
            return cached
        found = await self._in_thread(lambda: self._make(key, make))
        if found is not None:
            self._add_to_cache(key, found)
        return found

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Run `work` in the thread, or raise `TooManyRequests`."""
        if self._waiting >= MOST_REQUESTS:
            raise TooManyRequests
        self._waiting += 1
        try:
            return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._thread, work))
        finally:
            self._waiting -= 1

    def _add_to_cache(self, key: CacheKey, found: FoundFile) -> None:
        self._cache[key] = found
        while sum(len(file.body) for file in self._cache.values()) > CACHE_BYTES:
            self._cache.popitem(last=False)

    # In the thread

    def _make(self, key: CacheKey, make: Callable[[Match, str], FoundFile | None]) -> FoundFile | None:
        room, number, seat = key
        match = self._find_match(room, number)
        return None if match is None else make(match, seat)

    def _find_match(self, room: RoomId, number: int) -> Match | None:
        """Return a match that is over, also for spectators, who see the end after the spectator delay."""
        entries = self._store.history(room)
        if not entries and self._archive is not None:
            entries = self._archive.history(room)
        if not entries or len(entries) > MOST_RECORDS:
            return None
        steps = tuple(retrace(self._games, entries))
        for match in matches(zip(entries, steps, strict=True)):
            ended = match.ended
            if ended.match == number:
                visible_at = ended.at + ended.table.spectator_delay * 1000
                is_visible = visible_at <= self._now() or steps[-1].room.phase is Phase.CLOSED
                return match if is_visible else None
        return None

    def _replay_file(self, match: Match, seat: str) -> FoundFile | None:
        ended = match.ended
        seats = viewpoints(self._games[ended.game], ended)
        chosen = seat or seats[0]
        if chosen not in seats:
            return None
        try:
            body = build_replay(self._games, match, chosen)
        except ReplayTooLong:
            return None
        return FoundFile(_compress(body), f"{ended.game}-{ended.id}-{ended.match}.json")

    def _notation_file(self, match: Match, _seat: str) -> FoundFile | None:
        ended = match.ended
        body = _compress(write_notation(self._games, match).encode())
        return FoundFile(
            body, f"{ended.game}-{ended.id}-{ended.match}.{self._games[ended.game].record_suffix}"
        )


def _compress(body: bytes) -> bytes:
    return gzip.compress(body, GZIP_LEVEL, mtime=0)
