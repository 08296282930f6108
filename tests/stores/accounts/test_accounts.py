"""One contract for accounts in SQLite and in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import (
    Account,
    AccountStore,
    AlreadyRegistered,
    NameTaken,
    Session,
)
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, DESK, KEY, PHONE, Clock


def test_an_account_is_found_by_person_and_by_name(store: AccountStore) -> None:
    store.register(ADA, "hash", [b"c1"])
    store.register(BO, "other", [])
    assert store.account(ADA.person) == ADA
    assert store.find("ada") == (ADA, "hash")
    assert store.account(Person("p3")) is None
    assert store.find("eve") is None
    assert sorted(store.accounts()[1], key=lambda each: each.name) == [ADA, BO]


def test_a_name_belongs_to_one_account(store: AccountStore) -> None:
    store.register(ADA, "hash", [b"c1"])
    with pytest.raises(NameTaken):
        store.register(replace(BO, name="ADA", skeleton="ada"), "other", [b"c2"])
    with pytest.raises(AlreadyRegistered):
        store.register(replace(ADA, name="Ann", skeleton="ann"), "other", [])
    assert store.account(BO.person) is None
    assert store.recovery_keys_left(BO.person) == 0
    assert store.find("ada") == (ADA, "hash")


def test_of_many_who_want_one_name_at_once_one_gets_it(store: AccountStore) -> None:
    wanted = [replace(ADA, person=Person(f"p{number}")) for number in range(20)]

    def register(account: Account) -> bool:
        try:
            store.register(account, "hash", [])
        except NameTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(register, wanted)) == 1
    assert len(store.accounts()[1]) == 1
    assert len(store.changes(0)) == 1


def test_a_former_name_is_reserved_for_a_time(store: AccountStore, clock: Clock) -> None:
    store.register(ADA, "hash", [])
    renamed = replace(ADA, name="Ann", skeleton="ann", renamed=Millis(5_000))
    store.rename(renamed, Millis(8_000))
    assert store.account(ADA.person) == renamed
    assert store.find("ada") is None
    with pytest.raises(NameTaken):
        store.register(replace(BO, name="Ada", skeleton="ada"), "other", [])
    clock.time = Millis(8_000)
    store.register(replace(BO, name="Ada", skeleton="ada"), "other", [])
    with pytest.raises(NameTaken):
        store.rename(replace(renamed, name="Ada", skeleton="ada"), Millis(9_000))
    assert store.account(ADA.person) == renamed


def test_another_spelling_of_the_own_name_is_allowed(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.rename(replace(ADA, name="ADA"), Millis(8_000))
    found = store.account(ADA.person)
    assert found is not None
    assert found.name == "ADA"


def test_a_password_is_replaced(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.set_password(ADA.person, "new")
    assert store.find("ada") == (ADA, "new")


def test_a_recovery_code_is_used_once(store: AccountStore) -> None:
    store.register(ADA, "hash", [b"c1", b"c2"])
    assert not store.use_recovery_key(BO.person, b"c1")
    assert store.use_recovery_key(ADA.person, b"c1")
    assert not store.use_recovery_key(ADA.person, b"c1")
    assert store.recovery_keys_left(ADA.person) == 1
    store.set_recovery_keys(ADA.person, [b"c3", b"c4", b"c5"])
    assert not store.use_recovery_key(ADA.person, b"c2")
    assert store.recovery_keys_left(ADA.person) == 3


def test_of_many_who_use_one_code_at_once_one_succeeds(store: AccountStore) -> None:
    store.register(ADA, "hash", [b"c1"])
    with ThreadPoolExecutor(8) as threads:
        used = threads.map(lambda _: store.use_recovery_key(ADA.person, b"c1"), range(20))
        assert sum(used) == 1


def test_a_session_is_found_until_it_expires(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.start_session(PHONE)
    assert store.session(b"k1", Millis(8_999)) == (PHONE, ADA)
    assert store.session(b"k1", Millis(9_000)) is None
    assert store.session(b"k2", Millis(5_000)) is None
    store.use_session(b"k1", Millis(7_000), Millis(20_000))
    used = replace(PHONE, used=Millis(7_000), expires=Millis(20_000))
    assert store.session(b"k1", Millis(9_000)) == (used, ADA)


def test_without_an_account_there_is_no_session(store: AccountStore) -> None:
    store.start_session(PHONE)
    assert store.session(b"k1", Millis(5_000)) is None
    assert store.sessions(ADA.person, Millis(5_000)) == []


def test_devices_are_listed_and_ended_one_by_one(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.register(BO, "hash", [])
    for session in (PHONE, DESK, replace(PHONE, id="d3", key=b"k3", person=BO.person)):
        store.start_session(session)
    assert store.sessions(ADA.person, Millis(5_000)) == [DESK, PHONE]
    assert not store.end_session(ADA.person, "d3"), "that of another account"
    assert store.end_session(ADA.person, "d1")
    assert not store.end_session(ADA.person, "d1")
    assert store.sessions(ADA.person, Millis(5_000)) == [DESK]
    assert len(store.sessions(BO.person, Millis(5_000))) == 1


@pytest.mark.parametrize(("kept", "left"), [(b"", []), (b"k2", [DESK])])
def test_all_devices_are_ended_but_one(store: AccountStore, kept: bytes, left: list[Session]) -> None:
    store.register(ADA, "hash", [])
    for session in (PHONE, DESK):
        store.start_session(session)
    store.end_sessions(ADA.person, kept)
    assert store.sessions(ADA.person, Millis(5_000)) == left


def test_every_change_that_workers_must_know_is_logged(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.start_session(PHONE)
    store.start_session(DESK)
    assert [change.person for change in store.changes(0)] == [ADA.person]
    store.register(BO, "hash", [])
    store.rename(replace(BO, name="Bob", skeleton="bob"), Millis(8_000))
    store.end_session(ADA.person, "d1")
    store.end_session(ADA.person, "d1")
    store.end_sessions(ADA.person)
    store.set_password(ADA.person, "new")
    changes = store.changes(0)
    assert [change.person for change in changes] == ["p1", "p2", "p2", "p1", "p1"]
    assert [change.number for change in changes] == [1, 2, 3, 4, 5]
    assert store.changes(3) == changes[3:]
    assert store.accounts()[0] == 5


def test_what_is_no_longer_needed_is_deleted(store: AccountStore, clock: Clock) -> None:
    store.register(ADA, "hash", [])
    store.start_session(PHONE)
    store.start_session(replace(DESK, expires=Millis(20_000)))
    clock.time = Millis(6_000)
    store.rename(replace(ADA, name="Ann", skeleton="ann"), Millis(8_000))
    store.forget(Millis(9_000), Millis(6_000))
    assert [each.id for each in store.sessions(ADA.person, Millis(0))] == ["d2"]
    assert [change.number for change in store.changes(0)] == [2]
    store.register(replace(BO, name="Ada", skeleton="ada"), "hash", [])


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_accounts_survive_a_restart(place: tuple[Path | None, str], clock: Clock) -> None:
    with closing(open_accounts(*place, clock)) as store:
        store.register(ADA, "hash", [b"c1"])
        store.start_session(PHONE)
    with closing(open_accounts(*place, clock)) as store:
        assert store.session(b"k1", Millis(5_000)) == (PHONE, ADA)
        store.register(BO, "hash", [])
        assert [change.number for change in store.changes(1)] == [2]


def test_a_newer_schema_is_refused(tmp_path: Path, clock: Clock) -> None:
    import sqlite3

    open_accounts(tmp_path, "", clock).close()
    with closing(sqlite3.connect(tmp_path / "archive.db")) as connection, connection:
        connection.execute("update account_schema set schema = 99")
    with pytest.raises(StoreError, match="newer release"):
        open_accounts(tmp_path, "", clock)


def test_reading_does_not_create_tables(tmp_path: Path, clock: Clock) -> None:
    import sqlite3

    sqlite3.connect(tmp_path / "archive.db").close()
    with pytest.raises(StoreError, match="start the server once"):
        open_accounts(tmp_path, "", clock, update=False)


def test_a_database_that_is_away_is_an_error_of_the_store(clock: Clock) -> None:
    store = open_accounts(None, "postgresql://127.0.0.1:1/none", clock)
    with pytest.raises(StoreError):
        store.account(ADA.person)


def test_a_deleted_account_leaves_only_its_name_reserved(store: AccountStore, clock: Clock) -> None:
    store.register(ADA, "hash", [b"c1"], KEY)
    store.start_session(PHONE)
    store.register(BO, "other", [b"c2"])
    store.delete_account(ADA.person, Millis(8_000))
    store.delete_account(ADA.person, Millis(99_000))
    assert store.account(ADA.person) is None
    assert store.find("ada") is None
    assert store.session(b"k1", Millis(5_000)) is None
    assert store.passkey(KEY.id) is None
    assert store.recovery_keys_left(ADA.person) == 0
    assert store.changes(2)[0].person == ADA.person
    assert store.deleted_persons() == [ADA.person]
    assert store.find("bo") == (BO, "other")
    with pytest.raises(AlreadyRegistered):
        store.register(replace(ADA, name="Ann", skeleton="ann"), "hash", [])
    other = replace(ADA, person=Person("p3"))
    with pytest.raises(NameTaken):
        store.register(other, "hash", [])
    clock.time = Millis(8_000)
    store.register(other, "hash", [])
