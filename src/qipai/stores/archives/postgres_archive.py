"""Archive in PostgreSQL, for several machines."""

from collections.abc import Callable, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from qipai.hall.history.archive_interface import PackedMatch
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import RoomId

from . import archive_tables
from .sql_archive import SqlArchive

CONNECT_TIMEOUT: Final = 3
"""Seconds to wait for a connection; a server that stops must not wait longer."""
TCP_USER_TIMEOUT: Final = 10_000
"""Milliseconds without an acknowledgement after which TCP closes the connection."""
RETRY_AFTER: Final = 5.0
"""Seconds after a failed connection in which every call fails at once."""
_TABLES_LOCK: Final = 0x71697061
"""Advisory lock under which one server creates or migrates the tables, since several may start at once."""

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresArchive(SqlArchive):
    """One connection behind a lock; reconnects when the database was away."""

    def __init__(self, url: str, *, update_schema: bool = True) -> None:
        super().__init__()
        self._url = url
        self._update_schema = update_schema
        self._lock = Lock()
        self._connection: Connection | None = None
        self._retry_at = 0.0
        self._last_error = ""
        try:
            conninfo_to_dict(url)
        except psycopg.Error as error:
            # The error is not printed: it may contain a password.
            raise StoreError("archive: invalid PostgreSQL URL") from error

    def check(self) -> None:
        """Raise `StoreError` if the database cannot be reached."""
        self._query("select 1", ())

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        """Store a closed room with its matches."""
        statements = list(archive_tables.insertions(room, history, matches))

        def write(connection: Connection) -> None:
            for statement, values in statements:
                connection.execute(_placeholders(statement), values)

        self._transaction(write)

    def close(self) -> None:
        """Close the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._transaction(lambda connection: connection.execute(_placeholders(sql), values).fetchall())

    def _transaction(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in a transaction; once more on a new connection if this one is lost."""
        with self._lock:
            if self._connection is not None and not self._connection.closed:
                try:
                    with self._connection.transaction():
                        return work(self._connection)
                except psycopg.OperationalError:
                    self._connection.close()
                except psycopg.Error as error:
                    raise StoreError(f"PostgreSQL: {error}") from error
            try:
                self._connection = self._connect()
                with self._connection.transaction():
                    return work(self._connection)
            except psycopg.Error as error:
                raise StoreError(f"PostgreSQL: {error}") from error

    def _connect(self) -> Connection:
        """Return a connection to a database that has the tables; fail at once after a recent failure."""
        if monotonic() < self._retry_at:
            raise StoreError(self._last_error)
        try:
            connection = psycopg.connect(
                self._url, connect_timeout=CONNECT_TIMEOUT, tcp_user_timeout=TCP_USER_TIMEOUT
            )
            try:
                with connection.transaction():
                    _prepare_tables(connection, update_schema=self._update_schema)
            except BaseException:
                connection.close()
                raise
            return connection
        except (psycopg.Error, StoreError) as error:
            self._retry_at, self._last_error = monotonic() + RETRY_AFTER, f"PostgreSQL: {error}"
            raise


def _prepare_tables(connection: Connection, *, update_schema: bool) -> None:
    connection.execute("select pg_advisory_xact_lock(%s)", (_TABLES_LOCK,))

    def query(sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        result = connection.execute(_placeholders(sql), values)
        return result.fetchall() if result.description else []

    archive_tables.prepare(
        query,
        "select 1 where to_regclass(?) is not null",
        "the archive",
        bytes_type="bytea",
        flag_type="boolean",
        keyed="",
        update_schema=update_schema,
    )


def _placeholders(sql: str) -> bytes:
    """Return a query with the placeholders of PostgreSQL."""
    return sql.replace("?", "%s").encode()
