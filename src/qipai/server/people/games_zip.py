"""Writes all games of a person as a ZIP file, game by game, off the event loop."""

import asyncio
import gzip
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from msgspec.structs import replace

from qipai.hall.history.archive_interface import SEARCH_LIMIT, FinishedGame, GameFilter
from qipai.hall.history.finished_games import FinishedGames, TooManyFromAddress, TooManyRequests
from qipai.hall.history.game_files import FoundFile
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.address_refusals import AddressLimit, AddressRefusals
from qipai.kernel.ids import Person

MOST_DOWNLOADS: Final = 4
"""Downloads that may run; one of each address."""
MOST_GAMES: Final = 10_000
"""Most games in a file, the latest first."""
MOST_TRIES: Final = 120
PAUSE: Final = 0.5
"""Seconds until a game is asked for again, if others wait for theirs."""
_FIRST_TIME: Final = datetime(1980, 1, 1, tzinfo=UTC)
"""ZIP files have no earlier times."""

T = TypeVar("T")


class GamesDownloads:
    """Counts the downloads that run, and makes them. Each game is asked for like a single one."""

    def __init__(self, games: FinishedGames, refused: AddressRefusals) -> None:
        self._games = games
        self._refused = refused
        self._running: list[str] = []

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Hold a place for a download of an address, or raise `TooManyRequests`."""
        if is_counted(address) and address in self._running:
            self._refused[AddressLimit.REPLAYS] += 1
            raise TooManyFromAddress
        if len(self._running) >= MOST_DOWNLOADS:
            raise TooManyRequests
        self._running.append(address)
        try:
            yield
        finally:
            self._running.remove(address)

    async def zip_file(self, person: Person, address: str) -> AsyncIterator[bytes]:
        """Yield the parts of a file with all games of a person in their notations."""
        parts = _Parts()
        # The parts cannot be read again, so the sizes follow each game.
        with ZipFile(parts, "w", ZIP_DEFLATED) as archive:  # type: ignore[call-overload] # needs only `write`
            async for game in self._listed(person, address):
                found = await _patiently(
                    partial(self._games.record, game.room, game.match, address=address, kept=False)
                )
                if found is None:
                    continue
                await asyncio.to_thread(_add, archive, game, found)
                yield parts.take()
        yield parts.take()

    async def _listed(self, person: Person, address: str) -> AsyncIterator[FinishedGame]:
        wanted = GameFilter(person=person, limit=SEARCH_LIMIT)
        left = MOST_GAMES
        while left > 0:
            page = await _patiently(partial(self._games.search_own, wanted, address=address))
            for game in page[:left]:
                yield game
            left -= len(page)
            if len(page) < SEARCH_LIMIT:
                return
            last = page[-1]
            wanted = replace(wanted, after=(last.ended, last.room, last.match))


class _Parts:
    """What a ZIP file consists of, until it is sent."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, part: bytes) -> int:
        """Keep a part."""
        self._parts.append(bytes(part))
        return len(part)

    def flush(self) -> None:
        """Do nothing: parts are taken when a game is complete."""

    def take(self) -> bytes:
        """Return what was written since the last time."""
        taken = b"".join(self._parts)
        self._parts.clear()
        return taken


def _add(archive: ZipFile, game: FinishedGame, found: FoundFile) -> None:
    ended = datetime.fromtimestamp(game.ended / 1000, UTC)
    entry = ZipInfo(f"{ended:%Y-%m-%d}-{found.name}", max(ended, _FIRST_TIME).timetuple()[:6])
    entry.compress_type = ZIP_DEFLATED
    archive.writestr(entry, gzip.decompress(found.body))


async def _patiently(ask: Callable[[], Awaitable[T]]) -> T:
    """Return an answer; ask again while others wait for theirs."""
    for _ in range(MOST_TRIES - 1):
        try:
            return await ask()
        except TooManyRequests:
            await asyncio.sleep(PAUSE)
    return await ask()
