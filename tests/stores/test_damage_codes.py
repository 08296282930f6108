"""Which errors of SQLite mean that a file is damaged, and which that it is locked or the disk is full."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.stores.sqlite_files import SIDE_FILES, reading, shows_damage, store_error
from qipai.stores.sqlite_store import SqliteStore

DAMAGE = {
    sqlite3.SQLITE_ERROR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_CORRUPT_INDEX,
    sqlite3.SQLITE_CORRUPT_SEQUENCE,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_TOOBIG,
    sqlite3.SQLITE_NOTADB,
}
OTHER_CAUSES = {
    sqlite3.SQLITE_INTERNAL,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_ABORT,
    sqlite3.SQLITE_ABORT_ROLLBACK,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_BUSY_RECOVERY,
    sqlite3.SQLITE_BUSY_SNAPSHOT,
    sqlite3.SQLITE_BUSY_TIMEOUT,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_LOCKED_SHAREDCACHE,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY_CANTINIT,
    sqlite3.SQLITE_READONLY_CANTLOCK,
    sqlite3.SQLITE_READONLY_DBMOVED,
    sqlite3.SQLITE_READONLY_DIRECTORY,
    sqlite3.SQLITE_READONLY_RECOVERY,
    sqlite3.SQLITE_READONLY_ROLLBACK,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_READ,
    sqlite3.SQLITE_IOERR_SHMMAP,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_NOTFOUND,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_CANTOPEN_ISDIR,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_EMPTY,
    sqlite3.SQLITE_SCHEMA,
    sqlite3.SQLITE_CONSTRAINT,
    sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_MISUSE,
    sqlite3.SQLITE_NOLFS,
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_RANGE,
    sqlite3.SQLITE_NOTICE,
    sqlite3.SQLITE_WARNING,
}


def test_every_primary_code_is_decided() -> None:
    assert {code & 0xFF for code in DAMAGE | OTHER_CAUSES} == set(range(1, 29))


@pytest.mark.parametrize("code", sorted(DAMAGE | OTHER_CAUSES))
def test_only_codes_that_are_known_to_mean_damage_do(code: int) -> None:
    error = sqlite3.OperationalError("an error")
    error.sqlite_errorcode = code
    assert shows_damage(error) is (code in DAMAGE)


def test_an_error_of_a_later_release_of_sqlite_is_no_damage() -> None:
    error = sqlite3.DatabaseError("an error")
    error.sqlite_errorcode = 29
    assert not shows_damage(error)


# As SQLite raises them


def fill(connection: sqlite3.Connection) -> None:
    connection.execute("pragma max_page_count = 3")
    connection.execute("insert into t values (2, randomblob(99999))")


def write_locked(connection: sqlite3.Connection) -> None:
    (_, _, path) = connection.execute("pragma database_list").fetchone()
    with closing(sqlite3.connect(path, isolation_level=None, timeout=0)) as other:
        connection.execute("begin immediate")
        other.execute("begin immediate")


def write_twice(connection: sqlite3.Connection) -> None:
    connection.execute("insert into t values (1, 'again')")


def use_closed(connection: sqlite3.Connection) -> None:
    connection.close()
    connection.execute("select * from t")


def write_moved(connection: sqlite3.Connection) -> None:
    (_, _, path) = connection.execute("pragma database_list").fetchone()
    Path(path).rename(f"{path}.moved")
    connection.execute("insert into t values (2, '')")


def read_too_long(connection: sqlite3.Connection) -> None:
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, 50)  # Some releases of SQLite take no limit below 30.
    connection.execute("select body from t").fetchall()


def read_unknown_column(connection: sqlite3.Connection) -> None:
    connection.execute("select missing from t")


@pytest.mark.parametrize(
    ("cause", "damage"),
    [
        (fill, False),
        (write_locked, False),
        (write_twice, False),
        (use_closed, False),
        (write_moved, False),
        (read_too_long, True),
        (read_unknown_column, True),
    ],
)
def test_the_cause_of_an_error_decides(
    tmp_path: Path, cause: Callable[[sqlite3.Connection], None], damage: bool
) -> None:
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("create table t (n integer primary key, body)")
        connection.execute("insert into t values (1, ?)", ("longer than fifty" * 6,))
        with pytest.raises(sqlite3.Error) as raised:
            cause(connection)
    assert shows_damage(raised.value) is damage
    assert isinstance(store_error(path, raised.value), Damaged) is damage


@pytest.mark.parametrize(("place", "value"), [(0, 77), (100, 1), (4096, 77)])
def test_a_damaged_page_is_named_with_its_file(tmp_path: Path, place: int, value: int) -> None:
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table t (n integer primary key, body)")
    body = bytearray(path.read_bytes())
    body[place] = value
    path.write_bytes(body)
    with pytest.raises(Damaged) as raised, reading(path) as connection:
        connection.execute("select * from t").fetchall()
    assert str(raised.value).startswith(f"{path}: is damaged: ")


@pytest.mark.parametrize("side", SIDE_FILES)
def test_a_file_beside_it_that_may_not_be_written_is_no_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: str
) -> None:
    path = tmp_path / "qipai.db"
    SqliteStore(path).close()
    beside = tmp_path / f"qipai.db{side}"
    beside.touch()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda file, mode: Path(file) != beside and allowed(file, mode))
    with pytest.raises(StoreError, match=f"{beside.name}: is not writable"):
        SqliteStore(path)
    assert not list(tmp_path.glob("*.damaged-*"))
