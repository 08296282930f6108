"""Relations of accounts in a SQL database."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from qipai.hall.journal.store_interface import Now
from qipai.hall.relations.relation_interface import (
    MOST_BLOCKED,
    MOST_FOLLOWED,
    PUBLIC,
    BlockedByYou,
    ChallengesFrom,
    FollowRefused,
    Known,
    NoSuchAccount,
    Privacy,
    Related,
    TooManyRelations,
)
from qipai.kernel.ids import Millis, Person
from qipai.stores.sql.sql_database import Query, SqlDatabase

from .account_tables import lock, log_change

_FOLLOWS: Final = "select 1 from follows where person = ? and followed = ?"
_BLOCKS: Final = "select 1 from blocks where person = ? and blocked = ?"


class SqlRelations:
    """Implements `RelationStore`. `now` dates the relations and the changes."""

    def __init__(self, database: SqlDatabase, now: Now) -> None:
        self._database = database
        self._now = now

    def follow(self, person: Person, followed: Person) -> None:
        """Follow an account, or raise why not."""

        def work(query: Query) -> None:
            _lock_both(query, person, followed)
            if query(_BLOCKS, (person, followed)):
                raise BlockedByYou("the account is blocked")
            if query(_BLOCKS, (followed, person)):
                raise FollowRefused("the account has blocked this one")
            if query(_FOLLOWS, (person, followed)):
                return
            ((count,),) = query("select count(*) from follows where person = ?", (person,))
            if count >= MOST_FOLLOWED:
                raise TooManyRelations(f"an account follows at most {MOST_FOLLOWED} others")
            query("insert into follows values (?, ?, ?)", (person, followed, self._now()))

        self._database.transaction(work)

    def unfollow(self, person: Person, followed: Person) -> None:
        """Follow an account no longer."""
        self._database.transaction(lambda query: _end_follow(query, person, followed))

    def block(self, person: Person, blocked: Person) -> None:
        """Block an account, and end that either follows the other; or raise why not."""

        def work(query: Query) -> None:
            _lock_both(query, person, blocked)
            if query(_BLOCKS, (person, blocked)):
                return
            ((count,),) = query("select count(*) from blocks where person = ?", (person,))
            if count >= MOST_BLOCKED:
                raise TooManyRelations(f"an account blocks at most {MOST_BLOCKED} others")
            query("insert into blocks values (?, ?, ?)", (person, blocked, self._now()))
            _end_follow(query, person, blocked)
            _end_follow(query, blocked, person)
            log_change(query, person, self._now())

        self._database.transaction(work)

    def unblock(self, person: Person, blocked: Person) -> None:
        """Block an account no longer."""

        def work(query: Query) -> None:
            delete = "delete from blocks where person = ? and blocked = ? returning person"
            if query(delete, (person, blocked)):
                log_change(query, person, self._now())

        self._database.transaction(work)

    def set_privacy(self, person: Person, privacy: Privacy) -> None:
        """Store what an account lets others see and do."""

        def work(query: Query) -> None:
            if not lock(query, person):
                return
            query("delete from account_privacy where person = ?", (person,))
            if privacy != PUBLIC:
                query(
                    "insert into account_privacy values (?, ?, ?)",
                    (person, int(privacy.invisible), privacy.challenges_from.value),
                )
            log_change(query, person, self._now())

        self._database.transaction(work)

    def followed(self, person: Person) -> Sequence[Related]:
        """Return whom an account follows, the latest first."""
        return self._related(
            "select followed, since from follows where person = ? order by since desc, followed", person
        )

    def blocked(self, person: Person) -> Sequence[Related]:
        """Return whom an account has blocked, the latest first."""
        return self._related(
            "select blocked, since from blocks where person = ? order by since desc, blocked", person
        )

    def follows(self, person: Person, other: Person) -> bool:
        """Tell whether an account follows another."""
        return bool(self._database.transaction(lambda query: query(_FOLLOWS, (person, other))))

    def known(self, person: Person) -> Known:
        """Return what workers keep of an account."""

        def work(query: Query) -> Known:
            rows = query("select invisible, challenges_from from account_privacy where person = ?", (person,))
            blocked = query("select blocked from blocks where person = ?", (person,))
            privacy = _privacy(*rows[0]) if rows else PUBLIC
            return Known(privacy, frozenset(Person(each) for (each,) in blocked))

        return self._database.transaction(work)

    def all_known(self) -> Mapping[Person, Known]:
        """Return what workers keep of all accounts."""

        def work(query: Query) -> Mapping[Person, Known]:
            rows = query("select person, invisible, challenges_from from account_privacy", ())
            privacy = {Person(person): _privacy(*values) for person, *values in rows}
            blocked = defaultdict[Person, set[Person]](set)
            for person, other in query("select person, blocked from blocks", ()):
                blocked[Person(person)].add(Person(other))
            return {
                person: Known(privacy.get(person, PUBLIC), frozenset(blocked.get(person, ())))
                for person in privacy.keys() | blocked.keys()
            }

        return self._database.transaction(work)

    def _related(self, sql: str, person: Person) -> Sequence[Related]:
        rows = self._database.transaction(lambda query: query(sql, (person,)))
        return [Related(Person(other), Millis(since)) for other, since in rows]


def _lock_both(query: Query, person: Person, other: Person) -> None:
    """Keep two accounts as they are until the transaction ends, or raise `NoSuchAccount`."""
    # In the same order for both: otherwise two who follow each other at once would wait for each other.
    if person == other or not all(lock(query, each) for each in sorted((person, other))):
        raise NoSuchAccount("one of the accounts does not exist")


def _end_follow(query: Query, person: Person, followed: Person) -> None:
    query("delete from follows where person = ? and followed = ?", (person, followed))


def _privacy(invisible: int, challenges_from: str) -> Privacy:
    return Privacy(bool(invisible), ChallengesFrom(challenges_from))
