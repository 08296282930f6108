"""Searches finished games and fetches their replays and records, off the event loop."""

import asyncio
import gzip
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, NamedTuple, TypeVar

import msgspec

from qipai.games.game import Game
from qipai.hall.journal.room_rebuilding import JournalError, restore
from qipai.hall.journal.store_interface import Entry, Now, Store, StoreError
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.address_refusals import AddressLimit, AddressRefusals
from qipai.kernel.ids import Millis, Person, RoomId

from .archive_interface import Archive, FinishedGame, GameFilter, HeadToHead, PersonSummary, is_wanted
from .archived_match import ArchivedMatch, listing, unpack
from .game_files import FoundFile, GameEnding, ending_file, notation_file, replay_file
from .match_archiving import archive_match, checked_matches, viewpoints
from .recent_games import MatchKey, RecentGames
from .record_numbers import finished_matches, game_name, other_rules

MOST_RECORDS: Final = 50_000
"""Records of the longest room whose matches can be fetched before it is archived."""
MOST_REQUESTS: Final = 16
"""Requests that may wait; one is read at a time."""
MOST_OF_ADDRESS: Final = 4
"""How many of them may be of one address."""
CACHE_BYTES: Final = 16 * 1024 * 1024
"""Bytes of cached files: all players of a game look at it at about the same time."""
MOST_LISTINGS: Final = 1_000
"""Recent matches whose listing is kept."""


class TooManyRequests(Exception):
    """As many requests as allowed are waiting."""


class TooManyFromAddress(TooManyRequests):
    """As many requests of one address as allowed are waiting."""


class Wanted(NamedTuple):
    """What is asked for: a replay from a viewpoint (empty: the default one), the notation, or the ending."""

    room: RoomId
    match: int
    viewpoint: str
    compact: bool = False
    notation: bool = False
    ending: bool = False


T = TypeVar("T")
_decode_ending: Final = msgspec.json.Decoder(GameEnding).decode
MATCH_LIMIT: Final = 2**31
"""Above all match numbers; the databases have no larger integers."""


class FinishedGames:
    """Fetches finished games; what it returns never changes, so it is cached."""

    def __init__(
        self,
        games: Mapping[str, Game],
        store: Store,
        now: Now,
        archive: Archive | None = None,
        refused: AddressRefusals | None = None,
    ) -> None:
        self._refused = AddressRefusals() if refused is None else refused
        self._games = games
        self._store = store
        self._archive = archive
        self._now = now
        self._thread = ThreadPoolExecutor(1, "finished-games")
        self._waiting: Counter[str] = Counter()
        """Waiting requests by address."""
        self._pending: dict[Wanted, asyncio.Future[FoundFile | None]] = {}
        """Files that are being made, for all who ask for them."""
        self._cache: OrderedDict[Wanted, FoundFile] = OrderedDict()
        self.recent = RecentGames()
        self._listings: OrderedDict[MatchKey, tuple[FinishedGame, Millis] | None] = OrderedDict()
        """Recent matches as they are listed, and since when; making one replays its room."""

    def close(self) -> None:
        """Cancel waiting requests and accept no more."""
        self._thread.shutdown(cancel_futures=True)

    def forget_files(self) -> None:
        """Forget cached files and listings: the names in them may have changed."""
        self._cache.clear()
        self._listings.clear()

    async def replay(
        self, room: RoomId, match: int, viewpoint: str, *, compact: bool = False, address: str = ""
    ) -> FoundFile | None:
        """Return the replay of a match from a viewpoint (empty: the default one), or None.

        This and the other methods raise `TooManyRequests` if no place is free for this address.
        """
        return await self._fetch(Wanted(room, match, viewpoint, compact), address)

    async def record(
        self, room: RoomId, match: int, *, address: str = "", kept: bool = True
    ) -> FoundFile | None:
        """Return a match in its notation, or None; `kept`: others may ask for it soon."""
        return await self._fetch(Wanted(room, match, "", notation=True), address, kept=kept)

    async def ending(self, room: RoomId, match: int, *, address: str = "") -> GameEnding | None:
        """Return how a match ended, or None."""
        found = await self._fetch(Wanted(room, match, "", ending=True), address)
        return None if found is None else _decode_ending(gzip.decompress(found.body))

    async def search(self, wanted: GameFilter, *, address: str = "") -> Sequence[FinishedGame]:
        """Return the games that match a filter; none without an archive."""
        archive = self._archive
        if archive is None:
            return ()
        return await asyncio.shield(self.in_thread(lambda: archive.search(wanted), address))

    async def search_own(self, wanted: GameFilter, *, address: str = "") -> Sequence[FinishedGame]:
        """Return the games of the person of a filter, also those that the archive does not list yet."""
        person = Person(wanted.person)
        recent = tuple(self.recent.of(person))
        archived, own = await asyncio.shield(
            self.in_thread(lambda: self._search_own(wanted, recent), address)
        )
        self.recent.forget(person, ((game.room, game.match) for game in archived))
        return own

    async def summary(self, person: Person, *, public_only: bool, address: str = "") -> PersonSummary:
        """Return the results of a person in the games that the archive lists."""
        archive = self._archive
        if archive is None:
            return PersonSummary()
        return await asyncio.shield(
            self.in_thread(lambda: archive.summary(person, public_only=public_only), address)
        )

    async def head_to_head(
        self, person: Person, other: Person, *, public_only: bool, address: str = ""
    ) -> HeadToHead:
        """Return the results of a person against another one in the games that the archive lists."""
        archive = self._archive
        if archive is None:
            return HeadToHead()
        return await asyncio.shield(
            self.in_thread(lambda: archive.head_to_head(person, other, public_only=public_only), address)
        )

    async def _fetch(self, wanted: Wanted, address: str, *, kept: bool = True) -> FoundFile | None:
        if (cached := self._cache.get(wanted)) is not None:
            self._cache.move_to_end(wanted)
            return cached
        pending = self._pending.get(wanted)
        if pending is None:
            pending = self.in_thread(lambda: self._make(wanted), address)
            self._pending[wanted] = pending
            pending.add_done_callback(lambda _: self._pending.pop(wanted))
        found = await asyncio.shield(pending)
        if found is not None and kept:
            self._add_to_cache(wanted, found)
        return found

    def in_thread(self, work: Callable[[], T], address: str) -> "asyncio.Future[T]":
        """Run `work` in the thread, or raise `TooManyRequests`; its place is free when it is done."""
        if is_counted(address) and self._waiting[address] >= MOST_OF_ADDRESS:
            self._refused[AddressLimit.REPLAYS] += 1
            raise TooManyFromAddress
        if self._waiting.total() >= MOST_REQUESTS:
            raise TooManyRequests
        running = asyncio.get_running_loop().run_in_executor(self._thread, work)
        self._waiting[address] += 1
        running.add_done_callback(lambda _: self._leave(address))
        return running

    def _leave(self, address: str) -> None:
        self._waiting[address] -= 1
        if not self._waiting[address]:
            del self._waiting[address]

    def _add_to_cache(self, wanted: Wanted, found: FoundFile) -> None:
        self._cache[wanted] = found
        while sum(len(file.body) for file in self._cache.values()) > CACHE_BYTES:
            self._cache.popitem(last=False)

    # In the thread

    def _search_own(
        self, wanted: GameFilter, recent: Sequence[MatchKey]
    ) -> tuple[Sequence[FinishedGame], Sequence[FinishedGame]]:
        """Return the games that the archive lists, and these with the recent ones."""
        archived = () if self._archive is None else self._archive.search(wanted)
        listed = {(game.room, game.match) for game in archived}
        found = [self._listing(key) for key in recent if key not in listed]
        added = [game for game in found if game is not None and game.moves and _is_in(game, wanted)]
        own = sorted((*archived, *added), key=_sort_key, reverse=True)
        return archived, own[: wanted.limit]

    def _listing(self, key: MatchKey) -> FinishedGame | None:
        """Return how a match is listed, or None if it cannot be read or is not over for spectators."""
        if key not in self._listings:
            try:
                match = self._find_match(Wanted(*key, "", notation=True))
            except JournalError:
                match = None  # The archiver reports it.
            self._listings[key] = None if match is None else (listing(match), _visible_from(match))
            while len(self._listings) > MOST_LISTINGS:
                self._listings.popitem(last=False)
        known = self._listings[key]
        return known[0] if known is not None and known[1] <= self._now() else None

    def _make(self, wanted: Wanted) -> FoundFile | None:
        match = self._find_match(wanted)
        if match is None or _visible_from(match) > self._now():
            return None
        if wanted.ending:
            return ending_file(match)
        if wanted.notation:
            return notation_file(match)
        return replay_file(match, wanted.viewpoint, compact=wanted.compact)

    def _find_match(self, wanted: Wanted) -> ArchivedMatch | None:
        """Return a match that is over: from the archive, or else from the journal with what is asked for.

        The journal has the records of an archived room for long, and its rules may have changed since.
        """
        if not 0 < wanted.match < MATCH_LIMIT:
            return None
        unreachable: StoreError | None = None
        if self._archive is not None:
            try:
                body = self._archive.match(wanted.room, wanted.match)
            except StoreError as error:
                unreachable = error
            else:
                if body is not None:
                    return unpack(body)
        entries = self._store.history(wanted.room) if self._has_match(wanted) else ()
        match = self._read_match(entries, wanted) if entries else None
        if match is None and unreachable is not None:
            raise unreachable
        return match

    def _has_match(self, wanted: Wanted) -> bool:
        """Tell whether the journal may have the match: reading and replaying a history takes long."""
        saved = self._store.load(wanted.room)
        if saved is None or saved.snapshot.version + len(saved.tail) > MOST_RECORDS:
            return False
        finished = finished_matches(saved.snapshot.body)
        if finished is not None and wanted.match <= finished:
            return True
        try:
            room = restore(self._games, saved)[1]
        except JournalError:
            return True  # Reading the match tells what is wrong.
        return wanted.match <= (room.match if room.result is not None else room.match - 1)

    def _read_match(self, entries: Sequence[Entry], wanted: Wanted) -> ArchivedMatch | None:
        """Return a match of the journal, if the present rules are those that it was played by."""
        try:
            for match, cause in checked_matches(self._games, entries):
                if match.ended.match == wanted.match:
                    if cause:
                        return None
                    viewpoint = wanted.viewpoint or viewpoints(match)[0]
                    return archive_match(match, () if wanted.notation else (viewpoint,))
        except JournalError:
            game = self._games.get(game_name(entries))
            if game is not None and other_rules(game, entries) is None:
                raise
        return None


def _visible_from(match: ArchivedMatch) -> Millis:
    """Return when a match is over for spectators too: they see its end after the spectator delay."""
    delay: int = match.table.get("spectator_delay", 0) * 1000
    return Millis(match.ended + delay)


def _sort_key(game: FinishedGame) -> tuple[Millis, RoomId, int]:
    return game.ended, game.room, game.match


def _is_in(game: FinishedGame, wanted: GameFilter) -> bool:
    """Tell whether a game belongs to this page of a search for games of a person, or to a later one."""
    return is_wanted(game, wanted) and (wanted.after is None or _sort_key(game) < wanted.after)
