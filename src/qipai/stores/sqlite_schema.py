"""The tables of the SQLite journal, their checksums, and the migrations of earlier schemas.

A group of records has a checksum, and a room has two: one of its head (where its last record is, whether it
is open or archived) and one of its snapshot. The values of `meta` are stored twice, in tables with pages of
their own.
"""

import sqlite3
from pathlib import Path
from typing import Any, Final

from qipai.hall.journal.store_interface import StoreError

from .checksums import checksum, group_checksum, head_checksum
from .schema_number import Schema
from .sqlite_files import SQLITE_ERRORS

SELECT_META: Final = {
    "meta": "select key, value, checksum from meta where key = ?",
    "meta_copy": "select key, value, checksum from meta_copy where key = ?",
}
_TABLES: Final = (
    "create table meta (key text primary key, value, checksum integer) without rowid",
    "create table meta_copy (number integer primary key, key text unique, value, checksum integer)",
    """create table journal (group_id integer primary key, written_at integer not null, records blob not null,
        checksum integer not null)""",
    """create table rooms (room text primary key, is_open integer not null, last_group integer not null,
        version integer not null, archived_at integer, head_checksum integer not null,
        snapshot_version integer not null, snapshot_checksum integer not null, snapshot blob not null)
        without rowid""",
    "create index open_rooms on rooms (room) where is_open",
    "create index unarchived_rooms on rooms (room) where not is_open and archived_at is null",
    "create index archived_rooms on rooms (archived_at, room) where archived_at is not null",
    "create table quarantined (room text primary key, reason text not null) without rowid",
)
_COLUMNS: Final = (
    "select key, value, checksum from meta limit 1",
    "select number, key, value, checksum from meta_copy limit 1",
    "select group_id, written_at, records, checksum from journal limit 1",
    """select room, is_open, last_group, version, archived_at, head_checksum, snapshot_version,
        snapshot_checksum, snapshot from rooms limit 1""",
    "select room, reason from quarantined limit 1",
    "select room from rooms indexed by open_rooms where is_open limit 1",
    """select room from rooms indexed by unarchived_rooms
        where not is_open and archived_at is null limit 1""",
    "select room from rooms indexed by archived_rooms where archived_at is not null limit 1",
)
INSERT_GROUP: Final = "insert into journal values (?, ?, ?, ?)"
INSERT_ROOM: Final = "insert into rooms values (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def room_checksum(room: str, snapshot_version: int, snapshot: bytes) -> int:
    """Return the checksum of the snapshot of a room."""
    return checksum(f"{room} {snapshot_version}", snapshot)


def meta_checksum(key: str, value: int | bytes) -> int:
    """Return the checksum of a value of `meta`."""
    return checksum(key, value if isinstance(value, bytes) else str(value).encode())


def write_meta(connection: sqlite3.Connection, key: str, value: int | bytes) -> None:
    """Write a value of `meta` and its copy."""
    row = (key, value, meta_checksum(key, value))
    connection.execute("insert or replace into meta values (?, ?, ?)", row)
    connection.execute(
        "insert into meta_copy (key, value, checksum) values (?, ?, ?) "
        "on conflict (key) do update set value = excluded.value, checksum = excluded.checksum",
        row,
    )


def is_sound_meta(key: Any, value: Any, found: Any) -> bool:
    """Tell whether a row of `meta` has its checksum."""
    return isinstance(key, str) and isinstance(value, int | bytes) and found == meta_checksum(key, value)


def is_clean(sessions: object) -> bool:
    """Tell whether the last server closed the journal: it counts openings and closings, and began with 0."""
    return isinstance(sessions, int) and sessions % 2 == 0


def create_tables(connection: sqlite3.Connection) -> None:
    """Create all tables; the caller has a transaction."""
    for statement in _TABLES:
        connection.execute(statement)


def check_tables(connection: sqlite3.Connection) -> None:
    """Raise `sqlite3.Error` if a table, a column or an index is missing."""
    for statement in _COLUMNS:
        connection.execute(statement).fetchall()


def _add_checksums(connection: sqlite3.Connection) -> None:
    """Migrate schema 3, which had no checksums, and a table of the rooms that wait for the archive."""
    for table in ("meta", "journal", "rooms"):
        connection.execute(f"alter table {table} rename to {table}_3")
    connection.execute("drop index if exists open_rooms")
    create_tables(connection)
    for key, value in connection.execute("select key, value from meta_3").fetchall():
        write_meta(connection, key, value)
    groups = connection.execute("select group_id, written_at, records from journal_3 order by group_id")
    connection.executemany(
        INSERT_GROUP, ((*group, group_checksum(group[0], group[1], group[2])) for group in groups)
    )
    waiting = {room for (room,) in connection.execute("select room from unarchived").fetchall()}
    last = connection.execute("select max(written_at) from journal_3").fetchone()[0] or 0
    rooms = connection.execute(
        "select room, is_open, last_group, version, snapshot_version, snapshot from rooms_3 order by room"
    )
    for room, is_open, group, version, snapshot_version, snapshot in rooms.fetchall():
        archived_at = None if is_open or room in waiting else last
        head = head_checksum(room, is_open, group, version, archived_at)
        body = room_checksum(room, snapshot_version, snapshot)
        connection.execute(
            INSERT_ROOM, (room, is_open, group, version, archived_at, head, snapshot_version, body, snapshot)
        )
    for table in ("meta_3", "journal_3", "rooms_3", "unarchived"):
        connection.execute(f"drop table {table}")


SCHEMA: Final = Schema[sqlite3.Connection](number=4, oldest=3, migrations={3: _add_checksums})
"""3 is the first schema that every later release reads. A migration is part of one transaction."""


def read_schema(connection: sqlite3.Connection, path: Path) -> int:
    """Return the schema number of a journal, 0 if it has none, or raise `StoreError`."""
    try:
        row = connection.execute("select value from meta where key = 'schema'").fetchone()
    except SQLITE_ERRORS as error:
        raise StoreError(f"{path}: {error}") from error
    return row[0] if row is not None and isinstance(row[0], int) else 0
