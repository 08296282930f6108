"""Check points of the SQLite journal: written in slices, and right after every group."""

import random
import sqlite3
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from itertools import pairwise, product
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from qipai.kernel.ids import Millis, RoomId
from qipai.stores import sqlite_store
from qipai.stores.sqlite_reader import encode_group, open_journal
from qipai.stores.sqlite_store import SqliteStore
from tests.stores.test_contract import entry, snapshot_of

RECORDS, SLICE = 12, 2


@pytest.mark.parametrize("seed", range(3))
def test_a_reader_finds_every_head_after_every_group(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr(sqlite_store, "CHECKPOINT_RECORDS", RECORDS)
    monkeypatch.setattr(sqlite_store, "ROOMS_PER_SLICE", SLICE)
    choose = random.Random(seed)
    rooms = [RoomId(f"room{number}") for number in range(15)]
    versions = dict.fromkeys(rooms, 0)
    checkpoints = set()
    path = tmp_path / "q.db"
    with closing(SqliteStore(path)) as store:
        for _ in range(80):
            batch, snapshots = [], []
            for room in choose.choices(rooms, k=choose.randint(1, 5)):
                versions[room] += 1
                batch.append(entry(room, versions[room]))
                if versions[room] == 1 or choose.random() < 0.1:
                    snapshots.append(snapshot_of(room, versions[room]))
            store.append(batch, snapshots)
            with open_journal(path) as reader:
                checkpoints.add(reader.checkpoint)
                assert {room: reader.head(room)[0] for room in rooms} == versions
                # Opening the journal reads the groups after the check point: they stay few.
                assert reader.last_group - reader.checkpoint <= RECORDS + len(rooms)
    assert len(checkpoints) > 10
    with closing(SqliteStore(path)) as again:
        assert {room: len(again.history(room)) for room in rooms} == versions


def test_a_group_writes_few_heads_with_many_changed_rooms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_store, "CHECKPOINT_RECORDS", 256)
    monkeypatch.setattr(sqlite_store, "ROOMS_PER_SLICE", 8)
    rooms = [RoomId(f"room{number}") for number in range(256)]
    path = tmp_path / "q.db"
    with closing(SqliteStore(path)) as store, closing(sqlite3.connect(path)) as reader:
        store.append([entry(room, 1) for room in rooms], [snapshot_of(room, 1) for room in rooms])
        written = []
        for version, first in product((2, 3), range(0, len(rooms), 4)):
            store.append([entry(room, version) for room in rooms[first : first + 4]], [])
            written += reader.execute("select sum(version) from rooms").fetchone()
        steps = [after - before for before, after in pairwise(written)]
    # The head of a room that has just changed again goes two versions on.
    assert 0 < max(steps) <= 8 * 2
    assert written[-1] > 256 * 2


def test_a_check_point_forgets_no_batch_of_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, path = RoomId("room"), tmp_path / "q.db"
    remember = SqliteStore._checkpoint_written
    batches: list[Future[None]] = []

    with closing(SqliteStore(path)) as store, ThreadPoolExecutor(1) as threads:

        def remember_later(self: SqliteStore, checkpoint: int, due: frozenset[RoomId]) -> None:
            batches.append(threads.submit(store.append, [entry(room, 3)], []))
            wait(batches, 0.5)  # It must not be written before the check point is remembered.
            remember(self, checkpoint, due)

        store.append([entry(room, 1)], [snapshot_of(room, 1)])
        store.append([entry(room, 2)], [])
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "_checkpoint_written", remember_later)
            store.heartbeat(Millis(7_000))
        batches[0].result(60)
        store.heartbeat(Millis(8_000))
        with open_journal(path) as reader:
            assert (reader.head(room)[0], reader.checkpoint) == (3, reader.last_group)


def test_no_heartbeat_waits_for_a_batch_of_another_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, go_on = Event(), Event()

    def slow_encoding(records: Any) -> bytes:
        inside.set()
        assert go_on.wait(60)
        return encode_group(records)

    with closing(SqliteStore(tmp_path / "q.db")) as store, ThreadPoolExecutor(1) as threads:
        monkeypatch.setattr(sqlite_store, "encode_group", slow_encoding)
        batch = threads.submit(store.append, [entry(RoomId("room"), 1)], [])
        assert inside.wait(60)
        store.heartbeat(Millis(7_000))
        go_on.set()
        batch.result(60)
        assert store.last_heartbeat() != 7_000
        store.heartbeat(Millis(8_000))
        assert store.last_heartbeat() == 8_000
