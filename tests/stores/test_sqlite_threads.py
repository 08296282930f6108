"""The archiver and the journal write to one SQLite file from two threads, and neither gives up."""

import asyncio
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.journal.group_commit import StoreWriter
from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.ids import Millis, RoomId
from qipai.stores import sqlite_files, sqlite_log
from qipai.stores.sqlite_log import LogCopier
from qipai.stores.sqlite_store import SqliteStore

ROOMS = 300


def test_two_threads_that_write_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without this, SQLite tries again for some seconds, and the test would fail on a busy machine only.
    monkeypatch.setattr(sqlite_files, "BUSY_SECONDS", 0)
    # A checkpoint may have to wait for SQLite.
    monkeypatch.setattr(sqlite_log, "COPIED_PAGES", 10**9)
    store = SqliteStore(tmp_path / "qipai.db")
    rooms = [RoomId(f"r{number}") for number in range(ROOMS)]
    store.append([Entry(room, 1, Millis(1), b"{}") for room in rooms], [])
    store.append([], [Snapshot(room, 1, False, b"{}") for room in rooms])

    def write_journal() -> None:
        for version in range(1, 3 * ROOMS):
            store.append([Entry(RoomId("open"), version, Millis(version), b"{}")], [])
            store.heartbeat(Millis(version))

    def mark_all() -> None:
        for room in rooms:
            store.mark_archived(room)

    with ThreadPoolExecutor(1) as archiver:
        marked = archiver.submit(mark_all)
        write_journal()
        marked.result()
    assert store.unarchived_count() == 0
    assert len(store.history(RoomId("open"))) == 3 * ROOMS - 1
    store.close()


def test_two_threads_that_read_get_the_rooms_that_they_ask_for(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "qipai.db")
    for number in range(20):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(1), b"{}")], [Snapshot(room, 1, True, f"{number}".encode())])

    def read() -> None:
        for number in [*range(20)] * 50:
            saved = store.load(RoomId(f"r{number}"))
            assert saved is not None
            assert saved.snapshot.body == f"{number}".encode()

    with ThreadPoolExecutor(2) as readers:
        for reading in [readers.submit(read) for _ in range(2)]:
            reading.result()
    store.close()


class BusyJournal:
    """A store whose log is never copied whole: a reader holds it, and later each flush finds a new record."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sqlite_log, "COPIED_PAGES", 20)
        monkeypatch.setattr(sqlite_log, "RESTART_PAGES", 40)
        monkeypatch.setattr(os, "fsync", self._flush)
        monkeypatch.setattr(LogCopier, "_restart", self._restart)
        self.store = SqliteStore(path)
        self.records = self._flushes = 0
        self.disk_is_ready = threading.Event()
        self._reader = sqlite_files.connect(path)
        self._reader.execute("begin")
        self._reader.execute("select * from journal").fetchall()

    def next_record(self) -> Entry:
        self.records += 1
        return Entry(RoomId("r"), self.records, Millis(self.records), b"{}")

    def wait_for_copier(self) -> None:
        self.store._log._thread.submit(int).result(60)

    def _flush(self, _file: int) -> None:
        self.store.append([self.next_record()], [])
        self._flushes += 1
        if self._flushes == 2:
            self._reader.close()

    def _restart(self) -> None:
        assert self.disk_is_ready.wait(60)
        _RESTART(self.store._log)


_RESTART = LogCopier._restart


def test_a_batch_goes_to_a_thread_while_the_restart_of_a_long_log_waits_for_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = BusyJournal(tmp_path / "qipai.db", monkeypatch)
    store = journal.store
    while not store.slow:
        journal.wait_for_copier()
        store.append([journal.next_record()], [])

    async def write_two_more() -> None:
        writer = StoreWriter(store)
        heartbeat = store.last_heartbeat()
        store.heartbeat(Millis(10**9))
        assert store.last_heartbeat() == heartbeat
        writing = writer.append([journal.next_record()], [])
        assert writing is not None
        journal.disk_is_ready.set()
        await writing
        journal.wait_for_copier()
        assert writer.append([journal.next_record()], []) is None
        writer.shut_down()

    asyncio.run(write_two_more())
    with closing(sqlite_files.connect(tmp_path / "qipai.db")) as file:
        _, pages, _ = file.execute("pragma wal_checkpoint(passive)").fetchone()
    assert pages < 40, "the log has not begun again"
    assert [entry.version for entry in store.history(RoomId("r"))] == [*range(1, journal.records + 1)]
    store.close()
