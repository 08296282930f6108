"""Finished games for whoever asks, read beside the event loop."""

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
from .notation_export import written
from .replay_builder import ReplayTooLong, replay, viewpoint

LONGEST: Final = 50_000
"""Records that a table may have if its games are to be found here."""
WAITING: Final = 16
"""How many may wait for theirs; one at a time is read."""
KEPT: Final = 16 * 1024 * 1024
"""Bytes of games that are kept at hand: all players of a game look at it at about the same time."""


class TooManyRequests(Exception):
    """Too many ask at once."""


class FoundFile(NamedTuple):
    """A finished game, compressed, and the name of a file to keep it in."""

    body: bytes
    name: str


Key = tuple[RoomId, int, str]
T = TypeVar("T")
_RECORD: Final = "record"


class FinishedGames:
    """Gives finished games out. What it gives never changes, so that it can be kept."""

    def __init__(
        self, games: Mapping[str, Game], store: Store, now: Now, archive: Archive | None = None
    ) -> None:
        self._games = games
        self._store = store
        self._archive = archive
        self._now = now
        self._pool = ThreadPoolExecutor(1, "library")
        self._waiting = 0
        self._kept: OrderedDict[Key, FoundFile] = OrderedDict()

    def close(self) -> None:
        """Look nothing up any more."""
        self._pool.shutdown(cancel_futures=True)

    async def replay(self, room: RoomId, match: int, seat: str) -> FoundFile | None:
        """Return a game through these eyes (empty: the usual ones), or None if there is none to be seen."""
        return await self._ask((room, match, seat), self._replayed)

    async def record(self, room: RoomId, match: int) -> FoundFile | None:
        """Return a game in its notation, or None."""
        return await self._ask((room, match, _RECORD), self._recorded)

    async def search(self, wish: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that were asked for; nothing where none are kept."""
        archive = self._archive
        return () if archive is None else await self._later(lambda: archive.search(wish))

    async def _ask(self, key: Key, make: Callable[[Match, str], FoundFile | None]) -> FoundFile | None:
        if (known := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            return known
        found = await self._later(lambda: self._look_up(key, make))
        if found is not None:
            self._keep(key, found)
        return found

    async def _later(self, work: Callable[[], T]) -> T:
        """Do something in the thread, or raise `Busy`."""
        if self._waiting >= WAITING:
            raise TooManyRequests
        self._waiting += 1
        try:
            return await asyncio.shield(asyncio.get_running_loop().run_in_executor(self._pool, work))
        finally:
            self._waiting -= 1

    def _keep(self, key: Key, found: FoundFile) -> None:
        self._kept[key] = found
        while sum(len(each.body) for each in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)

    # In the thread

    def _look_up(self, key: Key, make: Callable[[Match, str], FoundFile | None]) -> FoundFile | None:
        room, number, seat = key
        match = self._find(room, number)
        return None if match is None else make(match, seat)

    def _find(self, room: RoomId, number: int) -> Match | None:
        """Return a match that everybody may look at: it is over, and watchers have seen its end."""
        entries = self._store.history(room)
        if not entries and self._archive is not None:
            entries = self._archive.history(room)
        if not entries or len(entries) > LONGEST:
            return None
        steps = tuple(retrace(self._games, entries))
        for match in matches(zip(entries, steps, strict=True)):
            ended = match.ended
            if ended.match == number:
                seen = ended.at + ended.table.spectator_delay * 1000
                return match if seen <= self._now() or steps[-1].room.phase is Phase.CLOSED else None
        return None

    def _replayed(self, match: Match, seat: str) -> FoundFile | None:
        ended = match.ended
        seats = viewpoint(self._games[ended.game], ended)
        chosen = seat or seats[0]
        if chosen not in seats:
            return None
        try:
            body = replay(self._games, match, chosen)
        except ReplayTooLong:
            return None
        return FoundFile(gzip.compress(body, 5, mtime=0), f"{ended.game}-{ended.id}-{ended.match}.json")

    def _recorded(self, match: Match, _seat: str) -> FoundFile | None:
        ended = match.ended
        game = self._games[ended.game]
        body = gzip.compress(written(self._games, match).encode(), 5, mtime=0)
        return FoundFile(body, f"{ended.game}-{ended.id}-{ended.match}.{game.suffix}")
