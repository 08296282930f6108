"""Reads a SQLite journal, also while a server writes to it.

One row of `journal` is a group commit: records of any rooms. Each record names the group that holds the
previous record of the same room, so a room is read backwards from its last group. The table `rooms` has
the last group of each room as of the last snapshot or check point; groups after the last check point are
scanned when the journal is opened.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

import msgspec

from qipai.hall.journal.store_interface import Damaged, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from . import sqlite_schema
from .checksums import group_checksum, head_checksum
from .sqlite_files import SQLITE_ERRORS, reading, shows_damage
from .sqlite_schema import SELECT_META, check_tables, is_sound_meta, read_schema, room_checksum

CACHED_GROUPS: Final = 2048
_SELECT_GROUPS: Final = "select group_id, written_at, records, checksum from journal"


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


def sound_group(group: Any, written_at: Any, records: Any, found: Any) -> tuple[GroupRecord, ...] | None:
    """Return the records of a row of `journal`, or None if it is damaged."""
    if not (isinstance(group, int) and isinstance(written_at, int) and isinstance(records, bytes)):
        return None
    if found != group_checksum(group, written_at, records):
        return None
    try:
        return _decode_group(records)
    except msgspec.MsgspecError:
        return None


def are_numbers(*values: Any) -> bool:
    """Tell whether all values are integers: a damaged row may have any type."""
    return all(isinstance(value, int) for value in values)


class JournalReader:
    """Reads rooms through one connection; `heads` has the rooms written after the last check point."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._reading = Lock()
        """From Python 3.12 on, threads of one connection share a statement before its first row is read."""
        self._group = lru_cache(maxsize=CACHED_GROUPS)(self._read_group)
        self.heads: dict[RoomId, RoomHead] = {}
        self.checkpoint = self.last_group = self.number("checkpoint")
        self.lost_group = 0
        """The last group after the check point that is damaged or missing, or 0."""
        for row in self.query(
            f"{_SELECT_GROUPS} where group_id > ? order by group_id",
            self.checkpoint,
        ):
            group, records = row[0], sound_group(*row)
            if group != self.last_group + 1:
                self.lost_group = group - 1
            if records is None:
                self.lost_group = group
            for record in records or ():
                self.heads[record.room] = (record.version, group)
            self.last_group = group

    def query(self, sql: str, *values: object) -> list[Any]:
        """Return the rows of a query, or raise `StoreError`; `Damaged` if they are."""
        try:
            with self._reading:
                return self._connection.execute(sql, values).fetchall()
        except (*SQLITE_ERRORS, OverflowError) as error:
            damaged = isinstance(error, OverflowError) or shows_damage(error)
            raise (Damaged if damaged else StoreError)(str(error)) from error

    def head(self, room: RoomId) -> RoomHead:
        """Return the last version of a room and its group, or raise `Damaged`."""
        cached = self.heads.get(room)
        if cached is not None:
            return cached
        rows = self.query(
            "select room, is_open, last_group, version, archived_at, head_checksum from rooms where room = ?",
            room,
        )
        if not rows:
            return 0, 0
        *head, found = rows[0]
        if not are_numbers(head[2], head[3], head[4] or 0) or found != head_checksum(*head):
            raise Damaged(f"{room}: its entry in the list of tables is damaged")
        return head[3], head[2]

    def snapshot(self, room: RoomId) -> Snapshot | None:
        """Return the last snapshot of a room, or None; raise `Damaged` if it is."""
        rows = self.query(
            "select is_open, snapshot_version, snapshot_checksum, snapshot from rooms where room = ?", room
        )
        if not rows:
            return None
        is_open, version, found, body = rows[0]
        sound = isinstance(body, bytes) and are_numbers(version)
        if not sound or found != room_checksum(room, version, body):
            raise Damaged(f"{room}: its snapshot is damaged")
        return Snapshot(room, version, bool(is_open), body)

    def load(self, room: RoomId) -> Saved | None:
        """Return the last snapshot of a room and the records after it, or None; raise `Damaged` if it is."""
        snapshot = self.snapshot(room)
        if snapshot is None:
            return None
        head, group = self.head(room)
        if head < snapshot.version or (snapshot.live and group < self.lost_group):
            raise Damaged(f"{room}: its last steps may be lost: group {self.lost_group} is damaged")
        return Saved(snapshot, self.entries(room, snapshot.version))

    def open_rooms(self) -> list[RoomId]:
        """Return the rooms that are not closed and not set aside."""
        rooms = self.query(
            "select room from rooms where is_open and room not in (select room from quarantined)"
        )
        return [RoomId(room) for (room,) in rooms]

    def closed(self, limit: int) -> list[RoomId]:
        """Return up to so many rooms that are closed, not archived and not set aside."""
        rooms = self.query(
            "select room from rooms where not is_open and archived_at is null "
            "and room not in (select room from quarantined) limit ?",
            limit,
        )
        return [RoomId(room) for (room,) in rooms]

    def quarantined(self) -> dict[RoomId, str]:
        """Return the rooms that are set aside, and why."""
        return {RoomId(room): reason for room, reason in self.query("select room, reason from quarantined")}

    def history(self, room: RoomId) -> list[Entry]:
        """Return every record of a room, oldest first."""
        return self.entries(room, after=0)

    def entries(self, room: RoomId, after: int) -> list[Entry]:
        """Return the records of a room after a version, oldest first; raise `Damaged` if one is missing."""
        version, group = self.head(room)
        entries: list[Entry] = []
        if not group:
            return entries  # Never opened, or archived and deleted.
        while version > after:
            try:
                records = self._group(group).get(room)
            except Damaged as error:
                raise Damaged(f"{room}: {error}") from error
            if (
                not records
                or records[-1].version != version
                or records[0].version != version - len(records) + 1
            ):
                raise Damaged(f"{room}: version {version} is missing from group {group}")
            entries += [
                Entry(room, record.version, record.at, record.body)
                for record in records[::-1]
                if record.version > after
            ]
            version, group = records[0].version - 1, records[0].previous_group
        return entries[::-1]

    def group_records(self, group: int, room: RoomId) -> list[GroupRecord]:
        """Return the records of a room in a group."""
        return self._group(group).get(room, [])

    def clear_cache(self) -> None:
        """Release the cached groups; most of them are needed only at a start."""
        self._group.cache_clear()

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        rows = self.query(f"{_SELECT_GROUPS} order by group_id desc limit 9")
        # A damaged time may be far in the future, or no number.
        last = next((row[1] for row in rows if sound_group(*row) is not None), 0)
        return Millis(max(self.number("heartbeat"), last))

    def number(self, key: str) -> int:
        """Return a number of the table `meta`; 0 if it is not there."""
        value = self.value(key)
        return value if isinstance(value, int) else 0

    def value(self, key: str) -> int | bytes | None:
        """Return a value of `meta` or its copy that is sound; None if there is none. Numbers only grow."""
        rows = [row for select in SELECT_META.values() for row in self.query(select, key)]
        found = [row[1] for row in rows if is_sound_meta(*row)]
        return None if not found else max(found) if isinstance(found[0], int) else found[0]

    def damaged_groups(self) -> Iterator[int]:
        """Yield the number of every group that is damaged."""
        last = 0
        while rows := self.query(
            "select * from journal where group_id > ? order by group_id limit 500", last
        ):
            yield from (row[0] for row in rows if sound_group(*row) is None)
            last = rows[-1][0]

    def _read_group(self, group: int) -> dict[RoomId, list[GroupRecord]]:
        rows = self.query(f"{_SELECT_GROUPS} where group_id = ?", group)
        by_room: dict[RoomId, list[GroupRecord]] = {}
        if not rows:
            return by_room
        records = sound_group(*rows[0])
        if records is None:
            raise Damaged(f"group {group} of the journal is damaged")
        for record in records:
            by_room.setdefault(record.room, []).append(record)
        return by_room


@contextmanager
def open_journal(path: Path) -> Iterator[JournalReader]:
    """Yield a reader of a journal that a server may be writing, or raise `StoreError`."""
    if not path.is_file():
        raise StoreError(f"no journal at {path}")
    with reading(path) as connection:
        sqlite_schema.SCHEMA.is_earlier(str(path), read_schema(connection, path), update=False)
        check_tables(connection)
        yield JournalReader(connection)
