"""Store in one SQLite file: append-only, group commits as rows, one writer.

`sqlite_reader` describes how a room is found in the file.
"""

import fcntl
import os
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from itertools import islice
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from typing import IO, Final, Literal, NoReturn

from qipai.hall.journal.store_interface import Conflict, Damaged, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from .checksums import group_checksum, head_checksum
from .sqlite_files import SQLITE_ERRORS, connect, transaction
from .sqlite_log import PAGE_BYTES, LogCopier
from .sqlite_opening import prepare_file
from .sqlite_reader import JournalReader, RoomHead, encode_group
from .sqlite_retention import Retention
from .sqlite_schema import INSERT_GROUP, room_checksum, write_meta

Durability = Literal["process", "power"]

CHECKPOINT_RECORDS: Final = 4096
"""Records after which the last group of a changed room is written to `rooms`."""
ROOMS_PER_SLICE: Final = 64
"""Changed rooms that are written at once; so few delay a move by a fraction of a millisecond."""
PAGES_PER_GROUP: Final = 2
"""Pages that a group adds to the write-ahead log beside those of its records."""
PAGES_PER_SNAPSHOT: Final = 2
"""The same for a snapshot: its row and its place in an index."""
_WRITE_SNAPSHOT: Final = (
    "insert into rooms values (?, ?, ?, ?, null, ?, ?, ?, ?) on conflict (room) do update set "
    "is_open = excluded.is_open, last_group = excluded.last_group, version = excluded.version, "
    "head_checksum = excluded.head_checksum, snapshot_version = excluded.snapshot_version, "
    "snapshot_checksum = excluded.snapshot_checksum, snapshot = excluded.snapshot"
)
_WRITE_HEAD: Final = (
    "update rooms set version = ?, last_group = ?, head_checksum = ? where room = ? and is_open"
)


class StoreLocked(StoreError):
    """Another process has the file open for writing."""


class SqliteStore:
    """`process` survives the end of the process, `power` also a power failure.

    With `update_schema` a file of an earlier schema is migrated and a damaged one repaired, without it both
    are refused.
    """

    def __init__(self, path: Path, durability: Durability = "process", *, update_schema: bool = True) -> None:
        self._flushes = durability == "power"
        self._opened = opened = ExitStack()
        self._lock = opened.enter_context(closing(lock_file(path)))
        try:
            prepare_file(path, update=update_schema)
            file = os.open(path, os.O_RDONLY)
            opened.callback(os.close, file)
            # One connection for each thread: what is written, what is deleted, the copying of the write-ahead
            # log (it takes milliseconds and waits for the disk), and what is read.
            self._writer = opened.enter_context(closing(connect(path)))
            self._deleting = opened.enter_context(closing(connect(path)))
            copying = opened.enter_context(closing(connect(path)))
            self._read_connection = opened.enter_context(closing(connect(path)))
            for writing in (self._writer, self._deleting):
                writing.execute(f"pragma synchronous = {'full' if self._flushes else 'normal'}")
                writing.execute("pragma wal_autocheckpoint = 0")
            self._reader = JournalReader(self._read_connection)
            self._sessions = self._reader.number("sessions") | 1
            write_meta(self._writer, "sessions", self._sessions)
            self._set_unproven_aside()
        except (*SQLITE_ERRORS, StoreError) as error:
            opened.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{path}: {error}") from error
        except OSError:
            opened.close()
            raise
        self._last_group, self._records = self._reader.last_group, 0
        unwritten = (self._reader.checkpoint + 1, self._records)
        self._changed: dict[RoomId, tuple[int, int]] = dict.fromkeys(self._reader.heads, unwritten)
        """Rooms whose head in `rooms` is older than their last record, the first to change first: the first
        group that the head does not know, and the number of records before it."""
        # Threads wait for each other here. SQLite would let the archiver try again for some seconds and give
        # up, because the journal is written all the time.
        self._writing = Lock()
        self._log = LogCopier(copying, file, self._writing)
        self._batch = Lock()
        """Held while a batch is written, which may be in another thread, and while it is remembered."""
        self._checkpoint_group = self._reader.checkpoint
        self._retention = Retention(self._deleting, self._writing)

    @property
    def slow(self) -> bool:
        """Tell whether a batch would wait for the disk now."""
        return self._flushes or self._log.is_restarting

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write a batch, or raise `Conflict` (those rooms are left out) or `StoreError` (unknown outcome)."""
        with self._batch:
            self._append(entries, snapshots)

    def _append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        heads: dict[RoomId, RoomHead] = {}
        records = []
        group, cached = self._last_group + 1, self._reader.heads
        for entry in entries:
            room, version = entry.room, entry.version
            last, previous_group = heads.get(room) or cached.get(room) or self._reader.head(room)
            if version != last + 1:
                self._append_others(room, entries, snapshots)
            records.append((room, version, entry.at, previous_group, entry.body))
            heads[room] = (version, group)
        writer, encoded = self._writer, encode_group(records)
        due = self._due_rooms(len(records))
        at = entries[-1].at if entries else 0
        row = (group, at, encoded, group_checksum(group, at, encoded))
        try:
            with self._writing:
                if not snapshots and not due:
                    writer.execute(INSERT_GROUP, row)  # One statement is a transaction.
                else:
                    with transaction(writer):
                        writer.execute(INSERT_GROUP, row)
                        for snapshot in snapshots:
                            head = heads.get(snapshot.room) or self._reader.head(snapshot.room)
                            self._write_snapshot(snapshot, head)
                        if due:
                            checkpoint = self._write_heads(group, due, heads)
        except SQLITE_ERRORS as error:
            raise StoreError(str(error)) from error
        self._last_group = group
        self._reader.heads.update(heads)
        if due:
            self._checkpoint_written(checkpoint, due)
        before = (group, self._records)
        for room in heads:
            if room not in due:
                self._changed.setdefault(room, before)
        if self._records % CHECKPOINT_RECORDS + len(records) >= CHECKPOINT_RECORDS:
            self._reader.clear_cache()
        self._records += len(records)
        for snapshot in snapshots:
            self._changed.pop(snapshot.room, None)
            if not snapshot.live:
                self._reader.heads.pop(snapshot.room, None)
        rooms_written = PAGES_PER_SNAPSHOT * len(snapshots) + len(due)
        self._log.added(PAGES_PER_GROUP + len(encoded) // PAGE_BYTES + rooms_written)

    def _write_snapshot(self, snapshot: Snapshot, head: RoomHead) -> None:
        room, (version, group) = snapshot.room, head
        self._writer.execute(
            _WRITE_SNAPSHOT,
            (
                room,
                snapshot.live,
                group,
                version,
                head_checksum(room, snapshot.live, group, version, None),
                snapshot.version,
                room_checksum(room, snapshot.version, snapshot.body),
                snapshot.body,
            ),
        )

    def _append_others(
        self, conflict: RoomId, entries: Sequence[Entry], snapshots: Sequence[Snapshot]
    ) -> NoReturn:
        """Write what a batch has of other rooms, and raise `Conflict`."""
        conflicts = {conflict}
        others = [entry for entry in entries if entry.room != conflict]
        try:
            if others:
                self._append(others, [snapshot for snapshot in snapshots if snapshot.room != conflict])
        except Conflict as more:
            conflicts |= more.rooms
        raise Conflict(conflicts)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None; raise `Damaged` if it is."""
        return self._reader.load(room)

    def snapshot(self, room: RoomId) -> Snapshot | None:
        """Return the last snapshot of the room without the records after it; raise `Damaged` if it is."""
        return self._reader.snapshot(room)

    def history(self, room: RoomId, after: int = 0) -> Sequence[Entry]:
        """Return the records of the room after a version, oldest first; raise `Damaged` if one is."""
        return self._reader.entries(room, after)

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that are not closed and not set aside."""
        return self._reader.open_rooms()

    def quarantined(self) -> Mapping[RoomId, str]:
        """Return the rooms that are set aside, and why."""
        return self._reader.quarantined()

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return up to `limit` rooms that are closed and not archived."""
        return self._reader.closed(limit)

    def unarchived_count(self) -> int:
        """Return the number of rooms that are closed and not archived."""
        return int(
            self._reader.query("select count(*) from rooms where not is_open and archived_at is null")[0][0]
        )

    def mark_archived(self, room: RoomId) -> None:
        """Record that a closed room is archived; `reclaim` deletes it later."""
        self._retention.mark_archived(room, self._reader.head(room), self.last_heartbeat())

    def reclaim(self, now: Millis) -> bool:
        """Delete some of what rooms that were archived long ago left; tell whether more is left."""
        return self._retention.reclaim(now, self._checkpoint_group)

    def heartbeat(self, now: Millis) -> None:
        """Record that the server is alive."""
        if self._flushes:
            return  # A heartbeat would flush the disk every second; the times of records are enough.
        if self._log.is_restarting or not self._batch.acquire(blocking=False):
            return  # The event loop must not wait; the batch that another thread writes says as much.
        try:
            self._write_meta("heartbeat", now)
            # Also if no open room changed: groups after the check point are not deleted.
            if len(self._changed) <= ROOMS_PER_SLICE and self._last_group > self._checkpoint_group:
                self._write_checkpoint()
        finally:
            self._batch.release()

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        return self._reader.last_heartbeat()

    def outage(self) -> Millis:
        """Return when the outage began that has not ended for all rooms yet, or 0."""
        return Millis(self._reader.number("outage"))

    def set_outage(self, began: Millis) -> None:
        """Record when an outage began; 0 once it has ended for all rooms."""
        # If a crash leaves the older of the two copies, the outage ends again: no player is charged for it.
        if began != self.outage():
            self._write_meta("outage", began)

    def secret(self, proposed: bytes = b"") -> bytes:
        """Return the key that signs tokens; the first call creates it."""
        found = self._reader.value("secret")
        if not isinstance(found, bytes):
            self._write_meta("secret", proposed or token_bytes(32))
            return self.secret()
        return found

    def import_secret(self, secret: bytes) -> None:
        """Replace the key that signs tokens."""
        self._write_meta("secret", secret)

    def close(self) -> None:
        """Write a check point and release the file."""
        self._log.close()
        try:
            self._write_checkpoint()
            self._write_meta("sessions", self._sessions + 1)
        finally:
            self._opened.close()

    def _write_meta(self, key: str, value: int | bytes) -> None:
        try:
            with self._writing:
                write_meta(self._writer, key, value)
        except SQLITE_ERRORS as error:
            raise StoreError(str(error)) from error

    def _due_rooms(self, more: int) -> frozenset[RoomId]:
        """Return the rooms whose heads are written with the next group of so many records."""
        oldest = next(iter(self._changed.values()), None)
        if oldest is None or self._records + more - oldest[1] < CHECKPOINT_RECORDS:
            return frozenset()
        return frozenset(islice(self._changed, max(ROOMS_PER_SLICE, more)))

    def _write_checkpoint(self) -> None:
        """Write the last group of every changed room in a transaction of its own."""
        due = frozenset(self._changed)
        try:
            with self._writing, transaction(self._writer):
                checkpoint = self._write_heads(self._last_group, due, {})
        except SQLITE_ERRORS as error:
            raise StoreError(str(error)) from error
        self._checkpoint_written(checkpoint, due)
        self._reader.clear_cache()

    def _checkpoint_written(self, checkpoint: int, due: frozenset[RoomId]) -> None:
        self._checkpoint_group = checkpoint
        for room in due:
            del self._changed[room]

    def _write_heads(self, group: int, due: frozenset[RoomId], newest: dict[RoomId, RoomHead]) -> int:
        """Write a check point: the last group of some rooms. Return the last group that all rooms know."""
        rows = []
        for room in due:
            version, last_group = newest.get(room) or self._reader.head(room)
            rows.append((version, last_group, head_checksum(room, True, last_group, version, None), room))
        self._writer.executemany(_WRITE_HEAD, rows)
        unwritten = next((since for room, (since, _) in self._changed.items() if room not in due), None)
        if unwritten is None:
            unwritten = group + (newest.keys() <= due)
        checkpoint = unwritten - 1
        write_meta(self._writer, "checkpoint", checkpoint)
        return checkpoint

    def _set_unproven_aside(self) -> None:
        """Set aside rooms whose last steps may have been in a lost group: the next check point forgets it."""
        lost = self._reader.lost_group
        for room in self._reader.open_rooms() if lost else ():
            with suppress(Damaged):  # Reading it again says so, now and later.
                if self._reader.head(room)[1] < lost:
                    reason = f"its last steps may be lost: group {lost} is damaged"
                    self._writer.execute("insert or ignore into quarantined values (?, ?)", (room, reason))


def lock_file(path: Path) -> IO[bytes]:
    """Return the open lock of a journal; raise `StoreLocked` if a server or a command has it."""
    handle = os.fdopen(os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600), "rb")
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        handle.close()
        raise StoreLocked(f"{path} is in use by another server") from error
    return handle
