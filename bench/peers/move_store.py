"""Stores moves in SQLite: all moves of one turn of the event loop in one transaction."""

import asyncio
import sqlite3
from typing import Final

Row = tuple[str, int, str, int]
"""Room, ply, move and time."""

_SCHEMA: Final = """
    pragma journal_mode = wal;
    pragma synchronous = normal;
    create table moves (room text, ply integer, move text, at integer);
"""


class MoveStore:
    """A database in the current folder."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("moves.db")
        self._database.executescript(_SCHEMA)
        self._rows: list[Row] = []
        self._stored: asyncio.Future[None] | None = None

    async def append(self, row: Row) -> None:
        """Return when the move is committed."""
        if self._stored is None:
            loop = asyncio.get_running_loop()
            self._stored = loop.create_future()
            loop.call_soon(self._flush)
        self._rows.append(row)
        await self._stored

    def _flush(self) -> None:
        rows, stored = self._rows, self._stored
        self._rows, self._stored = [], None
        with self._database:
            self._database.executemany("insert into moves values (?, ?, ?, ?)", rows)
        assert stored is not None
        stored.set_result(None)
