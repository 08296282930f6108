"""Store in one SQLite file: append-only, group commits as rows, one writer.

`sqlite_reader` describes how a room is found in the file.
"""

import fcntl
import os
import sqlite3
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path
from secrets import token_bytes
from threading import Lock
from typing import Final, Literal, NoReturn

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

from .sqlite_reader import BUSY_SECONDS, SCHEMA, JournalReader, RoomHead, encode_group, read_schema

Durability = Literal["process", "power"]

CHECKPOINT_RECORDS: Final = 4096
"""Records after which the last group of every changed room is written to `rooms`."""
WAL_CHECKPOINT_PAGES: Final = 1000
"""Pages in the write-ahead log after which a thread copies them into the file."""
WAL_RESTART_PAGES: Final = 16_000
"""Pages (64 MB) after which the log is restarted, though that blocks the writer for a moment."""
WAL_PAGES_PER_GROUP: Final = 3
"""Pages that a group adds to the log beside those of its records."""
PAGE_BYTES: Final = 4096
_META: Final = "create table if not exists meta (key text primary key, value) without rowid"
_TABLES: Final = """
create table if not exists journal (
    group_id integer primary key, written_at integer not null, records blob not null);
create table if not exists rooms (
    room text primary key, is_open integer not null, last_group integer not null, version integer not null,
    snapshot_version integer not null, snapshot blob not null) without rowid;
create index if not exists open_rooms on rooms (room) where is_open;
create table if not exists unarchived (room text primary key) without rowid;
"""
_INSERT_GROUP: Final = "insert into journal values (?, ?, ?)"
_WRITE_SNAPSHOT: Final = (
    "insert into rooms values (?, ?, ?, ?, ?, ?) on conflict (room) do update set "
    "is_open = excluded.is_open, last_group = excluded.last_group, version = excluded.version, "
    "snapshot_version = excluded.snapshot_version, snapshot = excluded.snapshot"
)


class StoreLocked(StoreError):
    """Another process has the file open for writing."""


class SqliteStore:
    """`process` survives the end of the process, `power` also a power failure.

    With `update_schema` a file of an earlier schema is migrated, without it is refused.
    """

    def __init__(self, path: Path, durability: Durability = "process", *, update_schema: bool = True) -> None:
        self.slow = durability == "power"
        self._lock = _lock(path)
        opened = ExitStack()
        opened.callback(os.close, self._lock)
        try:
            self._writer = opened.enter_context(closing(_connect(path)))
            self._writer.execute(f"pragma synchronous = {'full' if self.slow else 'normal'}")
            _prepare_schema(self._writer, path, update=update_schema)
            self._writer.executescript(_TABLES)
            # Copying the write-ahead log takes milliseconds and waits for the disk, so a thread does it
            # on a connection of its own.
            self._writer.execute("pragma wal_autocheckpoint = 0")
            self._background = opened.enter_context(closing(_connect(path)))
            # A read does not wait for a group that another thread is writing.
            self._read_connection = opened.enter_context(closing(_connect(path)))
        except (sqlite3.Error, StoreError) as error:
            opened.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{path}: {error}") from error
        self._reader = JournalReader(self._read_connection)
        self._last_group, self._records_since_checkpoint = self._reader.last_group, 0
        self._changed: dict[RoomId, None] = dict.fromkeys(self._reader.heads)
        """Rooms whose head in `rooms` is older than their last record."""
        self._thread = ThreadPoolExecutor(1, "wal-checkpoint")
        self._wal_pages = 0
        self._wal_checkpoint: Future[int] | None = None
        # Threads wait for each other here. SQLite would let the archiver try again for some seconds and give
        # up, because the journal is written all the time.
        self._writing = Lock()

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write a batch, or raise `Conflict` (those rooms are left out) or `StoreError` (unknown outcome)."""
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
        count = self._records_since_checkpoint + len(records)
        self._writing.acquire()
        try:
            writer.execute("begin immediate")
            writer.execute(_INSERT_GROUP, (group, entries[-1].at if entries else 0, encoded))
            for snapshot in snapshots:
                version, last_group = heads.get(snapshot.room) or self._reader.head(snapshot.room)
                writer.execute(
                    _WRITE_SNAPSHOT,
                    (snapshot.room, snapshot.live, last_group, version, snapshot.version, snapshot.body),
                )
                if not snapshot.live:
                    writer.execute("insert or ignore into unarchived values (?)", (snapshot.room,))
            if count >= CHECKPOINT_RECORDS:
                self._write_heads(group, heads)
            writer.execute("commit")
        except sqlite3.Error as error:
            if writer.in_transaction:
                writer.execute("rollback")
            raise StoreError(str(error)) from error
        finally:
            self._writing.release()
        self._wal_pages += WAL_PAGES_PER_GROUP + len(encoded) // PAGE_BYTES
        if self._wal_pages >= WAL_CHECKPOINT_PAGES and (
            self._wal_checkpoint is None or self._wal_checkpoint.done()
        ):
            self._wal_pages = 0
            self._restart_long_wal()
            self._wal_checkpoint = self._thread.submit(_checkpoint_wal, self._background)
        self._last_group = group
        self._reader.heads.update(heads)
        self._records_since_checkpoint = count
        if count >= CHECKPOINT_RECORDS:
            self._records_since_checkpoint = 0
            self._changed.clear()
            self._reader.clear_cache()
        else:
            self._changed.update(dict.fromkeys(heads))
        for snapshot in snapshots:
            self._changed.pop(snapshot.room, None)
            if not snapshot.live:
                self._reader.heads.pop(snapshot.room, None)

    def _append_others(
        self, conflict: RoomId, entries: Sequence[Entry], snapshots: Sequence[Snapshot]
    ) -> NoReturn:
        """Write what a batch has of other rooms, and raise `Conflict`."""
        conflicts = {conflict}
        others = [entry for entry in entries if entry.room != conflict]
        try:
            if others:
                self.append(others, [snapshot for snapshot in snapshots if snapshot.room != conflict])
        except Conflict as more:
            conflicts |= more.rooms
        raise Conflict(conflicts)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written, or None."""
        return self._reader.load(room)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room, oldest first."""
        return self._reader.history(room)

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that are not closed."""
        return self._reader.open_rooms()

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return up to `limit` rooms that are closed and not archived."""
        return [RoomId(room) for (room,) in self._reader.query("select room from unarchived limit ?", limit)]

    def unarchived_count(self) -> int:
        """Return the number of rooms that are closed and not archived."""
        return int(self._reader.query("select count(*) from unarchived").fetchone()[0])

    def mark_archived(self, room: RoomId) -> None:
        """Record that a closed room is archived; its records stay in their groups."""
        try:
            with self._writing:
                self._background.execute("delete from unarchived where room = ?", (room,))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def heartbeat(self, now: Millis) -> None:
        """Record that the server is alive."""
        if self.slow:
            return  # A heartbeat would flush the disk every second; the times of records are enough.
        self._write_meta("heartbeat", now)

    def last_heartbeat(self) -> Millis:
        """Return the time of the last heartbeat or record."""
        return self._reader.last_heartbeat()

    def secret(self, proposed: bytes = b"") -> bytes:
        """Return the key that signs tokens; the first call creates it."""
        row = self._reader.query("select value from meta where key = 'secret'").fetchone()
        if row is None:
            self._write_meta("secret", proposed or token_bytes(32))
            return self.secret()
        return bytes(row[0])

    def import_secret(self, secret: bytes) -> None:
        """Replace the key that signs tokens."""
        self._write_meta("secret", secret)

    def close(self) -> None:
        """Write a check point and release the file."""
        self._thread.shutdown()
        try:
            self._writer.execute("begin immediate")
            self._write_heads(self._last_group, {})
            self._writer.execute("commit")
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error
        finally:
            self._background.close()
            self._read_connection.close()
            self._writer.close()
            os.close(self._lock)

    def _write_meta(self, key: str, value: int | bytes) -> None:
        try:
            with self._writing:
                self._writer.execute("insert or replace into meta values (?, ?)", (key, value))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def _restart_long_wal(self) -> None:
        """Restart a log that has grown too long: under constant load it never restarts by itself."""
        try:
            if self._wal_checkpoint is not None and self._wal_checkpoint.result() > WAL_RESTART_PAGES:
                # Do not wait for another process that reads the file: the log grows in the meantime.
                self._writer.execute("pragma busy_timeout = 0")
                try:
                    self._writer.execute("pragma wal_checkpoint(restart)").fetchall()
                finally:
                    self._writer.execute(f"pragma busy_timeout = {BUSY_SECONDS * 1000}")
        except sqlite3.Error:
            return  # The log keeps its contents; if the cause persists, the next group raises it.

    def _write_heads(self, group: int, newest: dict[RoomId, RoomHead]) -> None:
        """Write a check point: the last group of every changed room."""
        rooms = {**dict.fromkeys(self._changed), **dict.fromkeys(newest)}
        rows = [(*(newest.get(room) or self._reader.head(room)), room) for room in rooms]
        self._writer.executemany("update rooms set version = ?, last_group = ? where room = ?", rows)
        self._writer.execute("insert or replace into meta values ('checkpoint', ?)", (group,))


def _prepare_schema(connection: sqlite3.Connection, path: Path, *, update: bool) -> None:
    """Write the schema number of a new file, or migrate a file of an earlier schema."""
    connection.execute("begin immediate")
    connection.execute(_META)
    connection.execute("insert or ignore into meta values ('schema', ?)", (SCHEMA.number,))
    found = read_schema(connection, path)
    if SCHEMA.is_earlier(str(path), found, update=update):
        for _, migrate in SCHEMA.steps(found):
            migrate(connection)
        connection.execute("update meta set value = ? where key = 'schema'", (SCHEMA.number,))
    connection.execute("commit")


def _connect(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # The file holds secrets.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    try:
        connection.execute("pragma journal_mode = wal")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _checkpoint_wal(connection: sqlite3.Connection) -> int:
    """Copy the write-ahead log into the file and return its length in pages."""
    _, pages, _ = connection.execute("pragma wal_checkpoint(passive)").fetchone()
    return int(pages)


def _lock(path: Path) -> int:
    handle = os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise StoreLocked(f"{path} is in use by another server") from error
    return handle
