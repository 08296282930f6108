"""Links with which people sign in once, in SQLite and in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import (
    AccountStore,
    ChallengeUsed,
    NewProof,
    PasskeyTaken,
    SignInLink,
    SignInLinkUsed,
)
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, DESK, KEY, PHONE, Clock

LINK = SignInLink(b"l1", ADA.person, Millis(9_000))


@pytest.fixture
def ada(store: AccountStore) -> AccountStore:
    """Return a store with an account that has a password, a code, two devices and a link."""
    store.register(ADA, "hash", [b"c1"])
    store.start_session(PHONE)
    store.start_session(DESK)
    assert store.sign_in_links.issue(LINK)
    return store


def test_a_link_is_found_until_it_expires(ada: AccountStore) -> None:
    assert ada.sign_in_links.find(b"l1", Millis(8_999)) == ADA
    assert ada.sign_in_links.find(b"l1", Millis(9_000)) is None
    assert ada.sign_in_links.find(b"l2", Millis(1_000)) is None


def test_a_link_for_nobody_is_not_stored(store: AccountStore) -> None:
    assert not store.sign_in_links.issue(LINK)
    store.register(ADA, "hash", [])
    assert store.sign_in_links.find(b"l1", Millis(1_000)) is None


def test_a_later_link_replaces_the_former_one(ada: AccountStore) -> None:
    assert ada.sign_in_links.issue(replace(LINK, key=b"l2"))
    assert ada.sign_in_links.find(b"l1", Millis(1_000)) is None
    assert ada.sign_in_links.find(b"l2", Millis(1_000)) == ADA
    ada.register(BO, "other", [])
    assert ada.sign_in_links.issue(SignInLink(b"l3", BO.person, Millis(9_000)))
    assert ada.sign_in_links.find(b"l2", Millis(1_000)) == ADA


def test_a_link_sets_a_password_and_ends_everything_else(ada: AccountStore) -> None:
    before = len(ada.changes(0))
    ada.sign_in_links.use(b"l1", NewProof("new"), [b"c2", b"c3"])
    assert ada.find("ada") == (ADA, "new")
    assert ada.sessions(ADA.person, Millis(5_000)) == []
    assert not ada.use_recovery_key(ADA.person, b"c1")
    assert ada.recovery_keys_left(ADA.person) == 2
    assert [change.person for change in ada.changes(before)] == [ADA.person], "all workers must know"
    assert ada.sign_in_links.find(b"l1", Millis(1_000)) is None
    with pytest.raises(SignInLinkUsed):
        ada.sign_in_links.use(b"l1", NewProof("again"), [])
    assert ada.find("ada") == (ADA, "new")
    assert ada.recovery_keys_left(ADA.person) == 2


def test_a_link_adds_a_passkey_and_leaves_the_password(ada: AccountStore) -> None:
    ada.sign_in_links.use(b"l1", NewProof("", KEY, b"h1", Millis(9_000)), [b"c2"])
    assert ada.passkeys(ADA.person) == [KEY]
    assert ada.find("ada") == (ADA, "hash")
    assert ada.sessions(ADA.person, Millis(5_000)) == []


@pytest.mark.parametrize("wrong", ["challenge", "passkey"])
def test_a_link_whose_passkey_is_refused_stays_valid(ada: AccountStore, wrong: str) -> None:
    ada.register(BO, "", [], KEY)
    made = KEY if wrong == "passkey" else replace(KEY, id=b"i2")
    expires = Millis(9_000) if wrong == "passkey" else Millis(5_000)
    with pytest.raises(PasskeyTaken if wrong == "passkey" else ChallengeUsed):
        ada.sign_in_links.use(b"l1", NewProof("", replace(made, person=ADA.person), b"h1", expires), [])
    assert ada.sign_in_links.find(b"l1", Millis(1_000)) == ADA
    assert ada.recovery_keys_left(ADA.person) == 1
    assert len(ada.sessions(ADA.person, Millis(5_000))) == 2


def test_a_link_that_has_expired_is_of_no_use(ada: AccountStore, clock: Clock) -> None:
    clock.time = Millis(9_000)
    with pytest.raises(SignInLinkUsed):
        ada.sign_in_links.use(b"l1", NewProof("new"), [])
    assert ada.find("ada") == (ADA, "hash")
    ada.forget(Millis(9_000), Millis(0))
    clock.time = Millis(5_000)
    with pytest.raises(SignInLinkUsed):
        ada.sign_in_links.use(b"l1", NewProof("new"), [])


def test_of_many_who_use_one_link_at_once_one_succeeds(ada: AccountStore) -> None:
    def use(number: int) -> bool:
        try:
            ada.sign_in_links.use(b"l1", NewProof(f"hash {number}"), [b"c2"])
        except SignInLinkUsed:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(use, range(20))) == 1


def test_a_deleted_account_has_no_link(ada: AccountStore) -> None:
    ada.delete_account(ADA.person, Millis(9_000))
    assert ada.sign_in_links.find(b"l1", Millis(1_000)) is None
    with pytest.raises(SignInLinkUsed):
        ada.sign_in_links.use(b"l1", NewProof("new"), [])
    assert not ada.sign_in_links.issue(LINK)


SCHEMA_2: Final = """
    create table accounts (person text primary key, name text not null, skeleton text not null unique,
        created bigint not null, renamed bigint, password text not null);
    create table reserved_names (skeleton text primary key, until bigint not null);
    create table recovery_keys (person text not null, key blob not null, primary key (person, key));
    create table sessions (key blob primary key, id text not null, person text not null,
        device text not null, created bigint not null, used bigint not null, expires bigint not null);
    create table passkeys (id blob primary key, person text not null, public_key blob not null,
        sign_count bigint not null, device text not null, created bigint not null, used bigint not null);
    create table used_challenges (key blob primary key, expires bigint not null);
    create table deleted_persons (person text primary key);
    create table account_counter (last bigint not null);
    create table account_changes (number bigint primary key, person text not null, at bigint not null);
    create table account_schema (schema integer not null);
    insert into account_schema values (2);
    insert into account_counter values (1);
    insert into account_changes values (1, 'p1', 1000);
    insert into accounts values ('p1', 'Ada', 'ada', 1000, null, 'hash');
    insert into sessions values (x'6b31', 'd1', 'p1', 'Phone', 1000, 1000, 9000);
    insert into passkeys values (x'6931', 'p1', x'7075626c6963', 3, 'Phone', 1000, 1000);
    insert into deleted_persons values ('p9');
"""
"""A database of the time before links."""


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_a_database_without_links_is_migrated(place: tuple[Path | None, str], clock: Clock) -> None:
    _write(place, SCHEMA_2)
    with pytest.raises(StoreError, match="start the server once"), _opened(place, clock, update=False) as old:
        old.account(ADA.person)
    with closing(open_accounts(*place, clock)) as store:
        assert store.find("ada") == (ADA, "hash")
        assert store.session(b"k1", Millis(5_000)) == (PHONE, ADA)
        assert store.passkeys(ADA.person) == [KEY]
        assert store.deleted_persons() == ["p9"]
        assert store.sign_in_links.issue(LINK)
        assert store.sign_in_links.find(b"l1", Millis(1_000)) == ADA


def _opened(place: tuple[Path | None, str], clock: Clock, *, update: bool) -> "closing[AccountStore]":
    return closing(open_accounts(*place, clock, update=update))


def _write(place: tuple[Path | None, str], script: str) -> None:
    """Create a database of an earlier release."""
    folder, url = place
    if url:
        import psycopg

        with psycopg.connect(url) as connection:
            connection.execute(script.replace("blob", "bytea").replace("x'", "'\\x").encode())
        return
    import sqlite3

    assert folder is not None
    with closing(sqlite3.connect(folder / "archive.db")) as opened, opened:
        opened.executescript(script)
