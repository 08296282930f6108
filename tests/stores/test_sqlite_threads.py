"""The archiver and the journal write to one SQLite file from two threads, and neither gives up."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.ids import Millis, RoomId
from qipai.stores import sqlite_store
from qipai.stores.sqlite_store import SqliteStore

ROOMS = 300


def test_two_threads_that_write_wait_for_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Without this, SQLite tries again for some seconds, and the test would fail on a busy machine only.
    monkeypatch.setattr(sqlite_store, "BUSY_SECONDS", 0)
    # A checkpoint may have to wait for SQLite.
    monkeypatch.setattr(sqlite_store, "WAL_CHECKPOINT_PAGES", 10**9)
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
