"""Rebuilds a damaged SQLite journal from the rows whose checksums are right.

The damaged file is kept beside the new one. A room is served again only if nothing of it can be missing:
its snapshot and every later record are there, and no group that may hold its last steps is lost. All others
are set aside with the reason.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final, NamedTuple

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId

from .checksums import head_checksum
from .sqlite_files import (
    REBUILDING,
    SIDE_FILES,
    SQLITE_ERRORS,
    connect,
    replace_file,
    transaction,
    unfinished,
)
from .sqlite_pages import FoundRow, PageFile
from .sqlite_reader import GroupRecord, RoomHead, are_numbers, sound_group
from .sqlite_schema import (
    INSERT_GROUP,
    INSERT_ROOM,
    SCHEMA,
    create_tables,
    is_clean,
    is_sound_meta,
    room_checksum,
    write_meta,
)

NO_SNAPSHOT: Final = "its snapshot is damaged"
META_KEYS: Final = frozenset(("schema", "secret", "checkpoint", "heartbeat", "outage", "sessions"))


class RepairReport(NamedTuple):
    """What a repair found: the damaged file, how many rooms are sound, which are set aside and why."""

    damaged_file: Path
    rooms: int
    quarantined: dict[str, str]
    secret_lost: bool


class _Rows:
    """The sound rows of a damaged file."""

    def __init__(self, path: Path) -> None:
        pages = PageFile(path)
        self.groups: dict[int, tuple[int, bytes, int]] = {}
        self.records: dict[int, tuple[GroupRecord, ...]] = {}
        self.rooms: dict[str, tuple[Any, ...]] = {}
        self.names: set[str] = set()
        """Rooms that an index or a list names."""
        self.meta: dict[str, int | bytes] = {}
        self.quarantined: dict[str, str] = {}
        self._leaves: dict[int, int] = {}
        self._root = 0
        for row in pages.rows():
            self._add(row)
        self.last_group = max(self.groups, default=0)
        leaf, count = pages.last_leaf(self._root)
        self.has_last_leaf = [*self._leaves.values()].count(leaf) == count > 0
        """Whether every group of the last page of the journal is there."""
        self.may_lack_groups = pages.is_followed_by_damage(self._leaves.get(self.last_group, 0))
        """Whether a part of the write-ahead log is damaged that may have had later groups."""

    def _add(self, row: FoundRow) -> None:
        values = row.values
        if row.rowid is not None:
            self._add_numbered(row.pages[0], row.rowid, values)
            return
        match values:
            case (_, _, _, _, _, _, _, _, _):
                self._add_room(values)
            case (_, _, _):
                self._add_meta(values)
            case (str(room), str(reason)):
                self.quarantined[room] = reason
            case (str(room),):
                self.names.add(room)

    def _add_numbered(self, page: int, rowid: int, values: tuple[Any, ...]) -> None:
        match values:
            case ("table", "journal", "journal", int(root), _):
                self._root = root
            case (None, str(), _, _):
                self._add_meta(values[1:])
            case (None, _, _, _) if (records := sound_group(rowid, *values[1:])) is not None:
                self.groups[rowid] = (values[1], values[2], values[3])
                self.records[rowid] = records
                self._leaves[rowid] = page

    def _add_meta(self, values: tuple[Any, ...]) -> None:
        if is_sound_meta(*values) and values[0] in META_KEYS:
            key, value = values[:2]
            known = self.meta.get(key)
            if not (isinstance(known, int) and isinstance(value, int) and known >= value):
                self.meta[key] = value

    def _add_room(self, values: tuple[Any, ...]) -> None:
        room, is_open, group, version, archived_at, head, snapshot_version, body, snapshot = values
        if (
            isinstance(room, str)
            and isinstance(snapshot, bytes)
            and are_numbers(is_open, group, version, snapshot_version, archived_at or 0)
            and head == head_checksum(room, is_open, group, version, archived_at)
            and body == room_checksum(room, snapshot_version, snapshot)
        ):
            known = self.rooms.get(room)
            if known is None or _age(known) < _age(values):
                self.rooms[room] = values
        elif isinstance(room, str):
            self.names.add(room)


def _age(row: tuple[Any, ...]) -> tuple[int, ...]:
    """Order rows of one room: a deleted row of long ago may be found beside the present one."""
    return row[3], row[2], row[6], not row[1], row[4] or 0


def repair(path: Path, stamp: str) -> RepairReport:
    """Replace a damaged journal by a sound one; raise `StoreError` if nothing can be read from it."""
    rows = _Rows(path)
    if not rows.rooms and not rows.meta:
        raise StoreError(
            f"{path}: is damaged or is no journal, and nothing can be read from it: "
            "restore a backup with `qipai restore FILE`"
        )
    heads = _heads(rows)
    reasons = dict(_reasons(rows, heads))
    new = unfinished(path, REBUILDING)
    for suffix in ("", *SIDE_FILES):
        new.with_name(new.name + suffix).unlink(missing_ok=True)
    try:
        with closing(connect(new)) as connection:
            _write(connection, rows, heads, reasons)
        aside = replace_file(path, new, "damaged", stamp)
    except SQLITE_ERRORS as error:
        raise StoreError(f"{new}: {error}") from error
    except OSError as error:
        raise StoreError(f"{new}: {error.strerror}") from error
    return RepairReport(aside, len(rows.rooms.keys() - reasons.keys()), reasons, "secret" not in rows.meta)


def _heads(rows: _Rows) -> dict[str, RoomHead]:
    """Return the last record of every room that is in the sound groups or in the list of rooms."""
    heads = {room: (row[3], row[2]) for room, row in rows.rooms.items()}
    for group in sorted(rows.records):
        for record in rows.records[group]:
            if record.version > heads.get(record.room, (0, 0))[0]:
                heads[record.room] = (record.version, group)
    return heads


def _reasons(rows: _Rows, heads: dict[str, RoomHead]) -> Iterator[tuple[str, str]]:
    """Yield every room that cannot be served, and why."""
    yield from rows.quarantined.items()
    known = {*rows.names, *heads}
    for room in sorted(known - rows.rooms.keys() - rows.quarantined.keys()):
        yield room, NO_SNAPSHOT
    checkpoint = rows.meta.get("checkpoint", 0)
    assert isinstance(checkpoint, int)
    last = max([rows.last_group, checkpoint, *(group for _, group in heads.values())])
    lost = next((group for group in range(last, checkpoint, -1) if group not in rows.groups), 0)
    unclean = not is_clean(rows.meta.get("sessions", 0))
    if rows.may_lack_groups or (unclean and not rows.has_last_leaf):
        lost = last + 1
    for room, row in rows.rooms.items():
        group = heads[room][1]
        if row[1] and group < lost and room not in rows.quarantined:
            yield room, f"its last steps may be lost: group {lost} is damaged"


def _write(
    connection: sqlite3.Connection, rows: _Rows, heads: dict[str, RoomHead], reasons: dict[str, str]
) -> None:
    connection.execute("pragma auto_vacuum = incremental")
    with transaction(connection):
        create_tables(connection)
        for group in sorted(rows.groups):
            connection.execute(INSERT_GROUP, (group, *rows.groups[group]))
        for room, row in sorted(rows.rooms.items()):
            _, is_open, _, _, archived_at, _, *snapshot = row
            version, group = heads[room]
            head = head_checksum(room, is_open, group, version, archived_at)
            connection.execute(INSERT_ROOM, (room, is_open, group, version, archived_at, head, *snapshot))
        for room, reason in reasons.items():
            connection.execute("insert into quarantined values (?, ?)", (RoomId(room), reason))
        last = max([rows.last_group, *(group for _, group in heads.values())], default=0)
        checkpoint = max(last, int(rows.meta.get("checkpoint", 0)))
        for key, value in {**rows.meta, "schema": SCHEMA.number, "checkpoint": checkpoint}.items():
            write_meta(connection, key, value)
