"""Passkeys in SQLite and in PostgreSQL, and the databases of the time before them."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import (
    AccountStore,
    ChallengeUsed,
    LastWayToSignIn,
    PasskeyTaken,
)
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, KEY, PHONE, Clock


def test_passkeys_are_found_by_id_and_by_person(store: AccountStore) -> None:
    store.register(ADA, "", [], KEY)
    store.add_passkey(replace(KEY, id=b"i2", created=Millis(2_000)), b"h1", Millis(9_000))
    assert store.passkey(b"i1") == (KEY, ADA)
    assert store.passkey(b"i3") is None
    assert [each.id for each in store.passkeys(ADA.person)] == [b"i1", b"i2"]
    assert store.passkeys(BO.person) == []
    assert store.password_hash(ADA.person) == ""
    with pytest.raises(PasskeyTaken):
        store.register(BO, "", [], replace(KEY, person=BO.person))
    assert store.account(BO.person) is None
    with pytest.raises(PasskeyTaken):
        store.add_passkey(replace(KEY, id=b"i3", person=BO.person), b"h2", Millis(9_000))


def test_a_challenge_and_a_counter_are_used_once(store: AccountStore, clock: Clock) -> None:
    store.register(ADA, "", [], KEY)
    used = replace(KEY, sign_count=4, used=Millis(5_000))
    store.use_passkey(used, b"h1", Millis(9_000))
    assert store.passkey(b"i1") == (used, ADA)
    for again, challenge in ((replace(KEY, sign_count=5), b"h1"), (used, b"h2"), (KEY, b"h3")):
        with pytest.raises(ChallengeUsed):
            store.use_passkey(again, challenge, Millis(9_000))
    with pytest.raises(ChallengeUsed):
        store.add_passkey(replace(KEY, id=b"i2"), b"h1", Millis(9_000))
    assert store.passkeys(ADA.person) == [used]
    # A refused one is not stored as used, and those that expired long ago are forgotten.
    store.use_passkey(replace(KEY, sign_count=5), b"h2", Millis(9_000))
    clock.time = Millis(609_000)
    store.use_passkey(replace(KEY, sign_count=6), b"h1", Millis(619_000))


def test_a_challenge_that_expired_before_it_is_stored_is_refused(store: AccountStore, clock: Clock) -> None:
    store.register(ADA, "", [], KEY)
    clock.time = Millis(9_000)
    with pytest.raises(ChallengeUsed):
        store.use_passkey(replace(KEY, sign_count=4), b"h1", Millis(9_000))
    with pytest.raises(ChallengeUsed):
        store.add_passkey(replace(KEY, id=b"i2"), b"h1", Millis(9_000))
    assert store.passkeys(ADA.person) == [KEY]


def test_a_used_challenge_is_refused_by_a_worker_whose_clock_is_behind(
    store: AccountStore, clock: Clock
) -> None:
    store.register(ADA, "", [], KEY)
    store.use_passkey(replace(KEY, sign_count=4), b"h1", Millis(9_000))
    clock.time = Millis(9_000)  # Another challenge is answered here, and the expired ones are deleted.
    store.use_passkey(replace(KEY, sign_count=5), b"h2", Millis(19_000))
    store.forget(Millis(9_000), Millis(0))
    clock.time = Millis(8_999)
    with pytest.raises(ChallengeUsed):
        store.use_passkey(replace(KEY, sign_count=6), b"h1", Millis(9_000))


def test_of_many_who_answer_one_challenge_at_once_one_succeeds(store: AccountStore) -> None:
    store.register(ADA, "", [], replace(KEY, sign_count=0))

    def use(_: int) -> bool:
        try:
            store.use_passkey(replace(KEY, sign_count=0), b"h1", Millis(9_000))
        except ChallengeUsed:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(use, range(20))) == 1


def test_the_last_way_to_sign_in_is_not_removed(store: AccountStore) -> None:
    store.register(ADA, "", [], KEY)
    assert not store.remove_passkey(ADA.person, b"i2")
    assert not store.remove_passkey(BO.person, b"i1")
    with pytest.raises(LastWayToSignIn):
        store.remove_passkey(ADA.person, b"i1")
    store.add_passkey(replace(KEY, id=b"i2"), b"h1", Millis(9_000))
    assert store.remove_passkey(ADA.person, b"i1")
    with pytest.raises(LastWayToSignIn):
        store.remove_passkey(ADA.person, b"i2")
    store.set_password(ADA.person, "hash")
    assert store.remove_passkey(ADA.person, b"i2")
    assert store.passkeys(ADA.person) == []


SCHEMA_1 = """
    create table accounts (person text primary key, name text not null, skeleton text not null unique,
        created bigint not null, renamed bigint, password text not null);
    create table reserved_names (skeleton text primary key, until bigint not null);
    create table recovery_keys (person text not null, key blob not null, primary key (person, key));
    create table sessions (key blob primary key, id text not null, person text not null,
        device text not null, created bigint not null, used bigint not null, expires bigint not null);
    create table account_counter (last bigint not null);
    create table account_changes (number bigint primary key, person text not null, at bigint not null);
    create table account_schema (schema integer not null);
    insert into account_schema values (1);
    insert into account_counter values (1);
    insert into account_changes values (1, 'p1', 1000);
    insert into accounts values ('p1', 'Ada', 'ada', 1000, null, 'hash');
    insert into sessions values (x'6b31', 'd1', 'p1', 'Phone', 1000, 1000, 9000);
"""


def test_a_database_without_passkeys_is_migrated(tmp_path: Path, clock: Clock) -> None:
    with closing(sqlite3.connect(tmp_path / "archive.db")) as connection, connection:
        connection.executescript(SCHEMA_1)
    with pytest.raises(StoreError, match="start the server once"):
        open_accounts(tmp_path, "", clock, update=False)
    with closing(open_accounts(tmp_path, "", clock)) as store:
        assert store.find("ada") == (ADA, "hash")
        assert store.session(b"k1", Millis(5_000)) == (PHONE, ADA)
        store.add_passkey(KEY, b"h1", Millis(9_000))
        assert store.passkeys(ADA.person) == [KEY]
