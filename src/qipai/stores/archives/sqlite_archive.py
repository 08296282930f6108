"""Finished games in a SQLite file of their own."""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Any

from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import RoomId

from . import archive_rows


class SqliteArchive:
    """One connection behind a lock: finished games are few beside moves."""

    def __init__(self, path: Path) -> None:
        self._lock = Lock()
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # It holds what was said and by whom.
            self._connection = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=10
            )
        except (OSError, sqlite3.Error) as error:
            raise StoreError(f"{path}: {error}") from error
        try:
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute("pragma synchronous = full")
            for table in archive_rows.TABLES:
                self._connection.execute(table.format(bytes="blob", flag="integer"))
        except sqlite3.Error as error:
            self._connection.close()
            raise StoreError(f"{path}: {error}") from error

    def check(self) -> None:
        """Raise `StoreError` if the file cannot be read."""
        self._read("select 1 from histories limit 1", ())

    def keep(self, room: RoomId, history: Sequence[Entry], games: Sequence[FinishedGame]) -> None:
        """Keep a closed room with its games."""
        with self._lock:
            writer = self._connection
            try:
                writer.execute("begin immediate")
                writer.execute(archive_rows.KEEP_HISTORY, (room, archive_rows.pack(history)))
                writer.executemany(archive_rows.KEEP_GAME, [archive_rows.game_row(game) for game in games])
                writer.executemany(
                    archive_rows.KEEP_PLAYER,
                    [row for game in games for row in archive_rows.player_rows(game)],
                )
                writer.execute("commit")
            except sqlite3.Error as error:
                if writer.in_transaction:
                    writer.execute("rollback")
                raise StoreError(str(error)) from error

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of a kept room."""
        row = self._read(archive_rows.HISTORY, (room,))
        return archive_rows.unpack(row[0][0]) if row else ()

    def rooms(self) -> Iterator[RoomId]:
        """Return every kept room."""
        return archive_rows.rooms(self._read)

    def search(self, wish: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that were asked for."""
        return [archive_rows.read_game(body) for (body,) in self._read(*archive_rows.query(wish))]

    def close(self) -> None:
        """Release the file."""
        with self._lock:
            self._connection.close()

    def _read(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._connection.execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise StoreError(str(error)) from error
