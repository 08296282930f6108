"""A SQL database in a SQLite file, or in memory."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from qipai.hall.journal.store_interface import StoreError
from qipai.stores.sqlite_files import (
    SQLITE_ERRORS,
    connect,
    connect_again,
    reading,
    store_error,
    transaction,
)

from .sql_database import NotUnique, Query, Tables, prepare

T = TypeVar("T")
MEMORY: Final = Path(":memory:")
_TYPES: Final = {"bytes": "blob"}
_HAS_TABLE: Final = "select 1 from sqlite_master where type = 'table' and name = ?"
_NOT_UNIQUE: Final = frozenset((sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY))


class SqliteDatabase:
    """One connection behind a lock. Without `update_schema` the file is only read."""

    columns_of = "select name from pragma_table_info(?) order by cid"

    def __init__(self, path: Path, *tables: Tables, update_schema: bool = True) -> None:
        self._path = path
        self._lock = Lock()
        self._opened = ExitStack()
        try:
            if path == MEMORY:
                self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
                self._opened.enter_context(closing(self._connection))
            elif update_schema:
                # The archive, which is opened first, has checked the log of its file.
                opened = connect_again(path) if path.exists() else connect(path)
                self._connection = self._opened.enter_context(closing(opened))
                self._connection.execute("pragma synchronous = full")
            else:
                self._connection = self._opened.enter_context(reading(path))
            if update_schema:
                # What is deleted of an account is not left in free pages, which backups copy.
                self._connection.execute("pragma secure_delete = on")
                self._connection.execute("begin immediate")
            for each in tables:
                prepare(self._query, each, _HAS_TABLE, _TYPES, update=update_schema)
            if update_schema:
                self._connection.execute("commit")
        except (OSError, *SQLITE_ERRORS) as error:
            self._opened.close()
            raise store_error(self._path, error) from error
        except StoreError:
            self._opened.close()
            raise

    def transaction(self, work: Callable[[Query], T]) -> T:
        """Run `work` in one transaction."""
        with self._lock:
            try:
                with transaction(self._connection):
                    return work(self._query)
            except sqlite3.IntegrityError as error:
                if error.sqlite_errorcode in _NOT_UNIQUE:
                    raise NotUnique(str(error)) from error
                raise store_error(self._path, error) from error
            except SQLITE_ERRORS as error:
                raise store_error(self._path, error) from error

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._opened.close()

    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()
