"""What the SQL archives share: their queries, and how they store a room."""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any, TypeVar

from qipai.hall.history.archive_interface import (
    FinishedGame,
    GameFilter,
    GameResult,
    HeadToHead,
    PackedMatch,
    PersonSummary,
    ResultCount,
)
from qipai.hall.journal.store_interface import Damaged, Entry, StoreError
from qipai.kernel.ids import RoomId
from qipai.stores.checksums import checksum
from qipai.stores.ratings import rating_tables
from qipai.stores.ratings.sql_ratings import SqlRatings
from qipai.stores.sql.sql_database import Query

from . import archive_queries, archive_tables
from .stored_history import unpack_history

T = TypeVar("T")


class SqlArchive(ABC):
    """Reads an archive through `_query` and writes it through `_transaction`.

    Rows of an earlier release have no checksum and are read without.
    """

    def __init__(self) -> None:
        self.damaged: dict[tuple[RoomId, int], str] = {}
        """What was found damaged, by room and match (0 for the journal of a room), and how."""
        self.ratings = SqlRatings(self._query, self._transaction)

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        """Store a closed room with its matches, and rate those that the sequence lacks."""
        statements = list(archive_tables.insertions(room, history, matches))
        rated = [match.rated for match in matches if match.rated is not None]

        def write(query: Query) -> None:
            if rated:
                rating_tables.lock(query)
            for statement, values in statements:
                query(statement, values)
            for each in rated:
                rating_tables.rate(query, each)

        self._transaction(write)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of an archived room, oldest first; raise `Damaged` if they are."""
        for packed, found in self._query(archive_tables.SELECT_HISTORY, (room,)):
            if not isinstance(packed, bytes) or (found is not None and found != checksum(room, packed)):
                raise self._damage(room, 0, "the journal of the archived table is damaged")
            return unpack_history(packed)
        return ()

    def match(self, room: RoomId, number: int) -> bytes | None:
        """Return the body of a match of an archived room, or None; raise `Damaged` if it is."""
        for body, found in self._query(archive_tables.SELECT_MATCH, (room, number)):
            sound = isinstance(body, bytes) and (
                found is None or found == archive_tables.match_checksum(room, number, body)
            )
            if not sound:
                raise self._damage(room, number, "the archived match is damaged")
            return bytes(body)
        return None

    def match_numbers(self, room: RoomId) -> Sequence[int]:
        """Return the numbers of the matches of an archived room."""
        return [number for (number,) in self._query(archive_tables.SELECT_NUMBERS, (room,))]

    def rooms(self) -> Iterator[RoomId]:
        """Return every archived room."""
        return archive_tables.read_rooms(self._query)

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Return the public games that match a filter, the latest first; damaged listings are left out."""
        found: list[FinishedGame] = []
        for row in self._query(*archive_queries.search_query(wanted)):
            try:
                found.append(archive_tables.read_row(*row))
            except StoreError as error:
                self._damage(row[0], row[1], str(error))
        return found

    def summary(self, person: str, *, public_only: bool) -> PersonSummary:
        """Return the results of a person."""
        found = self._query(*archive_queries.results_query(person, public_only=public_only))
        rows = [row[:4] for row in found]
        runs = [(result, len(list(run))) for result, run in groupby(row[3] for row in rows if row[3])]
        last, streak = runs[0] if runs else ("", 0)
        return PersonSummary(
            tuple(
                ResultCount(game, twist, against, result, games)
                for (game, twist, against, result), games in sorted(Counter(rows).items())
            ),
            max((length for result, length in runs if result == GameResult.WON), default=0),
            last,
            streak,
        )

    def head_to_head(self, person: str, other: str, *, public_only: bool) -> HeadToHead:
        """Return the results of a person against another one."""
        numbers: Counter[GameResult] = Counter()
        for own, others, games in self._query(
            *archive_queries.head_to_head_query(person, other, public_only=public_only)
        ):
            numbers[_between(own, others)] += games
        last = self._query(*archive_queries.last_results_query(person, other, public_only=public_only))
        return HeadToHead(
            numbers[GameResult.WON],
            numbers[GameResult.LOST],
            numbers[GameResult.DRAWN],
            tuple(str(_between(*row)) for row in last),
        )

    def _damage(self, room: RoomId, number: int, cause: str) -> Damaged:
        self.damaged[room, number] = cause
        return Damaged(f"{room} {number}: {cause}")

    @abstractmethod
    def _transaction(self, work: Callable[[Query], T]) -> T:
        """Run `work` in one transaction, perhaps twice, or raise `StoreError`."""

    @abstractmethod
    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with the placeholder `?`, or raise `StoreError`."""


def _between(own: str, others: str) -> GameResult:
    """Return the result between two players of a game, who may both have lost to somebody else."""
    if own == others:
        return GameResult.DRAWN
    return GameResult(own)
