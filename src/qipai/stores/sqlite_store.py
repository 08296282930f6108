"""A journal in one SQLite file: append-only, one writer, no secondary index.

A group of records is one row. Each record names the row that holds the record before it of the
same room (`prev`), so that a room is read by following the chain from its head. Heads are written
with snapshots and at check points; after a crash the few rows behind the last check point are
scanned once.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import lru_cache
from pathlib import Path
from secrets import token_bytes
from typing import Final, Literal, NamedTuple, NoReturn

import msgspec

from qipai.hall.journal.store_interface import Conflict, Entry, Saved, Snapshot, StoreError
from qipai.kernel.ids import Millis, RoomId

Durability = Literal["process", "power"]

SCHEMA: Final = 1
CHECKPOINT_EVERY: Final = 4096
COPY_EVERY: Final = 1000
"""About so many pages are logged before they are copied into the file."""
LONG_LOG: Final = 16_000
"""A log of so many pages (64 MB) is copied and begun again, though that stops us for a moment."""
LOG_PAGES: Final = 3
"""Pages that a group logs beside its own records."""
_TABLES: Final = """
create table if not exists meta (key text primary key, value) without rowid;
create table if not exists journal (seq integer primary key, at integer not null, body blob not null);
create table if not exists rooms (
    room text primary key, live integer not null, head integer not null, version integer not null,
    snapshot_version integer not null, snapshot blob not null) without rowid;
create index if not exists living on rooms (room) where live;
"""
_CLOSED: Final = """
begin;
create table closed (room text primary key) without rowid;
insert into closed select room from rooms where not live;
commit;
"""
"""Closed rooms that wait for an archive; files of earlier releases lack it."""
_INSERT: Final = "insert into journal values (?, ?, ?)"
_SNAPSHOT: Final = (
    "insert into rooms values (?, ?, ?, ?, ?, ?) on conflict (room) do update set live = excluded.live, "
    "head = excluded.head, version = excluded.version, snapshot_version = excluded.snapshot_version, "
    "snapshot = excluded.snapshot"
)


class StoreLocked(StoreError):
    """Another server has this file open."""


class Row(NamedTuple):
    """One record within a group."""

    room: RoomId
    version: int
    at: Millis
    prev: int
    body: bytes


_pack: Final = msgspec.msgpack.Encoder().encode
_unpack: Final = msgspec.msgpack.Decoder(tuple[Row, ...]).decode


class JournalReader:
    """Reads a journal: heads as last written, and whatever was written after the last check point."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._page = lru_cache(maxsize=2048)(self._read_page)
        self.heads: dict[RoomId, tuple[int, int]] = {}
        self.checkpoint = self.last = self.meta("checkpoint", 0)
        for seq, body in self.read(
            "select seq, body from journal where seq > ? order by seq", self.checkpoint
        ):
            for row in _unpack(body):
                self.heads[row.room] = (row.version, seq)
            self.last = seq

    def read(self, sql: str, *values: object) -> sqlite3.Cursor:
        """Return the rows of a query, or raise `StoreError`."""
        try:
            return self._connection.execute(sql, values)
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def meta(self, key: str, default: int) -> int:
        """Return a number kept beside the journal."""
        row = self.read("select value from meta where key = ?", key).fetchone()
        return default if row is None else int(row[0])

    def head(self, room: RoomId) -> tuple[int, int]:
        """Return the last version of a room and where its record stands; (0, 0) for none."""
        known = self.heads.get(room)
        if known is not None:
            return known
        row = self.read("select version, head from rooms where room = ?", room).fetchone()
        return (0, 0) if row is None else (row[0], row[1])

    def load(self, room: RoomId) -> Saved | None:
        """Return the last snapshot of a room and the records after it."""
        row = self.read("select live, snapshot_version, snapshot from rooms where room = ?", room).fetchone()
        if row is None:
            return None
        live, version, body = row
        return Saved(Snapshot(room, version, bool(live), body), self.chain(room, version))

    def open_rooms(self) -> list[RoomId]:
        """Return the rooms that were not closed."""
        return [RoomId(room) for (room,) in self.read("select room from rooms where live")]

    def chain(self, room: RoomId, after: int) -> list[Entry]:
        """Return the records of a room after a version, oldest first."""
        version, seq = self.head(room)
        entries: list[Entry] = []
        while seq and version > after:
            rows = self._page(seq).get(room)
            if not rows:
                raise StoreError(f"{room}: version {version} is missing from group {seq}")
            entries += [
                Entry(room, row.version, row.at, row.body) for row in rows[::-1] if row.version > after
            ]
            version, seq = rows[0].version - 1, rows[0].prev
        return entries[::-1]

    def forget_pages(self) -> None:
        """Let go of what was read; it is wanted mostly at a start."""
        self._page.cache_clear()

    def _read_page(self, seq: int) -> dict[RoomId, list[Row]]:
        found = self.read("select body from journal where seq = ?", seq).fetchone()
        page: dict[RoomId, list[Row]] = {}
        for row in () if found is None else _unpack(found[0]):
            page.setdefault(row.room, []).append(row)
        return page

    def last_heartbeat(self) -> Millis:
        """Return the last sign of life: a beat or the last record."""
        last = self.read("select at from journal order by seq desc limit 1").fetchone()
        return Millis(max(self.meta("beat", 0), last[0] if last else 0))


class SqliteStore:
    """`process` survives the death of the process, `power` also that of the machine."""

    def __init__(self, path: Path, durability: Durability = "process") -> None:
        self.slow = durability == "power"
        self._lock = _lock(path)
        undo = ExitStack()
        undo.callback(os.close, self._lock)
        try:
            self._writer = undo.enter_context(closing(_connect(path)))
            self._writer.execute(f"pragma synchronous = {'full' if self.slow else 'normal'}")
            self._writer.executescript(_TABLES)
            _check_schema(self._writer, path)
            if not self._writer.execute("select 1 from sqlite_master where name = 'closed'").fetchone():
                self._writer.executescript(_CLOSED)
            # Copying the write-ahead log into the file takes milliseconds and waits for the disk: that
            # is done beside the event loop, on a connection of its own.
            self._writer.execute("pragma wal_autocheckpoint = 0")
            self._copier = undo.enter_context(closing(_connect(path)))
            # Reads must not wait for, nor disturb, a batch being written in another thread.
            self._reader = undo.enter_context(closing(_connect(path)))
        except (sqlite3.Error, StoreError) as error:
            undo.close()
            raise error if isinstance(error, StoreError) else StoreError(f"{path}: {error}") from error
        self._book = JournalReader(self._reader)
        self._seq, self._unmarked = self._book.last, 0
        self._behind: dict[RoomId, None] = dict.fromkeys(self._book.heads)
        self._pool = ThreadPoolExecutor(1, "copier")
        self._logged = 0
        self._copying: Future[int] | None = None

    def append(self, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> None:
        """Write a batch, or raise `Conflict` (rooms left out) or `StoreError` (nothing is known)."""
        heads: dict[RoomId, tuple[int, int]] = {}
        rows = []
        seq, known = self._seq + 1, self._book.heads
        for entry in entries:
            room, version = entry.room, entry.version
            last, prev = heads.get(room) or known.get(room) or self._book.head(room)
            if version != last + 1:
                self._without(room, entries, snapshots)
            rows.append((room, version, entry.at, prev, entry.body))
            heads[room] = (version, seq)
        writer, packed = self._writer, _pack(rows)
        count = self._unmarked + len(rows)
        try:
            writer.execute("begin immediate")
            writer.execute(_INSERT, (seq, entries[-1].at if entries else 0, packed))
            for shot in snapshots:
                version, head = heads.get(shot.room) or self._book.head(shot.room)
                writer.execute(_SNAPSHOT, (shot.room, shot.live, head, version, shot.version, shot.body))
                if not shot.live:
                    writer.execute("insert or ignore into closed values (?)", (shot.room,))
            if count >= CHECKPOINT_EVERY:
                self._checkpoint(seq, heads)
            writer.execute("commit")
        except sqlite3.Error as error:
            if writer.in_transaction:
                writer.execute("rollback")
            raise StoreError(str(error)) from error
        self._logged += LOG_PAGES + len(packed) // 4096
        if self._logged >= COPY_EVERY and (self._copying is None or self._copying.done()):
            self._logged = 0
            self._start_log_again()
            self._copying = self._pool.submit(_copy_log, self._copier)
        self._seq = seq
        self._book.heads.update(heads)
        self._unmarked = count
        if count >= CHECKPOINT_EVERY:
            self._unmarked = 0
            self._behind.clear()
            self._book.forget_pages()
        else:
            self._behind.update(dict.fromkeys(heads))
        for shot in snapshots:
            self._behind.pop(shot.room, None)
            if not shot.live:
                self._book.heads.pop(shot.room, None)

    def _without(self, lost: RoomId, entries: Sequence[Entry], snapshots: Sequence[Snapshot]) -> NoReturn:
        """Write what a batch has of other rooms, and raise `Conflict`."""
        rooms = {lost}
        rest = [entry for entry in entries if entry.room != lost]
        try:
            if rest:
                self.append(rest, [shot for shot in snapshots if shot.room != lost])
        except Conflict as conflict:
            rooms |= conflict.rooms
        raise Conflict(rooms)

    def load(self, room: RoomId) -> Saved | None:
        """Return the room as last written."""
        return self._book.load(room)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of the room."""
        return self._book.chain(room, 0)

    def open_rooms(self) -> Sequence[RoomId]:
        """Return the rooms that were not closed."""
        return self._book.open_rooms()

    def closed(self, limit: int) -> Sequence[RoomId]:
        """Return some rooms that were closed and not yet shelved."""
        return [RoomId(room) for (room,) in self._book.read("select room from closed limit ?", limit)]

    def unarchived_count(self) -> int:
        """Return how many these are."""
        return int(self._book.read("select count(*) from closed").fetchone()[0])

    def mark_archived(self, room: RoomId) -> None:
        """Forget that a room waits; its records stay where they are, among those of others."""
        try:
            self._copier.execute("delete from closed where room = ?", (room,))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def heartbeat(self, now: Millis) -> None:
        """Remember that the server is alive."""
        if self.slow:
            return  # The records' own times must do: a beat would cost a disk flush each second.
        self._keep("beat", now)

    def last_heartbeat(self) -> Millis:
        """Return the last sign of life."""
        return self._book.last_heartbeat()

    def secret(self) -> bytes:
        """Return the signing key."""
        row = self._book.read("select value from meta where key = 'secret'").fetchone()
        if row is None:
            self._keep("secret", token_bytes(32))
            return self.secret()
        return bytes(row[0])

    def import_secret(self, secret: bytes) -> None:
        """Sign with another key."""
        self._keep("secret", secret)

    def close(self) -> None:
        """Write the heads and release the file."""
        self._pool.shutdown()
        try:
            self._writer.execute("begin immediate")
            self._checkpoint(self._seq, {})
            self._writer.execute("commit")
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error
        finally:
            self._copier.close()
            self._reader.close()
            self._writer.close()
            os.close(self._lock)

    def _keep(self, key: str, value: int | bytes) -> None:
        try:
            self._writer.execute("insert or replace into meta values (?, ?)", (key, value))
        except sqlite3.Error as error:
            raise StoreError(str(error)) from error

    def _start_log_again(self) -> None:
        """Begin the log anew if it has grown too long: while groups never cease it does not by itself."""
        try:
            if self._copying is not None and self._copying.result() > LONG_LOG:
                # Somebody who reads the file for long is not waited for: the log grows meanwhile.
                self._writer.execute("pragma busy_timeout = 0")
                self._writer.execute("pragma wal_checkpoint(restart)").fetchall()
                self._writer.execute("pragma busy_timeout = 10000")
        except sqlite3.Error:
            return  # What is in the log is safe there; the next group will tell what is wrong.

    def _checkpoint(self, seq: int, newest: dict[RoomId, tuple[int, int]]) -> None:
        rooms = {**dict.fromkeys(self._behind), **dict.fromkeys(newest)}
        rows = [(*(newest.get(room) or self._book.head(room)), room) for room in rooms]
        self._writer.executemany("update rooms set version = ?, head = ? where room = ?", rows)
        self._writer.execute("insert or replace into meta values ('checkpoint', ?)", (seq,))


@contextmanager
def open_book(path: Path) -> Iterator[JournalReader]:
    """Yield a journal to read beside a running server."""
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=10)
    except sqlite3.Error as error:
        raise StoreError(f"{path}: {error}") from error
    with closing(connection):
        yield JournalReader(connection)


def copy(path: Path, target: Path) -> None:
    """Write a consistent copy of a journal, also while a server writes to it."""
    try:
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    try:
        with (
            closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=10)) as source,
            closing(sqlite3.connect(target)) as copied,
        ):
            source.backup(copied)
    except sqlite3.Error as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"{path}: {error}") from error


def _check_schema(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("insert or ignore into meta values ('schema', ?)", (SCHEMA,))
    found = connection.execute("select value from meta where key = 'schema'").fetchone()[0]
    if found != SCHEMA:
        raise StoreError(f"{path} has schema {found}, this server knows {SCHEMA}")


def _connect(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # It holds secrets.
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        connection.execute("pragma journal_mode = wal")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _copy_log(connection: sqlite3.Connection) -> int:
    """Copy the log into the file and return how many pages the log holds."""
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
