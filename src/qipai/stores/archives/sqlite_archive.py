"""Archive in a SQLite file."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.stores.sql.sql_database import Query
from qipai.stores.sqlite_files import (
    SQLITE_ERRORS,
    connect,
    find_damage,
    reading,
    refuse_damaged_log,
    store_error,
    transaction,
)
from qipai.stores.sqlite_log import ARCHIVE_PAGE_BYTES

from . import archive_tables
from .sql_archive import SqlArchive

T = TypeVar("T")
_WAL_PAGES: Final = 128
"""Pages in the write-ahead log after which it is written to the file: 4 MB."""


class SqliteArchive(SqlArchive):
    """One connection behind a lock: finished games are few compared with moves.

    Without `update_schema` the file is only read.
    """

    def __init__(self, path: Path, *, update_schema: bool = True) -> None:
        super().__init__()
        self._path = path
        self._lock = Lock()
        self._opened = ExitStack()
        self._found_damage = None if update_schema else ""
        """What the first check found; None before it."""
        try:
            if update_schema:
                refuse_damaged_log(path)
                self._connection = self._opened.enter_context(closing(connect(path, ARCHIVE_PAGE_BYTES)))
                self._connection.execute("pragma synchronous = full")
                self._connection.execute(f"pragma wal_autocheckpoint = {_WAL_PAGES}")
                self._connection.execute("begin immediate")
            else:
                self._connection = self._opened.enter_context(reading(path))
            archive_tables.prepare(
                lambda sql, values: self._connection.execute(sql, values).fetchall(),
                "select 1 from sqlite_master where type = 'table' and name = ?",
                str(path),
                bytes_type="blob",
                flag_type="integer",
                keyed=" without rowid",
                update_schema=update_schema,
            )
            if update_schema:
                self._connection.execute("commit")
        except (OSError, *SQLITE_ERRORS) as error:
            self._opened.close()
            raise store_error(self._path, error) from error
        except StoreError:
            self._opened.close()
            raise

    def check(self) -> None:
        """Raise `StoreError` if the file cannot be read or is damaged; the first call reads all of it."""
        self._query("select 1 from archived_rooms limit 1", ())
        if self._found_damage is None:
            with reading(self._path, opened_before=True) as connection:
                self._found_damage = find_damage(connection)
        if self._found_damage:
            raise Damaged(f"{self._path}: is damaged: {self._found_damage}")

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._opened.close()

    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except SQLITE_ERRORS as error:
                raise store_error(self._path, error) from error

    def _transaction(self, work: Callable[[Query], T]) -> T:
        with self._lock:
            try:
                with transaction(self._connection):
                    return work(lambda sql, values: self._connection.execute(sql, values).fetchall())
            except SQLITE_ERRORS as error:
                raise store_error(self._path, error) from error
