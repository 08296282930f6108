"""Archive in a SQLite file."""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from qipai.hall.history.archive_interface import PackedMatch
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import RoomId

from . import archive_tables
from .sql_archive import SqlArchive


class SqliteArchive(SqlArchive):
    """One connection behind a lock: finished games are few compared with moves."""

    def __init__(self, path: Path, *, update_schema: bool = True) -> None:
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
            self._connection.execute("begin immediate")
            archive_tables.prepare(
                lambda sql, values: self._connection.execute(sql, values).fetchall(),
                "select 1 from sqlite_master where type = 'table' and name = ?",
                str(path),
                bytes_type="blob",
                flag_type="integer",
                update_schema=update_schema,
            )
            self._connection.execute("commit")
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"{path}: {error}") from error
        except StoreError:
            self._connection.close()
            raise

    def check(self) -> None:
        """Raise `StoreError` if the file cannot be read."""
        self._query("select 1 from archived_rooms limit 1", ())

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        """Store a closed room with its matches."""
        with self._lock:
            connection = self._connection
            try:
                connection.execute("begin immediate")
                for statement, values in archive_tables.insertions(room, history, matches):
                    connection.execute(statement, values)
                connection.execute("commit")
            except sqlite3.Error as error:
                if connection.in_transaction:
                    connection.execute("rollback")
                raise StoreError(str(error)) from error

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()

    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(str(error)) from error
