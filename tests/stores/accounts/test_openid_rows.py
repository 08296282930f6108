"""Identities at OpenID Connect providers, in SQLite and in PostgreSQL."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore, ChallengeUsed, LastWayToSignIn
from qipai.hall.accounts.openid.openid_interface import IdentityTaken, ProviderIdentity
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, KEY, Clock

CLUB = ProviderIdentity(b"k1", "https://club.example", ADA.person, Millis(3_000))
SCHOOL = ProviderIdentity(b"k2", "https://school.example", ADA.person, Millis(4_000))


def test_an_account_is_registered_with_an_identity(store: AccountStore) -> None:
    store.register(ADA, "", [b"c1"], identity=CLUB)
    assert store.openid.person(b"k1") == ADA.person
    assert store.openid.person(b"k2") is None
    assert store.openid.identities(ADA.person) == [CLUB]
    assert store.find("ada") == (ADA, "")


def test_an_identity_that_is_taken_registers_nobody(store: AccountStore) -> None:
    store.register(ADA, "", [], identity=CLUB)
    with pytest.raises(IdentityTaken):
        store.register(BO, "", [b"c1"], identity=replace(CLUB, person=BO.person))
    assert store.account(BO.person) is None
    assert store.recovery_keys_left(BO.person) == 0
    assert store.openid.person(b"k1") == ADA.person


def test_an_account_has_one_identity_at_each_provider(store: AccountStore) -> None:
    store.register(ADA, "hash", [])
    store.register(BO, "hash", [])
    store.openid.link(CLUB)
    store.openid.link(SCHOOL)
    for taken in (replace(CLUB, key=b"k3"), CLUB, replace(CLUB, person=BO.person)):
        with pytest.raises(IdentityTaken):
            store.openid.link(taken)
    store.openid.link(replace(CLUB, key=b"k3", person=BO.person))
    assert sorted(each.issuer for each in store.openid.identities(ADA.person)) == [CLUB.issuer, SCHOOL.issuer]


def test_nobody_is_linked_who_has_no_account(store: AccountStore) -> None:
    with pytest.raises(IdentityTaken):
        store.openid.link(replace(CLUB, person=Person("p9")))
    assert store.openid.person(b"k1") is None


def test_of_many_who_link_one_identity_at_once_one_gets_it(store: AccountStore) -> None:
    for number in range(8):
        person = Person(f"p{number}")
        store.register(replace(ADA, person=person, name=f"n{number}", skeleton=f"n{number}"), "hash", [])

    def link(number: int) -> bool:
        try:
            store.openid.link(replace(CLUB, person=Person(f"p{number}")))
        except IdentityTaken:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(link, range(8))) == 1


def test_the_last_way_to_sign_in_is_not_unlinked(store: AccountStore) -> None:
    store.register(ADA, "", [], identity=CLUB)
    with pytest.raises(LastWayToSignIn):
        store.openid.unlink(ADA.person, CLUB.issuer)
    assert store.openid.identities(ADA.person) == [CLUB]
    assert not store.openid.unlink(ADA.person, SCHOOL.issuer)
    assert not store.openid.unlink(BO.person, CLUB.issuer)
    store.add_passkey(KEY, b"h1", Millis(9_000))
    assert store.openid.unlink(ADA.person, CLUB.issuer)
    assert store.openid.person(b"k1") is None
    with pytest.raises(LastWayToSignIn):
        store.remove_passkey(ADA.person, KEY.id)
    store.openid.link(CLUB)
    assert store.remove_passkey(ADA.person, KEY.id)


def test_of_two_last_ways_that_are_removed_at_once_one_stays(store: AccountStore) -> None:
    store.register(ADA, "", [], KEY, identity=CLUB)

    def remove(which: int) -> bool:
        try:
            if which:
                return store.openid.unlink(ADA.person, CLUB.issuer)
            return store.remove_passkey(ADA.person, KEY.id)
        except LastWayToSignIn:
            return False

    with ThreadPoolExecutor(2) as threads:
        assert sum(threads.map(remove, range(2))) == 1
    assert len(store.passkeys(ADA.person)) + len(store.openid.identities(ADA.person)) == 1


def test_an_attempt_is_used_once_and_in_time(store: AccountStore, clock: Clock) -> None:
    store.openid.use_state(b"s1", Millis(9_000))
    with pytest.raises(ChallengeUsed):
        store.openid.use_state(b"s1", Millis(9_000))
    clock.time = Millis(9_000)
    for late in (b"s1", b"s2"):
        with pytest.raises(ChallengeUsed):
            store.openid.use_state(late, Millis(9_000))


def test_a_deleted_account_has_no_identity(store: AccountStore) -> None:
    store.register(ADA, "", [], identity=CLUB)
    store.delete_account(ADA.person, Millis(9_000))
    assert store.openid.person(b"k1") is None
    assert store.openid.identities(ADA.person) == []
    store.register(BO, "", [], identity=replace(CLUB, person=BO.person))


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_a_database_without_identities_is_migrated(place: tuple[Path | None, str], clock: Clock) -> None:
    with closing(open_accounts(*place, clock)) as store:
        store.register(ADA, "hash", [b"c1"])
    for statement in ("drop table provider_identities", "update account_schema set schema = 5"):
        _run(place, statement)
    with pytest.raises(StoreError, match="start the server once"):
        open_accounts(*place, clock, update=False).account(ADA.person)
    with closing(open_accounts(*place, clock)) as store:
        assert store.find("ada") == (ADA, "hash")
        store.openid.link(CLUB)
        assert store.openid.person(b"k1") == ADA.person


def _run(place: tuple[Path | None, str], statement: str) -> None:
    folder, url = place
    if url:
        import psycopg

        with psycopg.connect(url) as connection:
            connection.execute(statement.encode())
        return
    import sqlite3

    assert folder is not None
    with closing(sqlite3.connect(folder / "archive.db")) as opened, opened:
        opened.execute(statement)
