"""Damage of one row is noticed by its checksum, in every store and archive, and concerns no other row."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis as client
from structlog.testing import capture_logs

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, PackedMatch
from qipai.hall.journal.store_interface import Damaged, Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives import sqlite_archive
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.redis.redis_store import RedisStore
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.redis import RedisServer

A, B, C = RoomId("a"), RoomId("b"), RoomId("c")


def entry(room: RoomId, version: int) -> Entry:
    return Entry(room, version, Millis(1000 + version), b'{"do":"say","text":"%d"}' % version)


def write_rooms(store: Store) -> None:
    """Write three rooms: the first has two records after its snapshot, the others one."""
    for room in (A, B, C):
        store.append([entry(room, 1)], [Snapshot(room, 1, True, b"snapshot of " + room.encode())])
    store.append([entry(A, 2), entry(B, 2)], [])
    store.append([entry(A, 3), entry(C, 2)], [])


def damaged_rooms(store: Store) -> set[RoomId]:
    found = {*store.quarantined()}
    for room in store.open_rooms():
        try:
            saved = store.load(room)
            assert saved is not None
            assert saved.snapshot.body == b"snapshot of " + room.encode()
            assert [each.version for each in saved.tail] == ([2, 3] if room == A else [2])
        except Damaged:
            found.add(room)
    return found


CHANGES = {
    "a record": (
        "update journal set records = replace(records, '\"2\"', '\"7\"') where group_id = 4",
        {A, B},
    ),
    "the time of a group": ("update journal set written_at = written_at + 1 where group_id = 5", {A, C}),
    "a group is missing": ("delete from journal where group_id = 4", {A, B}),
    "a snapshot": ("update rooms set snapshot = replace(snapshot, 'of', 'at') where room = 'b'", {B}),
    "the version of a snapshot": ("update rooms set snapshot_version = 0 where room = 'b'", {B}),
    "the last group": ("update rooms set last_group = 1 where room = 'a'", {A}),
    "the last version": ("update rooms set version = 1 where room = 'a'", {A}),
    "a row of another room": (
        """update rooms set (snapshot, snapshot_checksum) = (select snapshot, snapshot_checksum from rooms
            where room = 'c') where room = 'b'""",
        {B},
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_damaged_row_sets_aside_exactly_the_rooms_that_need_it(tmp_path: Path, change: str) -> None:
    sql, damaged = CHANGES[change]
    store = SqliteStore(tmp_path / "q.db")
    write_rooms(store)
    store.close()
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        assert file.execute(sql).rowcount == 1
        file.commit()
    for _ in range(2):  # Also after a check point of this server.
        with closing(SqliteStore(tmp_path / "q.db")) as store:
            assert damaged_rooms(store) == damaged
            store.append([entry(RoomId(f"d{store.last_heartbeat()}"), 1)], [])


def test_after_a_crash_a_lost_group_sets_aside_the_rooms_whose_last_steps_it_may_have(
    tmp_path: Path,
) -> None:
    store = SqliteStore(tmp_path / "q.db")
    write_rooms(store)
    crashed = tmp_path / "crashed.db"
    for suffix in ("", "-wal"):
        Path(f"{crashed}{suffix}").write_bytes(Path(f"{tmp_path / 'q.db'}{suffix}").read_bytes())
    store.close()
    with closing(sqlite3.connect(crashed)) as file:
        file.execute("update journal set written_at = 0 where group_id = 4")
        file.commit()
    for _ in range(2):
        with closing(SqliteStore(crashed)) as store:
            # The group after the lost one has a record of c: nothing of c is missing.
            assert damaged_rooms(store) == {A, B}


def crashed_copy(folder: Path) -> tuple[Path, bytes]:
    """Return a journal as a crash leaves it, and its write-ahead log."""
    store = SqliteStore(folder / "q.db")
    write_rooms(store)
    crashed = folder / "crashed.db"
    for suffix in ("", "-wal", "-shm"):
        Path(f"{crashed}{suffix}").write_bytes(Path(f"{folder / 'q.db'}{suffix}").read_bytes())
    store.close()
    return crashed, Path(f"{crashed}-wal").read_bytes()


FRAME = 24 + 4096


def test_no_damaged_frame_of_a_write_ahead_log_takes_a_table_back(tmp_path: Path) -> None:
    crashed, log = crashed_copy(tmp_path)
    body, index = crashed.read_bytes(), Path(f"{crashed}-shm").read_bytes()
    places = [5, 17, 30]  # In the header of the log.
    for count, start in enumerate(range(32, len(log), FRAME)):
        places += [start + (9, 20, 2, 7)[count % 4], start + FRAME - 40]
    assert len(places) > 20
    for place in places:
        changed = bytearray(log)
        changed[place] ^= 1
        for suffix, content in (("", body), ("-wal", bytes(changed)), ("-shm", index)):
            Path(f"{crashed}{suffix}").write_bytes(content)
        with pytest.raises(StoreError, match="is damaged"):
            SqliteStore(crashed, update_schema=False)
        with capture_logs() as lines, closing(SqliteStore(crashed)) as store:
            damaged_rooms(store)  # Compares those that are served.
            assert {*store.open_rooms(), *store.quarantined()} == {A, B, C}, place
        assert [line["event"] for line in lines if line["event"] != "signing key lost"] == [
            "journal repaired"
        ]


def test_a_write_ahead_log_with_a_part_of_a_transaction_is_sound(tmp_path: Path) -> None:
    """A server that is killed may have written some frames, and half of the last one."""
    crashed, log = crashed_copy(tmp_path)
    unfinished = log[32 : 32 + FRAME // 2] + bytes(FRAME // 2)
    half = unfinished[:8] + log[16:24] + unfinished[16:]  # Right salts, wrong checksum.
    Path(f"{crashed}-wal").write_bytes(log + half)
    with capture_logs() as lines, closing(SqliteStore(crashed)) as store:
        assert damaged_rooms(store) == set()
    assert lines == []


def test_a_write_ahead_log_without_its_end_is_reported(tmp_path: Path) -> None:
    crashed, log = crashed_copy(tmp_path)
    Path(f"{crashed}-wal").write_bytes(log[: -3 * FRAME])
    with capture_logs() as lines, closing(SqliteStore(crashed)):
        pass
    assert [line["event"] for line in lines] == ["journal cut short"]


@pytest.mark.parametrize("time", ["written_at + 1000000000000", "'noon'"])
def test_a_damaged_time_of_a_group_is_no_heartbeat(tmp_path: Path, time: str) -> None:
    store = SqliteStore(tmp_path / "q.db")
    write_rooms(store)
    store.heartbeat(Millis(2_000))
    store.append([entry(A, 4)], [])
    store.close()
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        assert file.execute(f"update journal set written_at = {time} where group_id = 6").rowcount == 1
        file.commit()
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        assert store.last_heartbeat() == 2_000


@pytest.mark.parametrize("table", ["meta", "meta_copy"])
def test_the_signing_key_survives_damage_of_one_of_its_copies(tmp_path: Path, table: str) -> None:
    store = SqliteStore(tmp_path / "q.db")
    secret = store.secret()
    store.close()
    with closing(sqlite3.connect(tmp_path / "q.db")) as file:
        file.execute(f"update {table} set value = ? where key = 'secret'", (b"x" * 32,))
        file.commit()
    with closing(SqliteStore(tmp_path / "q.db")) as store:
        assert store.secret() == secret


def test_a_journal_with_damaged_pages_is_rebuilt_and_the_damaged_file_is_kept(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    store = SqliteStore(path)
    secret = store.secret()
    write_rooms(store)
    store.set_outage(Millis(900))
    store.close()
    body = bytearray(path.read_bytes())
    body[100:4096] = bytes(3996)  # The list of all tables of the database.
    path.write_bytes(body)
    with pytest.raises(
        StoreError, match=r"is damaged \(.*\): start the server, which sets the damaged tables"
    ):
        SqliteStore(path, update_schema=False)
    with capture_logs() as lines, closing(SqliteStore(path)) as store:
        assert damaged_rooms(store) == set()
        assert sorted(store.open_rooms()) == [A, B, C]
        assert store.secret() == secret
        assert store.outage() == 900, "rooms that were not loaded are not charged for it"
    ((event, kept),) = [(line["event"], Path(line["damaged_file"])) for line in lines]
    assert event == "journal repaired"
    assert kept.read_bytes() == bytes(body)


@pytest.mark.parametrize("version", [3, 255])
def test_a_header_that_forbids_to_write_is_damage(tmp_path: Path, version: int) -> None:
    path = tmp_path / JOURNAL_FILE
    store = SqliteStore(path)
    secret = store.secret()
    write_rooms(store)
    store.close()
    body = bytearray(path.read_bytes())
    body[18] = version
    path.write_bytes(body)
    with capture_logs() as lines, closing(SqliteStore(path)) as store:
        assert damaged_rooms(store) == set()
        assert sorted(store.open_rooms()) == [A, B, C]
        assert store.secret() == secret
    assert [line["event"] for line in lines] == ["journal repaired"]


# Redis


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.mark.parametrize(("field", "text"), [("body", "0"), ("version", "0"), ("live", "0"), ("sum", "x")])
def test_a_damaged_snapshot_in_redis_is_noticed(redis: RedisServer, field: str, text: str) -> None:
    with closing(client.Redis.from_url(redis.address)) as admin, closing(RedisStore(redis.address)) as store:
        admin.flushall()
        write_rooms(store)
        assert admin.hset("qipai:room:b", field, text) == 0
        with pytest.raises(Damaged, match=r"b: (its snapshot|a number) is damaged"):
            store.load(B)
        assert store.load(A) is not None
        admin.flushall()


def test_a_damaged_record_in_redis_is_noticed(redis: RedisServer) -> None:
    admin: Any = client.Redis.from_url(redis.address)
    with closing(admin), closing(RedisStore(redis.address)) as store:
        admin.flushall()
        write_rooms(store)
        ((number, fields),) = admin.xrange("qipai:journal:b", "2-0", "2-0")
        admin.xdel("qipai:journal:b", number)
        admin.execute_command(
            "XADD", "qipai:journal:b", "3-0", "a", fields[b"a"], "b", fields[b"b"], "c", fields[b"c"]
        )
        for read in (store.load, store.history):
            with pytest.raises(Damaged, match="b: the record of version 3 is damaged"):
                read(B)
        assert len(store.history(A)) == 3
        admin.flushall()


# Archives

ENDED = [Millis(5_000 + number) for number in range(3)]


@pytest.fixture
def archive_file(tmp_path: Path) -> Path:
    with closing(open_archive(tmp_path, "")) as archive:
        for room, ended in zip((A, B, C), ENDED, strict=True):
            game = FinishedGame(
                room, 1, "chess", "", True, Millis(1), ended, ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 31
            )
            archive.store(room, [entry(room, 1)], [PackedMatch(game, ("p1",), b"body of " + room.encode())])
    return tmp_path / ARCHIVE_FILE


def change(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(sql).rowcount == 1
        connection.commit()


def test_a_damaged_match_is_not_shown_and_all_others_are(archive_file: Path) -> None:
    change(archive_file, "update archived_matches set body = 'other' where room = 'b'")
    change(archive_file, "update archived_rooms set history = x'00' where room = 'c'")
    with closing(open_archive(archive_file.parent, "")) as archive:
        with pytest.raises(Damaged, match="b 1: the archived match is damaged"):
            archive.match(B, 1)
        with pytest.raises(Damaged, match="c 0: the journal of the archived table is damaged"):
            archive.history(C)
        assert archive.match(A, 1) == b"body of a"
        assert archive.match(C, 1) == b"body of c"
        assert set(archive.damaged) == {(B, 1), (C, 0)}


@pytest.mark.parametrize(
    "column", ["summary = replace(summary, 'Ada', 'Eve')", "game = 'gomoku'", "ended = 4999"]
)
def test_a_damaged_listing_is_left_out_of_searches(archive_file: Path, column: str) -> None:
    change(archive_file, f"update finished_games set {column} where room = 'b'")
    with closing(open_archive(archive_file.parent, "")) as archive:
        assert {game.room for game in archive.search(GameFilter())} == {A, C}
        assert set(archive.damaged) == {(B, 1)}


def test_a_damaged_archive_is_read_in_full_once(archive_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reads = []

    def find_damage(connection: sqlite3.Connection) -> str:
        reads.append(connection)
        return "page 7"

    monkeypatch.setattr(sqlite_archive, "find_damage", find_damage)
    with closing(open_archive(archive_file.parent, "")) as archive:
        for _ in range(3):
            with pytest.raises(Damaged, match="is damaged: page 7"):
                archive.check()
    assert len(reads) == 1
