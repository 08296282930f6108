"""API tokens and bot accounts in SQLite and in PostgreSQL, and the databases of the time before them."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.api_tokens.api_token_interface import TooManyApiTokens
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, KEY, PHONE, TOKEN, Clock

NOW = Millis(5_000)


def test_a_token_is_found_by_its_key_and_by_its_person(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    other = replace(TOKEN, id="t2", key=b"k4", name="Other", created=Millis(4_500), expires=None)
    assert store.api_tokens.add(TOKEN, 10)
    assert store.api_tokens.add(other, 10)
    assert store.api_tokens.find(TOKEN.key, NOW) == TOKEN
    assert store.api_tokens.find(b"none", NOW) is None
    assert store.api_tokens.of(ADA.person, NOW) == [other, TOKEN]
    assert store.api_tokens.of(BO.person, NOW) == []
    store.api_tokens.use(TOKEN.key, NOW)
    assert store.api_tokens.find(TOKEN.key, NOW) == replace(TOKEN, used=NOW)


def test_a_token_of_nobody_is_not_stored(store: AccountStore) -> None:
    assert not store.api_tokens.add(TOKEN, 10)
    assert store.api_tokens.find(TOKEN.key, NOW) is None


def test_an_expired_token_is_not_found_and_makes_room_for_another(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.api_tokens.add(TOKEN, 1)
    assert store.api_tokens.find(TOKEN.key, Millis(8_999)) == TOKEN
    assert store.api_tokens.find(TOKEN.key, Millis(9_000)) is None
    assert store.api_tokens.of(ADA.person, Millis(9_000)) == []
    later = replace(TOKEN, id="t2", key=b"k4", created=Millis(9_000), expires=None)
    assert store.api_tokens.add(later, 1)
    store.forget(Millis(9_000), Millis(0))
    assert store.api_tokens.find(TOKEN.key, Millis(8_999)) is None
    assert store.api_tokens.find(later.key, Millis(10**13)) == later


def test_of_many_tokens_made_at_once_as_many_are_stored_as_are_allowed(store: AccountStore) -> None:
    store.register(ADA, "hash", [])

    def add(number: int) -> bool:
        try:
            return store.api_tokens.add(replace(TOKEN, id=f"t{number}", key=b"%d" % number), 10)
        except TooManyApiTokens:
            return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(add, range(30))) == 10
    assert len(store.api_tokens.of(ADA.person, NOW)) == 10


def test_a_token_is_revoked_by_its_owner_and_workers_learn_of_it(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.register(BO, "hash", [])
    store.api_tokens.add(TOKEN, 10)
    known = len(store.changes(0))
    assert not store.api_tokens.revoke(BO.person, TOKEN.id)
    assert not store.api_tokens.revoke(ADA.person, "t9")
    assert len(store.changes(0)) == known
    assert store.api_tokens.revoke(ADA.person, TOKEN.id)
    assert not store.api_tokens.revoke(ADA.person, TOKEN.id)
    assert [change.person for change in store.changes(known)] == [ADA.person]
    assert store.api_tokens.find(TOKEN.key, NOW) is None


def test_a_bot_account_stays_one_and_workers_learn_of_it(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.register(BO, "hash", [])
    store.start_session(PHONE)
    known = len(store.changes(0))
    for _ in range(2):
        store.api_tokens.make_bot(ADA.person, NOW)
    store.api_tokens.make_bot(Person("p9"), NOW)
    assert [change.person for change in store.changes(known)] == [ADA.person]
    bot = replace(ADA, bot=True)
    assert store.account(ADA.person) == bot
    assert store.find("ada") == (bot, "hash")
    assert store.session(PHONE.key, NOW) == (PHONE, bot)
    assert sorted(store.accounts()[1], key=lambda each: each.name) == [bot, BO]


def test_a_deleted_account_has_no_tokens_and_its_person_is_no_bot_account(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.api_tokens.add(TOKEN, 10)
    store.api_tokens.make_bot(ADA.person, NOW)
    store.delete_account(ADA.person, Millis(9_000))
    assert store.api_tokens.find(TOKEN.key, NOW) is None
    assert store.api_tokens.of(ADA.person, NOW) == []
    assert store.account(ADA.person) is None


SCHEMA_4 = """
    create table accounts (person text primary key, name text not null, skeleton text not null unique,
        created bigint not null, renamed bigint, password text not null);
    create table reserved_names (skeleton text primary key, until bigint not null);
    create table recovery_keys (person text not null, key blob not null, primary key (person, key));
    create table sessions (key blob primary key, id text not null, person text not null,
        device text not null, created bigint not null, used bigint not null, expires bigint not null);
    create index sessions_of_person on sessions (person, used);
    create index sessions_by_end on sessions (expires);
    create table passkeys (id blob primary key, person text not null, public_key blob not null,
        sign_count bigint not null, device text not null, created bigint not null, used bigint not null);
    create index passkeys_of_person on passkeys (person, created);
    create table used_challenges (key blob primary key, expires bigint not null);
    create table sign_in_links (person text primary key, key blob not null unique, expires bigint not null);
    create table follows (person text not null, followed text not null, since bigint not null,
        primary key (person, followed));
    create table blocks (person text not null, blocked text not null, since bigint not null,
        primary key (person, blocked));
    create table account_privacy (person text primary key, invisible integer not null,
        challenges_from text not null);
    create table deleted_persons (person text primary key);
    create table account_counter (last bigint not null);
    create table account_changes (number bigint primary key, person text not null, at bigint not null);
    create table account_schema (schema integer not null);
    insert into account_schema values (4);
    insert into account_counter values (1);
    insert into account_changes values (1, 'p1', 1000);
    insert into accounts values ('p1', 'Ada', 'ada', 1000, null, 'hash');
    insert into sessions values (x'6b31', 'd1', 'p1', 'Phone', 1000, 1000, 9000);
    insert into passkeys values (x'6931', 'p1', x'7075626c6963', 3, 'Phone', 1000, 1000);
    insert into deleted_persons values ('p3');
"""


def test_a_database_without_api_tokens_is_migrated(tmp_path: Path, clock: Clock) -> None:
    with closing(sqlite3.connect(tmp_path / "archive.db")) as connection, connection:
        connection.executescript(SCHEMA_4)
    with pytest.raises(StoreError, match="start the server once"):
        open_accounts(tmp_path, "", clock, update=False)
    with closing(open_accounts(tmp_path, "", clock)) as store:
        assert store.find("ada") == (ADA, "hash")
        assert store.session(PHONE.key, NOW) == (PHONE, ADA)
        assert store.passkeys(ADA.person) == [KEY]
        assert store.deleted_persons() == [Person("p3")]
        assert store.api_tokens.add(TOKEN, 10)
        store.api_tokens.make_bot(ADA.person, NOW)
        assert store.account(ADA.person) == replace(ADA, bot=True)
