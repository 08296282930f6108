"""Archived rooms leave the SQLite journal, and their space goes back to the file system."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.journal.store_interface import Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores import sqlite_files, sqlite_log, sqlite_retention
from qipai.stores.sqlite_files import find_damage
from qipai.stores.sqlite_reader import GroupRecord, sound_group
from qipai.stores.sqlite_retention import KEEP_ID, KEEP_RECORDS, SPARE_PAGES
from qipai.stores.sqlite_store import SqliteStore
from tests.support.databases.known_databases import write_journal

BODY = b'{"do":"say","text":"%s"}' % (b"x" * 300)
LONG_LIVED = RoomId("open all the time")


def play(store: Store, room: RoomId, moves: int, at: int) -> None:
    """Open a room, make moves in groups with a room that stays open, and close it."""
    open_version = len(store.history(LONG_LIVED))
    store.append([Entry(room, 1, Millis(at), BODY)], [Snapshot(room, 1, True, b"s" * 2000)])
    for version in range(2, moves):
        entries = [Entry(room, version, Millis(at), BODY)]
        if version % 50 == 0:
            open_version += 1
            entries.append(Entry(LONG_LIVED, open_version, Millis(at), BODY))
        store.append(entries, [])
    store.append([Entry(room, moves, Millis(at), BODY)], [Snapshot(room, moves, False, b"s" * 2000)])


def reclaim_all(store: Store, now: int) -> None:
    while store.reclaim(Millis(now)):
        pass


def test_the_records_of_an_archived_room_are_deleted_and_those_of_others_stay(tmp_path: Path) -> None:
    room, waiting = RoomId("archived"), RoomId("not archived")
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        store.append([Entry(LONG_LIVED, 1, Millis(1), BODY)], [Snapshot(LONG_LIVED, 1, True, b"s")])
        for each in (room, waiting):
            play(store, each, 300, at=1_000)
        store.heartbeat(Millis(2_000))
        store.mark_archived(room)
        reclaim_all(store, 2_000 + KEEP_RECORDS)
        assert len(store.history(room)) == 300, "a client may still ask for what it missed"
        reclaim_all(store, 2_001 + KEEP_RECORDS)
        assert list(store.history(room)) == []
        saved = store.load(room)
        assert saved is not None, "a repeated command does not open it again"
        assert not saved.snapshot.live
        assert len(store.history(waiting)) == 300
        assert [entry.version for entry in store.history(LONG_LIVED)] == list(range(1, 12))
        reclaim_all(store, 2_001 + KEEP_ID)
        assert store.load(room) is None
        assert list(store.closed(9)) == [waiting]
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        assert len(store.history(waiting)) == 300
        assert len(store.history(LONG_LIVED)) == 11
        assert store.load(LONG_LIVED) is not None


def test_a_deletion_that_was_interrupted_goes_on(tmp_path: Path) -> None:
    room = RoomId("archived")
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        store.append([Entry(LONG_LIVED, 1, Millis(1), BODY)], [Snapshot(LONG_LIVED, 1, True, b"s")])
        play(store, room, 400, at=1_000)
        play(store, RoomId("later"), 10, at=1_000)
        store.heartbeat(Millis(2_000))
        store.mark_archived(room)
        assert store.reclaim(Millis(2_001 + KEEP_RECORDS))
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        reclaim_all(store, 2_001 + KEEP_RECORDS)
        assert list(store.history(room)) == []
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        assert file.execute("select count(*) from journal").fetchone()[0] < 40


def test_each_group_of_a_room_is_read_a_few_times_however_long_the_room_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = 0

    def count(*row: object) -> tuple[GroupRecord, ...] | None:
        nonlocal reads
        reads += 1
        return sound_group(*row)

    monkeypatch.setattr(sqlite_retention, "sound_group", count)
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        store.append([Entry(LONG_LIVED, 1, Millis(1), BODY)], [Snapshot(LONG_LIVED, 1, True, b"s")])
        for room in (RoomId("archived"), RoomId("archived too"), RoomId("later")):
            play(store, room, 1_000, at=1_000)
        store.heartbeat(Millis(2_000))
        for room in (RoomId("archived"), RoomId("archived too")):
            store.mark_archived(room)
        reclaim_all(store, 2_001 + KEEP_RECORDS)
        assert [len(store.history(RoomId(room))) for room in ("archived", "archived too", "later")] == [
            0,
            0,
            1_000,
        ]
    assert reads <= 2 * 2_000 + 100


def test_a_closed_room_is_deleted_also_if_nothing_else_happens(tmp_path: Path) -> None:
    room = RoomId("archived")
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        play(store, room, 40, at=1_000)
        store.heartbeat(Millis(2_000))
        open_and_close = RoomId("closed at once")
        play(store, open_and_close, 2, at=2_000)
        store.heartbeat(Millis(3_000))
        store.mark_archived(room)
        reclaim_all(store, 3_001 + KEEP_RECORDS)
        assert list(store.history(room)) == []


def test_the_journal_of_a_server_that_plays_on_and_on_stays_bounded(tmp_path: Path) -> None:
    """Forty rooms of 500 moves one after the other; the file is as large after all as after some."""
    sizes: list[int] = []
    now = 1_000
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        store.append([Entry(LONG_LIVED, 1, Millis(1), BODY)], [Snapshot(LONG_LIVED, 1, True, b"s")])
        for number in range(40):
            play(store, RoomId(f"r{number}"), 500, at=now)
            store.heartbeat(Millis(now))
            store.mark_archived(RoomId(f"r{number}"))
            now += KEEP_RECORDS + 1
            reclaim_all(store, now)
            sizes.append(pages_of(tmp_path / "q.db"))
    assert sizes[-1] <= sizes[3] + SPARE_PAGES, sizes
    assert sizes[-1] < 3 * SPARE_PAGES
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        assert find_damage(file) == ""


def pages_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("pragma page_count").fetchone()[0])


def test_a_migrated_journal_gives_space_back_too(tmp_path: Path) -> None:
    write_journal(tmp_path, crash=False)
    with closing(sqlite3.connect(tmp_path / "qipai.db")) as file:
        file.execute("pragma auto_vacuum = none")
        file.execute("vacuum")
        assert file.execute("pragma auto_vacuum").fetchone() == (0,)
    SqliteStore(tmp_path / "qipai.db").close()
    with closing(sqlite3.connect(tmp_path / "qipai.db")) as file:
        assert file.execute("pragma auto_vacuum").fetchone() == (2,)


def test_no_writer_finds_the_database_locked_under_a_flood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads open, close, archive and delete rooms, and a third copies the write-ahead log."""
    monkeypatch.setattr(sqlite_files, "BUSY_SECONDS", 0)  # SQLite does not wait for anybody.
    monkeypatch.setattr(sqlite_log, "COPIED_PAGES", 20)
    monkeypatch.setattr(sqlite_log, "RESTART_PAGES", 40)
    store = SqliteStore(tmp_path / "q.db")
    finished = threading.Event()
    failures: list[StoreError] = []

    def archive() -> None:
        now = 0
        try:
            while not finished.is_set() or store.unarchived_count():
                for room in store.closed(20):
                    store.mark_archived(room)
                now += KEEP_ID
                store.reclaim(Millis(now))
        except StoreError as error:
            failures.append(error)

    archiver = threading.Thread(target=archive)
    archiver.start()
    for number in range(1_500):
        room = RoomId(f"r{number}")
        store.append([Entry(room, 1, Millis(number), BODY)], [Snapshot(room, 1, True, b"s" * 2000)])
        store.append([Entry(room, 2, Millis(number), BODY)], [Snapshot(room, 2, False, b"s" * 2000)])
        store.heartbeat(Millis(number))
    finished.set()
    archiver.join(60)
    assert failures == []
    assert store.unarchived_count() == 0
    store.close()
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        assert find_damage(file) == ""
