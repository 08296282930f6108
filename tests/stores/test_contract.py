"""One contract for every store; the list below must be the registry."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.store_interface import Conflict, Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.sqlite_store import CHECKPOINT_EVERY, Durability, SqliteStore, StoreLocked, open_book
from qipai.stores.store_registry import STORES
from tests.support.redis import RedisServer

Reopen = Callable[[Store], Store]
A, B = RoomId("a"), RoomId("b")


def entry(room: RoomId, version: int, body: bytes = b"{}") -> Entry:
    return Entry(room, version, Millis(1000 + version), body)


def shot(room: RoomId, version: int, *, live: bool = True) -> Snapshot:
    return Snapshot(room, version, live, f"{room}{version}".encode())


CASES = [("memory", "process"), ("sqlite", "process"), ("sqlite", "power"), ("redis", "process")]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=CASES, ids=["-".join(case) for case in CASES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    name, durability = request.param
    address = request.getfixturevalue("redis").address if name == "redis" else name
    made = STORES[name](address, tmp_path, durability)
    yield made
    if name == "redis":
        client.Redis.from_url(address).flushall()
    made.close()


@pytest.fixture(params=["process", "power"])
def durability(request: pytest.FixtureRequest) -> Durability:
    return "power" if request.param == "power" else "process"


def test_every_registered_store_is_under_contract() -> None:
    assert {name for name, _ in CASES} == set(STORES)


def test_a_room_that_was_never_opened_is_not_there(store: Store) -> None:
    assert store.load(A) is None
    assert list(store.history(A)) == []
    assert list(store.open_rooms()) == []


def test_a_room_is_its_last_snapshot_and_the_records_after_it(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [shot(A, 1), shot(B, 1)])
    store.append([entry(A, 2), entry(A, 3)], [])
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot == shot(A, 1)
    assert list(saved.tail) == [entry(A, 2), entry(A, 3)]
    store.append([entry(A, 4), entry(A, 5)], [shot(A, 4)])
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot.version == 4
    assert list(saved.tail) == [entry(A, 5)]
    assert [record.version for record in store.history(A)] == [1, 2, 3, 4, 5]
    assert list(store.history(B)) == [entry(B, 1)]


@pytest.mark.parametrize("version", [1, 3, 0, -1])
def test_a_record_that_does_not_follow_is_refused_and_says_so(store: Store, version: int) -> None:
    store.append([entry(A, 1)], [shot(A, 1)])
    with pytest.raises(Conflict) as conflict:
        store.append([entry(A, version)], [shot(A, version)])
    assert conflict.value.rooms == {A}
    assert len(store.history(A)) == 1
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot == shot(A, 1)
    store.append([entry(A, 2)], [])
    assert len(store.history(A)) == 2


def test_one_lost_race_loses_all_of_its_room_and_nothing_of_any_other(store: Store) -> None:
    rooms = [RoomId(name) for name in "abcd"]
    store.append([entry(room, 1) for room in rooms], [shot(room, 1) for room in rooms])
    store.append([entry(A, 2)], [])
    store.append([entry(rooms[2], 2)], [])
    batch = [entry(room, version) for version in (2, 3) for room in rooms]
    with pytest.raises(Conflict) as conflict:
        store.append(batch, [shot(A, 3), shot(B, 3)])
    assert conflict.value.rooms == {A, rooms[2]}
    assert [len(store.history(room)) for room in rooms] == [2, 3, 2, 3]
    assert [saved.snapshot.version for saved in map(store.load, rooms[:2]) if saved] == [1, 3]


def test_a_hole_within_a_batch_is_a_conflict_too(store: Store) -> None:
    store.append([entry(A, 1)], [shot(A, 1)])
    with pytest.raises(Conflict):
        store.append([entry(A, 2), entry(A, 4)], [])
    with pytest.raises(Conflict):
        store.append([entry(A, 3), entry(A, 2)], [])
    assert len(store.history(A)) == 1


def test_a_closed_room_no_longer_lives_but_keeps_its_history(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [shot(A, 1), shot(B, 1)])
    assert sorted(store.open_rooms()) == [A, B]
    store.append([entry(A, 2)], [shot(A, 2, live=False)])
    assert list(store.open_rooms()) == [B]
    assert [record.version for record in store.history(A)] == [1, 2]
    with pytest.raises(Conflict):
        store.append([entry(A, 2)], [])


def test_a_closed_room_waits_for_the_archive_until_it_is_shelved(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [shot(A, 1), shot(B, 1)])
    assert list(store.closed(10)) == []
    assert store.unarchived_count() == 0
    store.append([entry(A, 2), entry(B, 2)], [shot(A, 2, live=False), shot(B, 2, live=False)])
    assert sorted(store.closed(10)) == [A, B]
    assert len(store.closed(1)) == 1
    assert store.unarchived_count() == 2
    store.mark_archived(A)
    store.mark_archived(A)
    store.mark_archived(RoomId("never"))
    assert list(store.closed(10)) == [B]
    assert store.unarchived_count() == 1
    assert [record.version for record in store.history(B)] == [1, 2]
    assert list(store.open_rooms()) == []


def test_a_living_room_cannot_be_shelved(store: Store) -> None:
    store.append([entry(A, 1)], [shot(A, 1)])
    store.mark_archived(A)
    assert list(store.open_rooms()) == [A]
    assert len(store.history(A)) == 1


def test_the_last_sign_of_life_never_goes_back(store: Store) -> None:
    store.append([entry(A, 1)], [shot(A, 1)])
    assert store.last_heartbeat() >= 1001
    store.heartbeat(Millis(5000))
    # Where a beat would cost a disk flush, the records' own times must do.
    beat = 1001 if isinstance(store, SqliteStore) and store.slow else 5000
    assert store.last_heartbeat() == beat
    store.append([entry(A, 2)], [])
    assert store.last_heartbeat() in {beat, 1002}


def test_the_secret_stays(store: Store) -> None:
    assert len(store.secret()) == 32
    assert store.secret() == store.secret()


def test_a_store_may_adopt_the_secret_of_another(store: Store) -> None:
    store.secret()
    store.import_secret(bytes(range(32)))
    assert store.secret() == bytes(range(32))


def test_bodies_are_bytes_of_any_kind(store: Store) -> None:
    body = bytes(range(256)) * 40
    store.append([entry(A, 1, body)], [shot(A, 1)])
    assert store.history(A)[0].body == body


# SQLite only: it survives


def test_everything_is_there_after_opening_the_file_again(tmp_path: Path, durability: Durability) -> None:
    first = SqliteStore(tmp_path / "q.db", durability)
    first.append([entry(A, 1)], [shot(A, 1)])
    first.append([entry(A, 2), entry(A, 3)], [])
    secret = first.secret()
    first.close()
    second = SqliteStore(tmp_path / "q.db", durability)
    assert second.secret() == secret
    assert [record.version for record in second.history(A)] == [1, 2, 3]
    second.append([entry(A, 4)], [])
    assert [record.version for record in second.history(A)] == [1, 2, 3, 4]
    second.close()


def test_rooms_closed_before_there_were_archives_wait_for_one(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "q.db")
    first.append([entry(A, 1), entry(B, 1)], [shot(A, 1, live=False), shot(B, 1)])
    first.close()
    with sqlite3.connect(tmp_path / "q.db") as file:
        file.execute("drop table closed")
    file.close()
    second = SqliteStore(tmp_path / "q.db")
    assert list(second.closed(10)) == [A]
    second.mark_archived(A)
    second.close()
    third = SqliteStore(tmp_path / "q.db")
    assert list(third.closed(10)) == []
    third.close()


def test_heads_are_found_again_after_a_crash_on_either_side_of_a_check_point(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "q.db")
    store.append([entry(A, 1), entry(B, 1)], [shot(A, 1), shot(B, 1)])
    version = 1
    for _ in range(3):
        batch = [entry(A, version + step) for step in range(1, CHECKPOINT_EVERY // 2)]
        version += len(batch)
        store.append(batch, [])
    store.append([entry(B, 2)], [])
    with open_book(tmp_path / "q.db") as book:
        assert book.checkpoint > 0
        assert book.head(A)[0] == version
        assert book.head(B)[0] == 2
        assert len(book.chain(A, 0)) == version
    store.close()


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "q.db")
    with pytest.raises(StoreLocked, match="in use by another server"):
        SqliteStore(tmp_path / "q.db")
    first.close()
    SqliteStore(tmp_path / "q.db").close()


def test_a_file_of_another_schema_is_refused(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "q.db").close()
    with sqlite3.connect(tmp_path / "q.db") as other:
        other.execute("update meta set value = 99 where key = 'schema'")
    other.close()
    with pytest.raises(StoreError, match="schema 99"):
        SqliteStore(tmp_path / "q.db")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "q.db")


def test_a_batch_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "q.db")
    store.append([entry(A, 1)], [shot(A, 1)])
    other = sqlite3.connect(tmp_path / "q.db")
    other.execute("create trigger full before insert on journal begin select raise(abort, 'disk full'); end")
    other.commit()
    with pytest.raises(StoreError, match="disk full"):
        store.append([entry(A, 2), entry(B, 1)], [shot(B, 1)])
    assert store.load(B) is None
    other.execute("drop trigger full")
    other.commit()
    other.close()
    store.append([entry(A, 2)], [])
    assert [record.version for record in store.history(A)] == [1, 2]
    store.close()


def test_a_code_that_is_free_again_does_not_stand_in_the_way_of_the_room_that_had_it(store: Store) -> None:
    store.append([entry(A, 1)], [Snapshot(A, 1, live=True, body=b"a", code="1234")])
    # As it is moved from another store: already closed, and waiting for the archive.
    store.append([entry(B, 1), entry(B, 2)], [Snapshot(B, 2, live=False, body=b"b", code="1234")])
    assert list(store.open_rooms()) == [A]
    assert list(store.closed(9)) == [B]


def test_in_redis_a_code_leads_to_the_living_room_only(redis: RedisServer, tmp_path: Path) -> None:
    store = STORES["redis"](redis.address, tmp_path, "process")
    raw = client.Redis.from_url(redis.address)
    store.append([entry(A, 1)], [Snapshot(A, 1, live=True, body=b"a", code="1234")])
    store.append([entry(B, 1)], [Snapshot(B, 1, live=False, body=b"b", code="1234")])
    assert raw.hgetall("qipai:codes") == {b"1234": b"a"}
    store.append([entry(A, 2)], [Snapshot(A, 2, live=False, body=b"a", code="1234")])
    assert raw.hgetall("qipai:codes") == {}
    raw.flushall()
    raw.close()
    store.close()
