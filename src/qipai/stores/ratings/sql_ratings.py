"""Implements `RatingStore` in the database of an archive."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, TypeVar

from qipai.hall.ratings.rating_interface import BUCKET, CURVE_LIMIT, LEADERS_LIMIT, CurrentRating, Leaders
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings.rating_values import PROVISIONAL_DEVIATION, AllRatings, Rating, RatingChange, SequenceEntry
from qipai.stores.sql.sql_database import Query

from . import rating_tables
from .rating_tables import CHANGE, RATING

T = TypeVar("T")
_ACTIVE: Final = "from ratings where category = ? and deviation <= ? and last >= ?"
# SQLite may have no floor(); its cast truncates, and the one of PostgreSQL rounds.
_WHOLE: Final = f"cast(rating / {BUCKET} as bigint)"
_BUCKET: Final = f"{_WHOLE} - case when {_WHOLE} > rating / {BUCKET} then 1 else 0 end"
_LAST: Final = "select last from rating_counter"


class Transaction(Protocol):
    """Runs work in one transaction, perhaps twice."""

    def __call__(self, work: Callable[[Query], T]) -> T:
        """Return what the work returns, or raise `StoreError`."""


class SqlRatings:
    """Ratings of an archive; `query` reads, `transaction` writes."""

    def __init__(self, query: Query, transaction: Transaction) -> None:
        self._query = query
        self._transaction = transaction

    def ratings(self, person: Person) -> Mapping[str, Rating]:
        """Return the ratings of a person by category."""
        rows = self._query(
            f"select category, {RATING} from ratings where person = ? order by category",  # noqa: S608 - our columns
            (person,),
        )
        return {category: Rating(*rest) for category, *rest in rows}

    def curve(self, person: Person, category: str) -> Sequence[RatingChange]:
        """Return the last changes of a rating, the latest first, at most `CURVE_LIMIT`."""
        rows = self._query(
            f"select {CHANGE} from rating_changes where person = ? and category = ? "  # noqa: S608 - our columns
            "order by number desc limit ?",
            (person, category, CURVE_LIMIT),
        )
        return [RatingChange(*row) for row in rows]

    def changes(self, room: RoomId, match: int) -> Sequence[RatingChange]:
        """Return what a match changed, by seat."""
        rows = self._query(
            f"select {CHANGE} from rating_changes where room = ? and match = ? order by seat",  # noqa: S608 - our columns
            (room, match),
        )
        return [RatingChange(*row) for row in rows]

    def leaders(self, category: str, active_since: Millis) -> Leaders:
        """Return the players of a category who are not provisional and have played since a time."""
        values = (category, PROVISIONAL_DEVIATION, active_since)
        first = self._query(
            f"select person, {RATING} {_ACTIVE} order by rating desc, person limit ?",
            (*values, LEADERS_LIMIT),
        )
        rows = self._query(f"select {_BUCKET}, count(*) {_ACTIVE} group by 1", values)
        distribution = {bucket * BUCKET: players for bucket, players in rows}
        return Leaders([(Person(person), Rating(*rest)) for person, *rest in first], distribution)

    def ranked(self, active_since: Millis) -> Mapping[str, int]:
        """Return how many such players each category has; without categories that have none."""
        rows = self._query(
            "select category, count(*) from ratings where deviation <= ? and last >= ? group by category",
            (PROVISIONAL_DEVIATION, active_since),
        )
        return dict(rows)

    def erase(self, person: Person) -> None:
        """Delete all ratings of a person; no later match of the person counts."""
        self._transaction(lambda query: rating_tables.erase(query, person))

    def sequence(self, after: int = 0) -> Sequence[SequenceEntry]:
        """Return the entries after a number, in their order."""
        rows = self._query(
            "select number, room, match, person from rating_sequence where number > ? order by number",
            (after,),
        )
        return [SequenceEntry(*row) for row in rows]

    def current(self) -> tuple[int, Sequence[CurrentRating]]:
        """Return the number of an entry, and all ratings with at least what follows from it."""
        ((last,),) = self._query(_LAST, ())
        rows = self._query("select person, category, rating, deviation from ratings", ())
        return last, [CurrentRating(Person(person), *rest) for person, *rest in rows]

    def all(self) -> tuple[int, AllRatings]:
        """Return the number of the last entry, and all ratings and changes that follow from the entries."""
        while True:
            ((last,),) = self._query(_LAST, ())
            ratings = self._query(f"select person, category, {RATING} from ratings", ())  # noqa: S608 - our columns
            changes = self._query(f"select {CHANGE} from rating_changes", ())  # noqa: S608 - our columns
            if self._query(_LAST, ()) == [(last,)]:  # Nothing was rated in between.
                break
        return last, AllRatings(
            {(person, category): Rating(*rest) for person, category, *rest in ratings},
            {(row[1], row[2], row[3]): RatingChange(*row) for row in changes},
        )

    def replace(self, last: int, ratings: AllRatings) -> bool:
        """Replace all ratings and changes in one transaction; change nothing if there are later entries."""

        def work(query: Query) -> bool:
            rating_tables.lock(query)
            if query(_LAST, ()) != [(last,)]:
                return False
            query("delete from ratings", ())
            query("delete from rating_changes", ())
            for (person, category), rating in ratings.ratings.items():
                query(rating_tables.INSERT_RATING, rating_tables.rating_row(person, category, rating))
            for change in ratings.changes.values():
                query(rating_tables.INSERT_CHANGE, rating_tables.change_row(change))
            return True

        return self._transaction(work)
