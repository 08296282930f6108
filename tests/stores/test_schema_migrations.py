"""A store or an archive of an earlier schema is migrated when a server opens it, with invented schemas."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import redis as client

from qipai.cli.doctor import doctor
from qipai.cli.journal_reader import CommandError, find_room
from qipai.hall.history.archive_interface import FinishedGame, GameFilter, PackedMatch
from qipai.hall.journal.store_interface import Entry, Snapshot, Store, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.settings import Settings
from qipai.stores import sqlite_schema
from qipai.stores.archives import archive_tables
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.redis import redis_store
from qipai.stores.redis.redis_store import RedisStore
from qipai.stores.schema_number import Schema
from qipai.stores.sql.sql_database import Query
from qipai.stores.sqlite_reader import open_journal
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.support.databases.postgres import postgres
from tests.support.redis import RedisServer

A = RoomId("a")
RECORD = Entry(A, 1, Millis(1), b"{}")
GAME = FinishedGame(
    A, 1, "chess", "club night", True, Millis(1_000), Millis(5_000),
    ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 31,
)  # fmt: skip
Migration = Callable[[Any], None]
SQLITE, REDIS = sqlite_schema.SCHEMA.number, redis_store.SCHEMA.number
ARCHIVE = archive_tables.SCHEMA.number


@pytest.mark.parametrize("schema", [sqlite_schema.SCHEMA, redis_store.SCHEMA, archive_tables.SCHEMA])
def test_every_schema_from_the_oldest_on_has_a_migration(schema: Schema[Any]) -> None:
    assert set(schema.migrations) == set(range(schema.oldest, schema.number))


def test_the_oldest_schemas_are_those_of_the_first_release_that_is_read_for_ever() -> None:
    oldest = (sqlite_schema.SCHEMA.oldest, redis_store.SCHEMA.oldest, archive_tables.SCHEMA.oldest)
    assert oldest == (3, 3, 2)


@pytest.mark.parametrize("found", [2, 6])
def test_a_schema_that_is_not_readable_is_refused_with_the_numbers_that_are(found: int) -> None:
    schema = Schema[None](5, 3)
    with pytest.raises(StoreError, match=f"^q.db has schema {found}; this server reads schemas 3 to 5: "):
        schema.is_earlier("q.db", found, update=True)


def write_closed_room(store: Store) -> None:
    store.append([RECORD], [Snapshot(A, 1, False, b"closed")])


def two_later(schema: Schema[Any], first: Migration, second: Migration) -> Schema[Any]:
    """Return the schema after two more migrations."""
    number = schema.number
    return Schema(number + 2, schema.oldest, {**schema.migrations, number: first, number + 1: second})


# SQLite: two schemas ago the table of rooms that are set aside had another name, and one ago another.


@pytest.fixture
def old_journal(tmp_path: Path) -> Path:
    path = tmp_path / JOURNAL_FILE
    store = SqliteStore(path)
    write_closed_room(store)
    store.close()
    with closing(sqlite3.connect(path)) as file:
        file.execute("alter table quarantined rename to finished")
        file.commit()
    return path


def patch_sqlite(monkeypatch: pytest.MonkeyPatch, first: Migration, second: Migration) -> int:
    schema = two_later(sqlite_schema.SCHEMA, first, second)
    monkeypatch.setattr(sqlite_schema, "SCHEMA", schema)
    return schema.number


def rename(old: str, new: str) -> Callable[[sqlite3.Connection], None]:
    def migrate(connection: sqlite3.Connection) -> None:
        connection.execute(f"alter table {old} rename to {new}")

    return migrate


def sqlite_state(path: Path) -> tuple[int, set[str]]:
    with closing(sqlite3.connect(path)) as file:
        (schema,) = file.execute("select value from meta where key = 'schema'").fetchone()
        tables = {name for (name,) in file.execute("select name from sqlite_master where type = 'table'")}
    return schema, tables & {"finished", "waiting", "quarantined"}


def test_a_journal_of_an_earlier_schema_is_migrated_once(
    old_journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = patch_sqlite(monkeypatch, rename("finished", "waiting"), rename("waiting", "quarantined"))
    for _ in range(2):  # A second migration would fail: it finds no such table.
        store = SqliteStore(old_journal)
        assert list(store.closed(9)) == [A]
        store.close()
        assert sqlite_state(old_journal) == (number, {"quarantined"})
    with open_journal(old_journal) as reader:
        assert len(reader.history(A)) == 1


def test_a_migration_of_a_journal_that_fails_changes_nothing(
    old_journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patch_sqlite(monkeypatch, rename("finished", "waiting"), rename("missing", "quarantined"))
    with pytest.raises(StoreError, match="no such table: missing"):
        SqliteStore(old_journal)
    assert sqlite_state(old_journal) == (SQLITE, {"finished"})


def assert_commands_refuse(
    settings: Settings, found: str, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Check that a reading command and `qipai doctor` say what must be done."""
    line = f"{found}, which an earlier release wrote: start the server once to update it to schema {number}"
    with pytest.raises(CommandError) as refused:
        find_room(settings, A)
    assert str(refused.value) == line
    doctor(settings)
    assert f"FAIL {line}\n" in capsys.readouterr().out


def test_commands_that_read_a_journal_say_that_a_server_must_update_it(
    old_journal: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    number = patch_sqlite(monkeypatch, rename("finished", "waiting"), rename("waiting", "quarantined"))
    settings = Settings(data=str(old_journal.parent), port=0)
    assert_commands_refuse(settings, f"{old_journal} has schema {SQLITE}", number, capsys)
    assert sqlite_state(old_journal) == (SQLITE, {"finished"})


def test_the_schema_is_checked_before_the_journal_is_read(tmp_path: Path) -> None:
    path = tmp_path / JOURNAL_FILE
    with closing(sqlite3.connect(path)) as file:
        file.execute("create table meta (key text primary key, value) without rowid")
        file.execute("insert into meta values ('schema', 99)")
        file.execute("create table journal (group_id integer primary key, records text)")
        file.execute("insert into journal values (1, 'not a group')")
        file.commit()
    with pytest.raises(StoreError, match=r"has schema 99; .* newer release wrote it"), open_journal(path):
        pass


# Redis: two schemas ago the set of rooms that wait for the archive had another name, and one ago another.


@pytest.fixture(scope="module")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        yield server


@pytest.fixture
def old_redis(redis_server: RedisServer) -> Iterator[tuple[str, Any]]:
    admin = client.Redis.from_url(redis_server.address)
    admin.flushall()
    store = RedisStore(redis_server.address)
    store.secret()
    write_closed_room(store)
    store.close()
    admin.rename("qipai:unarchived", "qipai:finished")
    yield redis_server.address, admin
    admin.flushall()
    admin.close()


def rename_key(old: str, new: str) -> Callable[[Any], None]:
    return lambda database: database.rename(f"qipai:{old}", f"qipai:{new}")


def patch_redis(monkeypatch: pytest.MonkeyPatch, first: Migration, second: Migration) -> int:
    schema = two_later(redis_store.SCHEMA, first, second)
    monkeypatch.setattr(redis_store, "SCHEMA", schema)
    return schema.number


def test_a_redis_of_an_earlier_schema_is_migrated_once(
    old_redis: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, admin = old_redis
    number = patch_redis(monkeypatch, rename_key("finished", "waiting"), rename_key("waiting", "unarchived"))
    for _ in range(2):  # A second migration would fail: it finds no such key.
        store = RedisStore(address)
        assert list(store.closed(9)) == [A]
        assert not store.migrating()
        store.close()
        assert int(admin.get("qipai:schema")) == number


def test_a_migration_of_redis_goes_on_where_it_was_interrupted(
    old_redis: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, admin = old_redis
    patch_redis(monkeypatch, rename_key("finished", "waiting"), rename_key("missing", "unarchived"))
    with pytest.raises(StoreError, match="no such key"):
        RedisStore(address)
    assert int(admin.get("qipai:schema")) == REDIS + 1
    assert not admin.exists("qipai:lock:migration")
    monkeypatch.undo()
    patch_redis(monkeypatch, rename_key("missing", "waiting"), rename_key("waiting", "unarchived"))
    store = RedisStore(address)
    assert list(store.closed(9)) == [A]
    store.close()


def test_redis_is_not_migrated_while_a_worker_or_another_migration_uses_it(
    old_redis: tuple[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    address, admin = old_redis
    seconds, _ = admin.time()
    admin.zadd("qipai:workers", {"w1": seconds * 1000 + 60_000})
    patch_redis(monkeypatch, rename_key("finished", "waiting"), rename_key("waiting", "unarchived"))
    with pytest.raises(StoreError, match="in use by 1 running worker: stop all of them"):
        RedisStore(address)
    admin.delete("qipai:workers")
    admin.set("qipai:lock:migration", "other")
    with pytest.raises(StoreError, match="an export, an import or an update already uses this Redis"):
        RedisStore(address)
    assert int(admin.get("qipai:schema")) == REDIS
    assert admin.exists("qipai:finished")


def test_commands_that_read_redis_say_that_a_server_must_update_it(
    old_redis: tuple[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    address, admin = old_redis
    number = patch_redis(monkeypatch, rename_key("finished", "waiting"), rename_key("waiting", "unarchived"))
    settings = Settings(data=str(tmp_path), store=address, port=0)
    assert_commands_refuse(settings, f"Redis has schema {REDIS}", number, capsys)
    assert int(admin.get("qipai:schema")) == REDIS


# Archives: two schemas ago the table of matches had another name, and one ago `comments` was missing.


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def old_archive(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, Callable[[str], list[Any]]]:
    """Return the URL of an archive of an earlier schema, and a function that runs a statement in it."""
    url = "" if request.param == "sqlite" else request.getfixturevalue("postgresql")

    def execute(sql: str) -> list[Any]:
        if not url:
            with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE, isolation_level=None)) as file:
                return file.execute(sql).fetchall()
        import psycopg

        with psycopg.connect(url, autocommit=True) as connection:
            result = connection.execute(sql.encode())
            return result.fetchall() if result.description else []

    if url:
        execute("drop schema public cascade")
        execute("create schema public")
    archive = open_archive(tmp_path, url)
    archive.store(A, [RECORD], [PackedMatch(GAME, ("p1",), b"body")])
    archive.close()
    execute("alter table archived_matches rename to matches")
    return url, execute


def rename_matches(query: Query) -> None:
    query("alter table matches rename to archived_matches", ())


def add_comments(query: Query) -> None:
    query("create table comments (room text primary key, body {bytes} not null, public {flag} not null)", ())
    query("insert into comments select room, body, ? from archived_matches", (True,))


def fail(query: Query) -> None:
    query("insert into missing values (1)", ())


def patch_archive(monkeypatch: pytest.MonkeyPatch, first: Migration, second: Migration) -> int:
    schema = two_later(archive_tables.SCHEMA, first, second)
    monkeypatch.setattr(archive_tables, "SCHEMA", schema)
    return schema.number


SCHEMA_QUERY = "select value from archive_meta where key = 'schema'"


def test_an_archive_of_an_earlier_schema_is_migrated_once(
    old_archive: tuple[str, Callable[[str], list[Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, execute = old_archive
    number = patch_archive(monkeypatch, rename_matches, add_comments)
    for _ in range(2):  # A second migration would fail: it finds no such table.
        archive = open_archive(tmp_path, url)
        assert list(archive.match_numbers(A)) == [1]
        assert list(archive.search(GameFilter())) == [GAME]
        archive.close()
        assert execute(SCHEMA_QUERY) == [(str(number),)]
    assert execute("select room, public from comments") == [(A, True)]


def test_a_migration_of_an_archive_that_fails_changes_nothing(
    old_archive: tuple[str, Callable[[str], list[Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, execute = old_archive
    patch_archive(monkeypatch, rename_matches, fail)
    with pytest.raises(StoreError, match="missing"):
        open_archive(tmp_path, url).check()
    assert execute(SCHEMA_QUERY) == [(str(ARCHIVE),)]
    assert execute("select room from matches") == [(A,)]


def test_commands_that_read_an_archive_say_that_a_server_must_update_it(
    old_archive: tuple[str, Callable[[str], list[Any]]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    url, execute = old_archive
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    number = patch_archive(monkeypatch, rename_matches, add_comments)
    settings = Settings(data=str(tmp_path), archive=url, port=0)
    line = f"start the server once to update it to schema {number}"
    with pytest.raises(CommandError, match=line) as refused:
        find_room(settings, A)
    assert "\n" not in str(refused.value)
    doctor(settings)
    assert line in capsys.readouterr().out
    assert execute(SCHEMA_QUERY) == [(str(ARCHIVE),)]
    assert execute("select room from matches") == [(A,)]
