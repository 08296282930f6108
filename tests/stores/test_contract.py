"""One contract for every store of the registry."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.store_interface import Conflict, Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.sqlite_reader import open_journal
from qipai.stores.sqlite_schema import SCHEMA
from qipai.stores.sqlite_store import CHECKPOINT_RECORDS, Durability, SqliteStore, StoreLocked
from qipai.stores.store_registry import STORES
from tests.support.redis import RedisServer

A, B = RoomId("a"), RoomId("b")


def entry(room: RoomId, version: int, body: bytes = b"{}") -> Entry:
    return Entry(room, version, Millis(1000 + version), body)


def snapshot_of(room: RoomId, version: int, *, live: bool = True) -> Snapshot:
    return Snapshot(room, version, live, f"{room}{version}".encode())


CASES = [(name, durability) for name, kind in STORES.items() for durability in kind.durabilities]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture(params=CASES, ids=["-".join(case) for case in CASES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """Return an empty store; one that is named by a URL needs a fixture of its name with an `address`."""
    name, durability = request.param
    kind = STORES[name]
    setting = request.getfixturevalue(name).address if kind.schemes else name
    opened = kind.open(setting, tmp_path, durability)
    yield opened
    if name == "redis":
        client.Redis.from_url(setting).flushall()
    opened.close()


@pytest.fixture(params=["process", "power"])
def durability(request: pytest.FixtureRequest) -> Durability:
    return "power" if request.param == "power" else "process"


def test_a_room_that_was_never_opened_does_not_exist(store: Store) -> None:
    assert store.load(A) is None
    assert list(store.history(A)) == []
    assert list(store.open_rooms()) == []


def test_a_room_that_was_never_opened_has_no_snapshot(store: Store) -> None:
    assert store.snapshot(A) is None


def test_a_room_is_its_last_snapshot_and_the_records_after_it(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [snapshot_of(A, 1), snapshot_of(B, 1)])
    store.append([entry(A, 2), entry(A, 3)], [])
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot == snapshot_of(A, 1)
    assert list(saved.tail) == [entry(A, 2), entry(A, 3)]
    store.append([entry(A, 4), entry(A, 5)], [snapshot_of(A, 4)])
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot.version == 4
    assert store.snapshot(A) == saved.snapshot
    assert list(saved.tail) == [entry(A, 5)]
    assert [record.version for record in store.history(A)] == [1, 2, 3, 4, 5]
    assert [record.version for record in store.history(A, after=3)] == [4, 5]
    assert list(store.history(A, after=5)) == []
    assert list(store.history(B)) == [entry(B, 1)]


@pytest.mark.parametrize("version", [1, 3, 0, -1])
def test_a_record_whose_version_is_not_the_next_one_is_a_conflict(store: Store, version: int) -> None:
    store.append([entry(A, 1)], [snapshot_of(A, 1)])
    with pytest.raises(Conflict) as conflict:
        store.append([entry(A, version)], [snapshot_of(A, version)])
    assert conflict.value.rooms == {A}
    assert len(store.history(A)) == 1
    saved = store.load(A)
    assert saved is not None
    assert saved.snapshot == snapshot_of(A, 1)
    store.append([entry(A, 2)], [])
    assert len(store.history(A)) == 2


def test_a_conflict_rejects_all_records_of_its_room_and_none_of_another(store: Store) -> None:
    rooms = [RoomId(name) for name in "abcd"]
    store.append([entry(room, 1) for room in rooms], [snapshot_of(room, 1) for room in rooms])
    store.append([entry(A, 2)], [])
    store.append([entry(rooms[2], 2)], [])
    batch = [entry(room, version) for version in (2, 3) for room in rooms]
    with pytest.raises(Conflict) as conflict:
        store.append(batch, [snapshot_of(A, 3), snapshot_of(B, 3)])
    assert conflict.value.rooms == {A, rooms[2]}
    assert [len(store.history(room)) for room in rooms] == [2, 3, 2, 3]
    assert [saved.snapshot.version for saved in map(store.load, rooms[:2]) if saved] == [1, 3]


def test_a_gap_within_a_batch_is_a_conflict(store: Store) -> None:
    store.append([entry(A, 1)], [snapshot_of(A, 1)])
    with pytest.raises(Conflict):
        store.append([entry(A, 2), entry(A, 4)], [])
    with pytest.raises(Conflict):
        store.append([entry(A, 3), entry(A, 2)], [])
    assert len(store.history(A)) == 1


def test_a_closed_room_is_not_open_but_keeps_its_history(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [snapshot_of(A, 1), snapshot_of(B, 1)])
    assert sorted(store.open_rooms()) == [A, B]
    store.append([entry(A, 2)], [snapshot_of(A, 2, live=False)])
    assert list(store.open_rooms()) == [B]
    assert [record.version for record in store.history(A)] == [1, 2]
    with pytest.raises(Conflict):
        store.append([entry(A, 2)], [])


def test_a_closed_room_is_unarchived_until_it_is_marked_as_archived(store: Store) -> None:
    store.append([entry(A, 1), entry(B, 1)], [snapshot_of(A, 1), snapshot_of(B, 1)])
    assert list(store.closed(10)) == []
    assert store.unarchived_count() == 0
    store.append([entry(A, 2), entry(B, 2)], [snapshot_of(A, 2, live=False), snapshot_of(B, 2, live=False)])
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


def test_an_open_room_cannot_be_marked_as_archived(store: Store) -> None:
    store.append([entry(A, 1)], [snapshot_of(A, 1)])
    store.mark_archived(A)
    assert list(store.open_rooms()) == [A]
    assert len(store.history(A)) == 1


def test_the_last_heartbeat_never_goes_back(store: Store) -> None:
    store.append([entry(A, 1)], [snapshot_of(A, 1)])
    assert store.last_heartbeat() >= 1001
    store.heartbeat(Millis(5000))
    # With durability "power" only the times of records count: a heartbeat would flush the disk.
    expected = 1001 if isinstance(store, SqliteStore) and store.slow else 5000
    assert store.last_heartbeat() == expected
    store.append([entry(A, 2)], [])
    assert store.last_heartbeat() in {expected, 1002}


def test_the_secret_does_not_change(store: Store) -> None:
    assert len(store.secret()) == 32
    assert store.secret() == store.secret()


def test_the_secret_of_another_store_can_be_imported(store: Store) -> None:
    store.secret()
    store.import_secret(bytes(range(32)))
    assert store.secret() == bytes(range(32))


def test_a_body_may_be_any_bytes(store: Store) -> None:
    body = bytes(range(256)) * 40
    store.append([entry(A, 1, body)], [snapshot_of(A, 1)])
    assert store.history(A)[0].body == body


# SQLite only


def test_a_reopened_file_has_all_rooms_and_the_secret(tmp_path: Path, durability: Durability) -> None:
    first = SqliteStore(tmp_path / "q.db", durability)
    first.append([entry(A, 1)], [snapshot_of(A, 1)])
    first.append([entry(A, 2), entry(A, 3)], [])
    secret = first.secret()
    first.close()
    second = SqliteStore(tmp_path / "q.db", durability)
    assert second.secret() == secret
    assert [record.version for record in second.history(A)] == [1, 2, 3]
    second.append([entry(A, 4)], [])
    assert [record.version for record in second.history(A)] == [1, 2, 3, 4]
    second.close()


def test_a_reader_finds_the_last_versions_before_and_after_a_check_point(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "q.db")
    store.append([entry(A, 1), entry(B, 1)], [snapshot_of(A, 1), snapshot_of(B, 1)])
    version = 1
    for _ in range(3):
        batch = [entry(A, version + step) for step in range(1, CHECKPOINT_RECORDS // 2)]
        version += len(batch)
        store.append(batch, [])
    store.append([entry(B, 2)], [])
    with open_journal(tmp_path / "q.db") as reader:
        assert reader.checkpoint > 0
        assert reader.head(A)[0] == version
        assert reader.head(B)[0] == 2
        assert len(reader.history(A)) == version
    store.close()


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    first = SqliteStore(tmp_path / "q.db")
    with pytest.raises(StoreLocked, match="in use by another server"):
        SqliteStore(tmp_path / "q.db")
    first.close()
    SqliteStore(tmp_path / "q.db").close()


@pytest.mark.parametrize("schema", [SCHEMA.oldest - 1, 99])
def test_a_file_of_another_schema_is_refused_and_not_changed(tmp_path: Path, schema: int) -> None:
    file = sqlite3.connect(tmp_path / "q.db")
    file.execute("create table meta (key text primary key, value) without rowid")
    file.execute("insert into meta values ('schema', ?)", (schema,))
    file.commit()
    with pytest.raises(
        StoreError,
        match=f"has schema {schema}; this server reads schemas 3 to {SCHEMA.number}: .* release wrote",
    ):
        SqliteStore(tmp_path / "q.db")
    assert file.execute("select name from sqlite_master where type = 'table'").fetchall() == [("meta",)]
    file.close()


@pytest.mark.parametrize("schema", [SCHEMA.oldest - 1, 99])
def test_commands_do_not_read_a_file_of_another_schema(tmp_path: Path, schema: int) -> None:
    SqliteStore(tmp_path / "q.db").close()
    file = sqlite3.connect(tmp_path / "q.db")
    file.execute("update meta set value = ? where key = 'schema'", (schema,))
    file.commit()
    file.close()
    with pytest.raises(StoreError, match=f"has schema {schema}; "), open_journal(tmp_path / "q.db"):
        pass


def test_a_redis_of_an_earlier_or_newer_release_is_refused_and_not_changed(
    redis: RedisServer, tmp_path: Path
) -> None:
    admin = client.Redis.from_url(redis.address)
    earlier = {"qipai:secret": b"s" * 32}
    newer = earlier | {"qipai:schema": b"99"}
    for keys, schema in ((earlier, SCHEMA.oldest - 1), (newer, 99)):
        admin.flushall()
        admin.mset(keys)
        with pytest.raises(
            StoreError,
            match=f"Redis has schema {schema}; this server reads schemas {SCHEMA.oldest} to {SCHEMA.number}",
        ):
            STORES["redis"].open(redis.address, tmp_path, "process")
        assert {name: admin.get(name) for name in keys} == keys
        assert admin.dbsize() == len(keys)
    admin.flushall()
    admin.close()


@pytest.mark.parametrize("imported", [False, True])
def test_a_redis_that_a_server_has_used_is_opened_again(
    redis: RedisServer, tmp_path: Path, *, imported: bool
) -> None:
    admin = client.Redis.from_url(redis.address)
    admin.flushall()
    store = STORES["redis"].open(redis.address, tmp_path, "process")
    if imported:
        store.import_secret(b"s" * 32)
    else:
        store.secret()
    assert admin.get("qipai:schema") == str(SCHEMA.number).encode()
    STORES["redis"].open(redis.address, tmp_path, "process").close()
    store.close()
    admin.flushall()
    admin.close()


def test_a_file_that_is_not_a_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "q.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StoreError):
        SqliteStore(tmp_path / "q.db")


def test_a_batch_that_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "q.db")
    store.append([entry(A, 1)], [snapshot_of(A, 1)])
    other = sqlite3.connect(tmp_path / "q.db")
    other.execute("create trigger full before insert on journal begin select raise(abort, 'disk full'); end")
    other.commit()
    with pytest.raises(StoreError, match="disk full"):
        store.append([entry(A, 2), entry(B, 1)], [snapshot_of(B, 1)])
    assert store.load(B) is None
    other.execute("drop trigger full")
    other.commit()
    other.close()
    store.append([entry(A, 2)], [])
    assert [record.version for record in store.history(A)] == [1, 2]
    store.close()


def test_a_closed_room_may_be_imported_though_an_open_room_has_its_code(store: Store) -> None:
    store.append([entry(A, 1)], [Snapshot(A, 1, live=True, body=b"a", code="1234")])
    # As imported from another store: closed and not archived.
    store.append([entry(B, 1), entry(B, 2)], [Snapshot(B, 2, live=False, body=b"b", code="1234")])
    assert list(store.open_rooms()) == [A]
    assert list(store.closed(9)) == [B]


def test_in_redis_a_code_belongs_to_the_open_room_only(redis: RedisServer, tmp_path: Path) -> None:
    store = STORES["redis"].open(redis.address, tmp_path, "process")
    admin = client.Redis.from_url(redis.address)
    store.append([entry(A, 1)], [Snapshot(A, 1, live=True, body=b"a", code="1234")])
    store.append([entry(B, 1)], [Snapshot(B, 1, live=False, body=b"b", code="1234")])
    assert admin.hgetall("qipai:codes") == {b"1234": b"a"}
    store.append([entry(A, 2)], [Snapshot(A, 2, live=False, body=b"a", code="1234")])
    assert admin.hgetall("qipai:codes") == {}
    admin.flushall()
    admin.close()
    store.close()
