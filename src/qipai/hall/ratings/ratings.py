"""Ratings as clients read them, off the event loop."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, Protocol, TypeVar

from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings.rating_values import DAY, Rating, RatingChange

from .rating_interface import Leaders, RatingStore

ACTIVE_DAYS: Final = 60
"""Days without a rated match after which a player is no longer on a leaderboard."""
T = TypeVar("T")


class RunInThread(Protocol):
    """Runs work off the event loop, or raises `TooManyRequests`."""

    def __call__(self, work: Callable[[], T], address: str) -> "asyncio.Future[T]":
        """Return the result of the work."""


class RatingHistory(NamedTuple):
    """The rating of a person in a category, and its last changes, the latest first."""

    category: str
    rating: Rating
    curve: Sequence[RatingChange]


class Ratings:
    """Reads the ratings of accounts; none without an archive."""

    def __init__(
        self,
        archive: Archive | None,
        accounts: AccountServices,
        run: RunInThread,
        now: Now,
    ) -> None:
        self._archive = archive
        self._directory = accounts.directory
        self._names = accounts.names
        self._run = run
        self._now = now

    def person(self, name: str) -> Person | None:
        """Return the person whose account has a name like this."""
        return self._directory.owner(self._names.skeleton(name))

    def name(self, person: Person) -> str:
        """Return the name of an account; empty if there is none."""
        account = self._directory.account(person)
        return "" if account is None else account.name

    async def histories(self, person: Person, address: str) -> Sequence[RatingHistory]:
        """Return the ratings of a person in all categories. All methods may raise `TooManyRequests`."""

        def read(store: RatingStore) -> list[RatingHistory]:
            found = store.ratings(person).items()
            return [
                RatingHistory(category, rating, store.curve(person, category)) for category, rating in found
            ]

        return await self._ask(read, [], address)

    async def changes(self, room: RoomId, match: int, address: str) -> Sequence[RatingChange]:
        """Return what a match changed, by seat."""
        return await self._ask(lambda store: store.changes(room, match), (), address)

    async def leaders(self, category: str, address: str) -> Leaders:
        """Return the leaderboard of a category."""
        since = self._active_since()
        return await self._ask(lambda store: store.leaders(category, since), Leaders((), {}), address)

    async def ranked(self, address: str) -> Mapping[str, int]:
        """Return how many players each leaderboard counts; without those that have none."""
        since = self._active_since()
        return await self._ask(lambda store: store.ranked(since), {}, address)

    def _active_since(self) -> Millis:
        return Millis(self._now() - ACTIVE_DAYS * DAY)

    async def _ask(self, read: Callable[[RatingStore], T], without: T, address: str) -> T:
        archive = self._archive
        if archive is None:
            return without
        return await asyncio.shield(self._run(lambda: read(archive.ratings), address))
