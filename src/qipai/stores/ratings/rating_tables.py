"""The tables of ratings, which are part of the schema of the archive, and how matches are rated in them."""

from collections.abc import Sequence
from typing import Any, Final

from qipai.kernel.ids import Person
from qipai.ratings import rating_replay
from qipai.ratings.rating_values import DAY, NEW, RatedMatch, Rating, RatingChange
from qipai.stores.sql.sql_database import Query

CREATE_TABLES: Final = (
    # A row of its own, and no sequence: it stays locked until a transaction ends, so that matches are rated
    # one after the other, and no entry becomes visible after one with a later number.
    "create table if not exists rating_counter (last bigint not null)",
    "insert into rating_counter select 0 where not exists (select 1 from rating_counter)",
    """create table if not exists rating_sequence (
        number bigint primary key, room text not null, match integer not null, person text not null,
        unique (room, match, person))""",
    "create index if not exists erased_persons on rating_sequence (person)",
    """create table if not exists ratings (
        person text not null, category text not null, rating double precision not null,
        deviation double precision not null, volatility double precision not null, games integer not null,
        last bigint not null, primary key (person, category)){keyed}""",
    "create index if not exists ratings_by_place on ratings (category, rating)",
    """create table if not exists rating_changes (
        number bigint not null, room text not null, match integer not null, seat integer not null,
        person text not null, category text not null, ended bigint not null, before double precision not null,
        after double precision not null, deviation double precision not null,
        primary key (room, match, seat)){keyed}""",
    "create index if not exists changes_by_number on rating_changes (person, category, number)",
    "create index if not exists changes_by_end on rating_changes (person, ended)",
)
RATING: Final = "rating, deviation, volatility, games, last"
CHANGE: Final = "number, room, match, seat, person, category, ended, before, after, deviation"
INSERT_RATING: Final = "insert into ratings values (?, ?, ?, ?, ?, ?, ?)"
INSERT_CHANGE: Final = "insert into rating_changes values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"


def lock(query: Query) -> None:
    """Wait until no other transaction rates; before anything else, so that two never wait for each other."""
    query("update rating_counter set last = last", ())


def rate(query: Query, match: RatedMatch) -> None:
    """Rate a match, as the next of the sequence; do nothing if it is there. The caller has the lock."""
    if number := _append(query, match.room, match.match, ""):
        rating_replay.apply(number, match, _StoredState(query))


def erase(query: Query, person: Person) -> None:
    """Delete the ratings of a person; no later match of the person counts. The caller has a transaction."""
    lock(query)
    if _append(query, "", 0, person):
        query("delete from ratings where person = ?", (person,))
        query("delete from rating_changes where person = ?", (person,))


def rating_row(person: str, category: str, rating: Rating) -> tuple[Any, ...]:
    """Return the row of a rating."""
    return (
        person,
        category,
        rating.rating,
        rating.deviation,
        rating.volatility,
        rating.games,
        rating.last,
    )


def change_row(change: RatingChange) -> tuple[Any, ...]:
    """Return the row of a change."""
    return (
        change.number,
        change.room,
        change.match,
        change.seat,
        change.person,
        change.category,
        change.ended,
        change.before,
        change.after,
        change.deviation,
    )


def _append(query: Query, room: str, match: int, person: str) -> int:
    """Append an entry to the sequence and return its number; 0 if it is there."""
    if query(
        "select 1 from rating_sequence where room = ? and match = ? and person = ?", (room, match, person)
    ):
        return 0
    query("update rating_counter set last = last + 1", ())
    ((number,),) = query("select last from rating_counter", ())
    query("insert into rating_sequence values (?, ?, ?, ?)", (number, room, match, person))
    return int(number)


class _StoredState:
    """The ratings in the tables, within a transaction."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def erased(self, persons: Sequence[Person]) -> bool:
        """Tell whether the ratings of one of these persons were erased."""
        return any(
            self._query("select 1 from rating_sequence where person = ?", (person,)) for person in persons
        )

    def matches_of_day(self, persons: Sequence[Person], day: int) -> int:
        """Return how many matches of exactly these persons on a day have counted."""
        rows = self._query(
            "select c.room, c.match, c.person from rating_changes o "
            "join rating_changes c on c.room = o.room and c.match = o.match "
            "where o.person = ? and o.ended >= ? and o.ended < ?",
            (persons[0], day * DAY, (day + 1) * DAY),
        )
        played: dict[tuple[str, int], set[str]] = {}
        for room, match, person in rows:
            played.setdefault((room, match), set()).add(person)
        return sum(found == set(persons) for found in played.values())

    def rating(self, person: Person, category: str) -> Rating:
        """Return a rating; `NEW` for a person without one."""
        rows = self._query(
            f"select {RATING} from ratings where person = ? and category = ?",  # noqa: S608 - our columns
            (person, category),
        )
        return Rating(*rows[0]) if rows else NEW

    def put(self, change: RatingChange, rating: Rating) -> None:
        """Add a change, and replace the rating of its person."""
        self._query("delete from ratings where person = ? and category = ?", (change.person, change.category))
        self._query(INSERT_RATING, rating_row(change.person, change.category, rating))
        self._query(INSERT_CHANGE, change_row(change))
