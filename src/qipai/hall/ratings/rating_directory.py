"""What a worker knows of all ratings without asking the database, so that it can pair equal players."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NamedTuple

from qipai.hall.background_tasks import BackgroundTasks
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.internal_errors import InternalErrors
from qipai.hall.journal.store_interface import Now, StoreError
from qipai.hall.rooms.alarms import Alarms
from qipai.kernel.ids import Millis, Person
from qipai.ratings.rating_values import PROVISIONAL_DEVIATION, START_RATING

from .ratings import RunInThread

READ_PAUSE: Final = 5_000
"""Milliseconds between two looks at the sequence of rated matches."""
_ALARM: Final = "rating directory"


class KnownRating(NamedTuple):
    """What a worker knows of a rating."""

    points: float
    provisional: bool


_NEW: Final = KnownRating(START_RATING, provisional=True)


class _News(NamedTuple):
    """What was read: the last entry of the sequence, ratings in their order, and who was erased."""

    last: int
    ratings: Sequence[tuple[Person, str, KnownRating]]
    erased: Sequence[Person] = ()


class RatingDirectory:
    """The ratings of all persons as of the last look, about 210 bytes for each."""

    def __init__(
        self,
        archive: Archive | None,
        run: RunInThread,
        alarms: Alarms,
        tasks: BackgroundTasks,
        incidents: InternalErrors,
        now: Now,
    ) -> None:
        self._archive = archive
        self._run = run
        self._alarms = alarms
        self._tasks = tasks
        self._incidents = incidents
        self._now = now
        self._last: int | None = None
        """The last entry of the sequence that is known; None before the ratings were read."""
        self._ratings: defaultdict[str, dict[Person, KnownRating]] = defaultdict(dict)
        """Ratings by category and person."""
        self.listeners: list[Callable[[Person], None]] = []
        """Called for each person one of whose ratings is another one now."""

    def start(self) -> None:
        """Read the ratings, and what changed, every few seconds; without an archive there are none."""
        if self._archive is not None:
            self._tasks.run(self._look(self._archive))

    def rating(self, person: Person, category: str) -> float:
        """Return the rating of a person; that of a new player before the first rated match."""
        return self._known(person, category).points

    def known(self, person: Person, category: str) -> KnownRating | None:
        """Return what to show of a rating; None while nothing was read, and without an archive."""
        return None if self._last is None else self._known(person, category)

    def _known(self, person: Person, category: str) -> KnownRating:
        ratings = self._ratings.get(category)
        return _NEW if ratings is None else ratings.get(person, _NEW)

    async def _look(self, archive: Archive) -> None:
        with FailureIsolation(self._failed):
            news = await self._run(partial(_read, archive, self._last), "")
            for person, category, rating in news.ratings:
                self._ratings[category][person] = rating
            for person in news.erased:
                for ratings in self._ratings.values():
                    ratings.pop(person, None)
            self._last = news.last
            for person in dict.fromkeys((*(person for person, *_ in news.ratings), *news.erased)):
                for listener in self.listeners:
                    listener(person)
        self._alarms.set(_ALARM, Millis(self._now() + READ_PAUSE), self.start)

    def _failed(self, error: Exception) -> None:
        # The archiver reports an archive that does not answer; readers of games have no more places.
        if not isinstance(error, (StoreError, TooManyRequests)):
            self._incidents.task_failed(error)


def _read(archive: Archive, last: int | None) -> _News:
    """Return all ratings, or those that changed after an entry."""
    store = archive.ratings
    if last is None:
        last, ratings = store.current()
        return _News(last, [(person, category, _known(*rest)) for person, category, *rest in ratings])
    entries = store.sequence(last)
    changes = (change for entry in entries for change in store.changes(entry.room, entry.match))
    return _News(
        entries[-1].number if entries else last,
        [(change.person, change.category, _known(change.after, change.deviation)) for change in changes],
        [entry.person for entry in entries if entry.person],
    )


def _known(points: float, deviation: float) -> KnownRating:
    return KnownRating(points, deviation > PROVISIONAL_DEVIATION)
