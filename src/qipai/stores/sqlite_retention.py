"""Deletes archived rooms from the SQLite journal and gives their space back, in small steps in a thread."""

import sqlite3
from collections.abc import Callable
from threading import Lock
from typing import Final

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, RoomId

from .checksums import group_checksum, head_checksum
from .sqlite_files import SQLITE_ERRORS, transaction
from .sqlite_reader import GroupRecord, RoomHead, encode_group, sound_group
from .sqlite_schema import INSERT_ROOM, room_checksum

KEEP_RECORDS: Final = 10 * 60 * 1000
"""Milliseconds for which the records of an archived room stay: a client may still ask for what it missed."""
KEEP_ID: Final = 24 * 60 * 60 * 1000
"""Milliseconds for which its id stays: a repeated command must not open the room again."""
GROUPS_PER_STEP: Final = 20
"""Groups changed in one transaction: the journal waits for it."""
PAGES_PER_STEP: Final = 50
"""Pages given back in one transaction."""
SPARE_PAGES: Final = 256
"""Free pages (1 MB) that stay in the file: new records need them soon."""
_SELECT_GROUP: Final = "select group_id, written_at, records, checksum from journal where group_id = ?"


class Retention:
    """Writes on a connection of its own. The writer of the journal waits for one step at most."""

    def __init__(self, connection: sqlite3.Connection, writing: Lock) -> None:
        self._connection = connection
        self._writing = writing
        self._deleted_room = ""
        self._groups_left: list[int] = []
        """Groups of the room whose records are being deleted, the newest first."""

    def mark_archived(self, room: RoomId, head: RoomHead, now: Millis) -> None:
        """Note when a closed room was archived."""
        version, group = head
        row = (now, head_checksum(room, False, group, version, now), room)
        self._step(
            lambda: self._connection.execute(
                "update rooms set archived_at = ?, head_checksum = ? where room = ? and not is_open "
                "and archived_at is null",
                row,
            )
        )

    def reclaim(self, now: Millis, checkpoint: int) -> bool:
        """Do one step and tell whether more is left; groups after the check point stay."""
        try:
            return self._delete_records(now, checkpoint) or self._delete_ids(now) or self._shrink()
        except SQLITE_ERRORS as error:
            raise StoreError(str(error)) from error

    def _delete_records(self, now: Millis, checkpoint: int) -> bool:
        """Delete the oldest records of one archived room."""
        (last,) = self._connection.execute("select max(group_id) from journal").fetchone()
        found = self._connection.execute(
            "select room, version, last_group, archived_at from rooms where archived_at < ? "
            "and last_group > 0 and last_group <= ? and last_group < ? order by archived_at limit 1",
            (now - KEEP_RECORDS, checkpoint, last),
        ).fetchone()
        if found is None:
            return False
        room, version, last_group, archived_at = found
        if room != self._deleted_room:
            self._deleted_room, self._groups_left = room, self._groups_of(room, last_group)
        groups = self._groups_left
        oldest = groups[: -GROUPS_PER_STEP - 1 : -1]

        def delete() -> None:
            for group in oldest:
                self._remove_from(room, group)
            if len(oldest) == len(groups):
                # Not an update: SQLite joins half-empty pages when a row is deleted.
                self._connection.execute("delete from rooms where room = ?", (room,))
                head = head_checksum(room, False, 0, version, archived_at)
                body = room_checksum(room, version, b"")
                self._connection.execute(
                    INSERT_ROOM, (room, False, 0, version, archived_at, head, version, body, b"")
                )

        self._step(delete)
        del groups[len(groups) - len(oldest) :]
        if not groups:
            self._deleted_room = ""
        return True

    def _delete_ids(self, now: Millis) -> bool:
        found = self._connection.execute(
            "select room from rooms where archived_at < ? and last_group = 0 limit ?",
            (now - KEEP_ID, GROUPS_PER_STEP),
        ).fetchall()
        if found:
            self._step(lambda: self._connection.executemany("delete from rooms where room = ?", found))
        return bool(found)

    def _shrink(self) -> bool:
        """Give some free pages at the end of the file back to the file system."""
        (free,) = self._connection.execute("pragma freelist_count").fetchone()
        if free <= SPARE_PAGES or self._connection.execute("pragma auto_vacuum").fetchone() != (2,):
            return False
        with self._writing:
            self._connection.execute(f"pragma incremental_vacuum({PAGES_PER_STEP})").fetchall()
        return True

    def _groups_of(self, room: str, group: int) -> list[int]:
        """Return the groups of a room that are left, the newest first."""
        groups: list[int] = []
        while group and (records := self._read(group)):
            own = [record for record in records if record.room == room]
            if not own:
                break
            groups.append(group)
            group = own[0].previous_group
        return groups

    def _remove_from(self, room: str, group: int) -> None:
        records = self._read(group) or ()
        rest = [record for record in records if record.room != room]
        if not rest:
            self._connection.execute("delete from journal where group_id = ?", (group,))
            return
        (at,) = self._connection.execute(
            "select written_at from journal where group_id = ?", (group,)
        ).fetchone()
        encoded = encode_group(rest)
        self._connection.execute(
            "update journal set records = ?, checksum = ? where group_id = ?",
            (encoded, group_checksum(group, at, encoded), group),
        )

    def _read(self, group: int) -> tuple[GroupRecord, ...] | None:
        row = self._connection.execute(_SELECT_GROUP, (group,)).fetchone()
        return None if row is None else sound_group(*row)

    def _step(self, work: Callable[[], object]) -> None:
        try:
            with self._writing, transaction(self._connection):
                work()
        except SQLITE_ERRORS as error:
            raise StoreError(str(error)) from error
