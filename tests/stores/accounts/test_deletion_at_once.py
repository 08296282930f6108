"""An account is deleted while something of it is stored: nothing of the person is left."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore, PasskeyTaken
from qipai.hall.relations.relation_interface import NoSuchAccount, Privacy
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts import account_tables
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.accounts.account_tables import PERSON_COLUMNS
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.moderation import moderation_tables
from tests.stores.accounts.account_rows import ADA, BO, KEY, PHONE, TOKEN, Clock

postgresql_only = pytest.mark.parametrize("place", ["postgresql"], indirect=True)


def connect(url: str, *, autocommit: bool = False) -> Any:
    import psycopg

    return psycopg.connect(url, autocommit=autocommit)


@pytest.fixture
def other(place: tuple[Path | None, str], store: AccountStore) -> Iterator[Any]:
    """Return a transaction of another worker, in a database with an account."""
    store.register(ADA, "hash", [b"c1"])
    store.register(BO, "hash", [])
    with connect(place[1]) as connection:
        yield connection


def set_recovery_keys(store: AccountStore) -> None:
    store.set_recovery_keys(ADA.person, [b"c2"])


def start_session(store: AccountStore) -> None:
    store.start_session(PHONE)


def add_passkey(store: AccountStore) -> None:
    try:
        store.add_passkey(replace(KEY, id=b"i2"), b"h1", Millis(9_000))
    except PasskeyTaken:
        return


def be_followed(store: AccountStore) -> None:
    relate(store.relations.follow)


def be_blocked(store: AccountStore) -> None:
    relate(store.relations.block)


def relate(write: Callable[[Person, Person], None]) -> None:
    with contextlib.suppress(NoSuchAccount):
        write(BO.person, ADA.person)


def be_invisible(store: AccountStore) -> None:
    store.relations.set_privacy(ADA.person, Privacy(invisible=True))


def add_api_token(store: AccountStore) -> None:
    store.api_tokens.add(TOKEN, 10)


def make_bot(store: AccountStore) -> None:
    store.api_tokens.make_bot(ADA.person, Millis(5_000))


Write = Callable[[AccountStore], None]
writes = pytest.mark.parametrize(
    "write",
    [
        set_recovery_keys,
        start_session,
        add_passkey,
        be_followed,
        be_blocked,
        be_invisible,
        add_api_token,
        make_bot,
    ],
)


PERSON_WORDS = {"person", "followed", "blocked", "by_person", "about", "assigned"}
WITHOUT_THE_NAME = {
    "deleted_persons",
    "account_changes",
    "operator_log",
    "sanctions",
    "reports",
    "report_persons",
    "invitations",
}
"""Tables that keep a person id; deletion replaces the names in those of moderation."""


def test_every_table_with_persons_is_cleared_or_known_to_keep_no_name(tmp_path: Path) -> None:
    with closing(open_archive(tmp_path, "")) as archive:
        archive.check()
    with closing(open_accounts(tmp_path, "", Clock())) as store:
        assert store.is_empty()
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as database:
        names = [name for (name,) in database.execute("select name from sqlite_master where type = 'table'")]
        columns = {
            (table, str(row[1]))
            for table in names
            if table in (*account_tables.NAMES, *moderation_tables.NAMES)
            for row in database.execute(f"pragma table_info({table})")
        }
    persons = {(table, column) for table, column in columns if column in PERSON_WORDS}
    assert persons >= set(PERSON_COLUMNS)
    assert {table for table, _ in persons - set(PERSON_COLUMNS)} <= WITHOUT_THE_NAME


@writes
def test_nothing_is_stored_of_a_deleted_account(store: AccountStore, write: Write) -> None:
    store.register(ADA, "hash", [b"c1"])
    store.register(BO, "hash", [])
    store.delete_account(ADA.person, Millis(9_000))
    write(store)
    assert list(store.relations.followed(BO.person)) == list(store.relations.blocked(BO.person)) == []
    assert store.relations.all_known() == {}
    assert store.recovery_keys_left(ADA.person) == 0
    assert store.sessions(ADA.person, Millis(0)) == []
    assert store.passkeys(ADA.person) == []
    assert store.api_tokens.of(ADA.person, Millis(0)) == []
    assert store.account(ADA.person) is None


@writes
@postgresql_only
def test_nothing_is_stored_of_an_account_whose_deletion_is_running(
    place: tuple[Path | None, str], store: AccountStore, other: Any, write: Write
) -> None:
    for table, column in PERSON_COLUMNS:
        other.execute(f"delete from {table} where {column} = %s".encode(), (ADA.person,))
    with ThreadPoolExecutor() as threads:
        commit_once_it_waits(other, place[1], threads.submit(write, store))
    assert rows_left(other) == 0


@postgresql_only
def test_a_deletion_waits_for_what_is_being_stored(
    place: tuple[Path | None, str], store: AccountStore, other: Any
) -> None:
    other.execute("update accounts set person = person where person = 'p1'")
    other.execute("insert into sessions values ('k1', 'd1', 'p1', 'Phone', 1000, 1000, 9000)")
    other.execute("insert into recovery_keys values ('p1', 'c2')")
    with ThreadPoolExecutor() as threads:
        deletion = threads.submit(store.delete_account, ADA.person, Millis(9_000))
        commit_once_it_waits(other, place[1], deletion)
    assert rows_left(other) == 0


def commit_once_it_waits(other: Any, url: str, work: Future[None]) -> None:
    """Commit the transaction once the work waits for a lock, or is done."""
    waiting = (
        b"select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )
    with connect(url, autocommit=True) as watch:
        while not work.done() and not watch.execute(waiting).fetchall():
            wait([work], 0.01)
    other.commit()
    work.result()


def rows_left(other: Any) -> int:
    """Return how many rows a person has."""
    counts = [
        other.execute(f"select count(*) from {table} where {column} = %s".encode(), (ADA.person,)).fetchall()
        for table, column in PERSON_COLUMNS
    ]
    return sum(int(rows[0][0]) for rows in counts)
