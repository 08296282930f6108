"""A SQL database in PostgreSQL, for several machines."""

from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from qipai.hall.journal.store_interface import StoreError

from .sql_database import NotUnique, Query

CONNECT_TIMEOUT: Final = 3
"""Seconds to wait for a connection; a server that stops must not wait longer."""
TCP_USER_TIMEOUT: Final = 10_000
"""Milliseconds without an acknowledgement after which TCP closes the connection."""
RETRY_AFTER: Final = 5.0
"""Seconds after a failed connection in which every call fails at once."""
_TABLES_LOCK: Final = 0x71697061
"""Advisory lock under which one server creates or migrates the tables, since several may start at once."""
TYPES: Final = {"bytes": "bytea", "flag": "boolean", "keyed": ""}
HAS_TABLE: Final = "select 1 where to_regclass(?) is not null"
"""Has a row if a table exists."""

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresDatabase:
    """One connection behind a lock; reconnects when the database was away."""

    columns_of = (
        "select column_name::text from information_schema.columns "
        "where table_name = ? and table_schema = current_schema() order by ordinal_position"
    )

    def __init__(self, url: str, prepare: Callable[[Query], None]) -> None:
        self._url = url
        self._prepare = prepare
        """Creates or migrates the tables that are used, in the transaction of a new connection."""
        self._lock = Lock()
        self._connection: Connection | None = None
        self._retry_at = 0.0
        self._last_error = ""
        try:
            conninfo_to_dict(url)
        except psycopg.Error as error:
            # The error is not printed: it may contain a password.
            raise StoreError("invalid PostgreSQL URL") from error

    def transaction(self, work: Callable[[Query], T]) -> T:
        """Run `work` in one transaction; once more on a new connection if this one is lost."""
        with self._lock:
            if self._connection is not None and not self._connection.closed:
                try:
                    return _run(self._connection, work)
                except psycopg.OperationalError:
                    self._connection.close()
                except psycopg.Error as error:
                    raise _store_error(error) from error
            try:
                self._connection = self._connect()
                return _run(self._connection, work)
            except psycopg.Error as error:
                raise _store_error(error) from error

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _connect(self) -> Connection:
        """Return a connection to a database that has the tables; fail at once after a recent failure."""
        if monotonic() < self._retry_at:
            raise StoreError(self._last_error)
        try:
            connection = psycopg.connect(
                self._url, connect_timeout=CONNECT_TIMEOUT, tcp_user_timeout=TCP_USER_TIMEOUT
            )
            try:
                _run(connection, self._prepare_alone)
            except BaseException:
                connection.close()
                raise
            return connection
        except (psycopg.Error, StoreError) as error:
            self._retry_at, self._last_error = monotonic() + RETRY_AFTER, f"PostgreSQL: {error}"
            raise

    def _prepare_alone(self, query: Query) -> None:
        query("select pg_advisory_xact_lock(?)", (_TABLES_LOCK,))
        self._prepare(query)


def _run(connection: Connection, work: Callable[[Query], T]) -> T:
    def query(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        result = connection.execute(sql.replace("?", "%s").encode(), values)
        return result.fetchall() if result.description else []

    with connection.transaction():
        return work(query)


def _store_error(error: psycopg.Error) -> StoreError:
    found = NotUnique if isinstance(error, psycopg.errors.UniqueViolation) else StoreError
    return found(f"PostgreSQL: {error}")
