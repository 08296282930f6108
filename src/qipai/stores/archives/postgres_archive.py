"""Finished games in a PostgreSQL database, for many machines."""

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict

from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import RoomId

from . import archive_rows

PATIENCE: Final = 3
"""Seconds to wait for a connection: a server that is told to stop has no more."""
SILENCE: Final = 10_000
"""Milliseconds after which a connection whose other end does not hear us is cut."""
REST: Final = 5.0
"""Seconds after a connection could not be had during which nobody waits for another."""
_ALONE: Final = 0x71697061
"""The lock under which one server makes the tables: several start at once."""

T = TypeVar("T")
Connection = psycopg.Connection[tuple[Any, ...]]


class PostgresArchive:
    """One connection behind a lock, opened again when the database has been away."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._lock = Lock()
        self._connection: Connection | None = None
        self._rest = 0.0
        self._why = ""
        try:
            conninfo_to_dict(address)
        except psycopg.Error as error:
            # What is wrong is not repeated: there may be a password in it.
            raise StoreError("archive: the address of PostgreSQL cannot be read") from error

    def check(self) -> None:
        """Raise `StoreError` if the database is out of reach."""
        self._read("select 1", ())

    def keep(self, room: RoomId, history: Sequence[Entry], games: Sequence[FinishedGame]) -> None:
        """Keep a closed room with its games."""

        def write(connection: Connection) -> None:
            with connection.cursor() as cursor:
                cursor.execute(_ours(archive_rows.KEEP_HISTORY), (room, archive_rows.pack(history)))
                cursor.executemany(
                    _ours(archive_rows.KEEP_GAME), [archive_rows.game_row(game) for game in games]
                )
                players = [row for game in games for row in archive_rows.player_rows(game)]
                cursor.executemany(_ours(archive_rows.KEEP_PLAYER), players)

        self._within(write)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of a kept room."""
        rows = self._read(archive_rows.HISTORY, (room,))
        return archive_rows.unpack(rows[0][0]) if rows else ()

    def rooms(self) -> Iterator[RoomId]:
        """Return every kept room."""
        return archive_rows.rooms(self._read)

    def search(self, wish: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that were asked for."""
        return [archive_rows.read_game(body) for (body,) in self._read(*archive_rows.query(wish))]

    def close(self) -> None:
        """Release the connection."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    def _read(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return self._within(lambda connection: connection.execute(_ours(sql), values).fetchall())

    def _within(self, work: Callable[[Connection], T]) -> T:
        """Do something in a transaction; once more if the connection turns out to be cut."""
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
        """Return a connection to a database that has our tables; fail at once if that failed just now."""
        if monotonic() < self._rest:
            raise StoreError(self._why)
        try:
            made = psycopg.connect(self._address, connect_timeout=PATIENCE, tcp_user_timeout=SILENCE)
            try:
                with made.transaction():
                    _make_tables(made)
            except BaseException:
                made.close()
                raise
            return made
        except psycopg.Error as error:
            self._rest, self._why = monotonic() + REST, f"PostgreSQL: {error}"
            raise


def _make_tables(connection: Connection) -> None:
    connection.execute("select pg_advisory_xact_lock(%s)", (_ALONE,))
    for table in archive_rows.TABLES:
        connection.execute(table.format(bytes="bytea", flag="boolean").encode())


def _ours(sql: str) -> bytes:
    """Return a question with this database's place holders."""
    return sql.replace("?", "%s").encode()
