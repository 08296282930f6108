"""Finished games in a PostgreSQL database, for many machines."""

from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any, Final, TypeVar

import psycopg

from qipai.hall.finished import Finished, Search
from qipai.hall.ports import Entry, StoreError
from qipai.kernel.names import RoomId

from . import shelf

PATIENCE: Final = 10
"""Seconds to wait for the database."""
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
        self._within(_make_tables)

    def keep(self, room: RoomId, history: Sequence[Entry], games: Sequence[Finished]) -> None:
        """Keep a closed room with its games."""

        def write(connection: Connection) -> None:
            with connection.cursor() as cursor:
                cursor.execute(_ours(shelf.KEEP_HISTORY), (room, shelf.pack(history)))
                cursor.executemany(_ours(shelf.KEEP_GAME), [shelf.game_row(game) for game in games])
                players = [row for game in games for row in shelf.player_rows(game)]
                cursor.executemany(_ours(shelf.KEEP_PLAYER), players)

        self._within(write)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of a kept room."""
        rows = self._read(shelf.HISTORY, (room,))
        return shelf.unpack(rows[0][0]) if rows else ()

    def rooms(self) -> Iterator[RoomId]:
        """Return every kept room."""
        return shelf.rooms(self._read)

    def search(self, wish: Search) -> Sequence[Finished]:
        """Return the games that were asked for."""
        return [shelf.read_game(body) for (body,) in self._read(*shelf.query(wish))]

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
            for last in (False, True):
                try:
                    if self._connection is None or self._connection.closed:
                        self._connection = psycopg.connect(self._address, connect_timeout=PATIENCE)
                    with self._connection.transaction():
                        return work(self._connection)
                except psycopg.OperationalError as error:
                    if self._connection is not None:
                        self._connection.close()
                    if last:
                        raise StoreError(str(error)) from error
                except psycopg.Error as error:
                    raise StoreError(str(error)) from error
        raise AssertionError  # the second time returns or raises


def _make_tables(connection: Connection) -> None:
    connection.execute("select pg_advisory_xact_lock(%s)", (_ALONE,))
    for table in shelf.TABLES:
        connection.execute(table.format(bytes="bytea", flag="boolean").encode())


def _ours(sql: str) -> bytes:
    """Return a question with this database's place holders."""
    return sql.replace("?", "%s").encode()
