"""Archive in a SQLite file."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import RoomId

from . import archive_queries


class SqliteArchive:
    """One connection behind a lock: finished games are few compared with moves."""

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # The file holds names and chat.
            self._connection = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=10
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: {error}") from error
        try:
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = full")
            for table in archive_queries.CREATE_TABLES:
                self._connection.execute(table.format(bytes="blob", flag="integer"))
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"{path}: {error}") from error

    def check(self) -> None:
        """Raise `StoreError` if the file cannot be read."""
        self._query("select 1 from archived_rooms limit 1", ())

    def store(self, room: RoomId, history: Sequence[Entry], games: Sequence[FinishedGame]) -> None:
        """Store a closed room with its games."""
        with self._lock:
            connection = self._connection
            try:
                connection.execute("begin immediate")
                connection.execute(archive_queries.INSERT_ROOM, (room, archive_queries.pack(history)))
                connection.executemany(
                    archive_queries.INSERT_GAME, [archive_queries.game_row(game) for game in games]
                )
                connection.executemany(
                    archive_queries.INSERT_PLAYER,
                    [row for game in games for row in archive_queries.player_rows(game)],
                )
                connection.execute("commit")
            except sqlite3.Error as error:
                if connection.in_transaction:
                    connection.execute("rollback")
                raise StoreError(str(error)) from error

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of an archived room, oldest first."""
        rows = self._query(archive_queries.SELECT_HISTORY, (room,))
        return archive_queries.unpack(rows[0][0]) if rows else ()

    def rooms(self) -> Iterator[RoomId]:
        """Return every archived room."""
        return archive_queries.read_rooms(self._query)

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that match a filter, the latest first."""
        rows = self._query(*archive_queries.search_query(wanted))
        return [archive_queries.read_game(summary) for (summary,) in rows]

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()

    def _query(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(str(error)) from error
