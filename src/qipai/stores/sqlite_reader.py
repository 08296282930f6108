"""Reads or copies a SQLite journal while a server writes to it.

One row of `journal` is a group commit: records of any rooms. Each record names the group that holds the
previous record of the same room, so a room is read backwards from its last group. The table `rooms` has
the last group of each room as of the last snapshot or check point; groups after the last check point are
scanned when the journal is opened.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from qipai.hall.journal.store_interface import Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from .schema_number import Schema

SCHEMA: Final = Schema[sqlite3.Connection](number=3, oldest=3)
"""3 is the first schema that every later release reads. A migration is part of one transaction."""
CACHED_GROUPS: Final = 2048
BUSY_SECONDS: Final = 10


class GroupRecord(NamedTuple):
    """One record of a group; `previous_group` is 0 for the first record of a room."""

    room: RoomId
    version: int
    at: Millis
    previous_group: int
    body: bytes


RoomHead = tuple[int, int]
"""Last version of a room and the group that holds it; both 0 for a room that does not exist."""

encode_group: Final = msgspec.msgpack.Encoder().encode
_decode_group: Final = msgspec.msgpack.Decoder(tuple[GroupRecord, ...]).decode


class JournalReader:
    """Reads rooms through one connection; `heads` has the rooms written after the last check point."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._group = lru_cache(maxsize=CACHED_GROUPS)(self._read_group)
        self.heads: dict[RoomId, RoomHead] = {}
        self.checkpoint = self.last_group = self.number("checkpoint")
        for group, records in self.query(
            "select group_id, records from journal where group_id > ? order by group_id", self.checkpoint
        ):
            for record in _decode_group(records):
                self.heads[record.room] = (record.version, group)
            self.last_group = group

    def query(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Return the rows of a query, or raise `StoreError`."""
        try:
            return self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def head(self, room: RoomId) -> RoomHead:
        """Return the last version of a room and its group."""
        cached = self.heads.get(room)
        if cached is not None:
            return cached
        row = self.query("select version, last_group from rooms where room = ?", room).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    def load(self, room: RoomId) -> Saved | None:
        """Return the last snapshot of a room and the records after it, or None."""
        row = self.query(
            "select is_open, snapshot_version, snapshot from rooms where room = ?", room
        ).fetchone()
        if row is None:
            return None
        is_open, version, body = row
        return Saved(Snapshot(room, version, bool(is_open), body), self.entries(room, version))

    def open_rooms(self) -> list[RoomId]:
        """Return the rooms that are not closed."""
        return [RoomId(room) for (room,) in self.query("select room from rooms where is_open")]

    def history(self, room: RoomId) -> list[Entry]:
        """Return every record of a room, oldest first."""
        return self.entries(room, after=0)

    def entries(self, room: RoomId, after: int) -> list[Entry]:
        """Return the records of a room after a version, oldest first."""
        version, group = self.head(room)
        entries: list[Entry] = []
        while group and version > after:
            records = self._group(group).get(room)
            if not records:
                raise StoreError(f"{room}: version {version} is missing from group {group}")
            entries += [
                Entry(room, record.version, record.at, record.body)
                for record in records[::-1]
                if record.version > after
            ]
            version, group = records[0].version - 1, records[0].previous_group
        return entries[::-1]

    def clear_cache(self) -> None:
        """Release the cached groups; most of them are needed only at a start."""
        self._group.cache_clear()

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        last = self.query("select written_at from journal order by group_id desc limit 1").fetchone()
        return Millis(max(self.number("heartbeat"), last[0] if last else 0))

    def number(self, key: str) -> int:
        """Return a number of the table `meta`; 0 if it is not there."""
        row = self.query("select value from meta where key = ?", key).fetchone()
        return 0 if row is None else int(row[0])

    def _read_group(self, group: int) -> dict[RoomId, list[GroupRecord]]:
        row = self.query("select records from journal where group_id = ?", group).fetchone()
        by_room: dict[RoomId, list[GroupRecord]] = {}
        for record in () if row is None else _decode_group(row[0]):
            by_room.setdefault(record.room, []).append(record)
        return by_room


def read_schema(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema number of a journal, 0 if it has none, or raise `StoreError`."""
    try:
        row = connection.execute("select value from meta where key = 'schema'").fetchone()
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    return 0 if row is None else int(row[0])


@contextmanager
def open_journal(path: Path) -> Iterator[JournalReader]:
    """Yield a reader of a journal that a server may be writing, or raise `StoreError`."""
    if not path.is_file():
        raise StoreError(f"no journal at {path}")
    try:
        connection = _connect_read_only(path)
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    with closing(connection):
        SCHEMA.is_earlier(str(path), read_schema(connection, path), update=False)
        yield JournalReader(connection)


def copy_journal(path: Path, target: Path) -> None:
    """Write a consistent copy of a journal that a server may be writing; the target must not exist."""
    try:
        # The journal holds secrets: only its owner may read the copy.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    try:
        with closing(_connect_read_only(path)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"{path}: {error}") from error


def _connect_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)
