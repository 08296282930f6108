"""The queries that the SQL archives share."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any

from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import RoomId

from . import archive_tables
from .stored_listing import read_listing


class SqlArchive(ABC):
    """Reads an archive through `_query`."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of an archived room, oldest first."""
        rows = self._query(archive_tables.SELECT_HISTORY, (room,))
        return archive_tables.unpack_history(rows[0][0]) if rows else ()

    def match(self, room: RoomId, number: int) -> bytes | None:
        """Return the body of a match of an archived room, or None."""
        rows = self._query(archive_tables.SELECT_MATCH, (room, number))
        return rows[0][0] if rows else None

    def match_numbers(self, room: RoomId) -> Sequence[int]:
        """Return the numbers of the matches of an archived room."""
        return [number for (number,) in self._query(archive_tables.SELECT_NUMBERS, (room,))]

    def rooms(self) -> Iterator[RoomId]:
        """Return every archived room."""
        return archive_tables.read_rooms(self._query)

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Return the public games that match a filter, the latest first."""
        rows = self._query(*archive_tables.search_query(wanted))
        return [read_listing(summary) for (summary,) in rows]

    @abstractmethod
    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with the placeholder `?`, or raise `StoreError`."""
