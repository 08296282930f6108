"""One contract for follows, blocks and privacy in SQLite and in PostgreSQL."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.relations.relation_interface import (
    MOST_BLOCKED,
    MOST_FOLLOWED,
    PUBLIC,
    BlockedByYou,
    ChallengesFrom,
    FollowRefused,
    Known,
    NoSuchAccount,
    Privacy,
    TooManyRelations,
)
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from tests.stores.accounts.account_rows import ADA, BO, PHONE, Clock

CY = replace(ADA, person=Person("p3"), name="Cy", skeleton="cy")
HIDDEN = Privacy(invisible=True, challenges_from=ChallengesFrom.FOLLOWED)


@pytest.fixture
def three(store: AccountStore) -> AccountStore:
    """Return a database with three accounts."""
    for account in (ADA, BO, CY):
        store.register(account, "hash", [])
    return store


def followed(store: AccountStore, person: Person) -> list[Person]:
    return [each.person for each in store.relations.followed(person)]


def blocked(store: AccountStore, person: Person) -> list[Person]:
    return [each.person for each in store.relations.blocked(person)]


def changed(store: AccountStore, after: int = 3) -> list[Person]:
    return [change.person for change in store.changes(after)]


def test_followed_accounts_are_listed_the_latest_first(three: AccountStore, clock: Clock) -> None:
    three.relations.follow(ADA.person, BO.person)
    clock.time = Millis(6_000)
    three.relations.follow(ADA.person, CY.person)
    clock.time = Millis(7_000)
    three.relations.follow(ADA.person, BO.person)
    listed = [(each.person, each.since) for each in three.relations.followed(ADA.person)]
    assert listed == [("p3", 6_000), ("p2", 5_000)], "following again changes nothing"
    assert three.relations.follows(ADA.person, BO.person)
    assert not three.relations.follows(BO.person, ADA.person)
    assert followed(three, BO.person) == []
    three.relations.unfollow(ADA.person, BO.person)
    three.relations.unfollow(ADA.person, BO.person)
    assert followed(three, ADA.person) == [CY.person]
    assert changed(three) == [], "workers keep nothing of it"


def test_nobody_follows_or_blocks_themselves_or_an_account_that_does_not_exist(three: AccountStore) -> None:
    relations = three.relations
    for person, other in ((ADA.person, ADA.person), (ADA.person, Person("p9")), (Person("p9"), ADA.person)):
        for relate in (relations.follow, relations.block):
            with pytest.raises(NoSuchAccount):
                relate(person, other)
        assert followed(three, person) == blocked(three, person) == []


def test_a_block_ends_that_either_follows_the_other(three: AccountStore) -> None:
    three.relations.follow(ADA.person, BO.person)
    three.relations.follow(BO.person, ADA.person)
    three.relations.follow(BO.person, CY.person)
    three.relations.block(ADA.person, BO.person)
    assert followed(three, ADA.person) == []
    assert followed(three, BO.person) == [CY.person]
    assert blocked(three, ADA.person) == [BO.person]
    assert blocked(three, BO.person) == []
    with pytest.raises(FollowRefused):
        three.relations.follow(BO.person, ADA.person)
    with pytest.raises(BlockedByYou):
        three.relations.follow(ADA.person, BO.person)
    three.relations.unblock(ADA.person, BO.person)
    assert blocked(three, ADA.person) == followed(three, BO.person)[1:] == []
    three.relations.follow(BO.person, ADA.person)


def test_workers_learn_of_blocks_and_privacy(three: AccountStore) -> None:
    three.relations.block(ADA.person, BO.person)
    three.relations.block(ADA.person, BO.person)
    three.relations.unblock(ADA.person, CY.person)
    assert changed(three) == [ADA.person], "what changes nothing is not logged"
    three.relations.set_privacy(CY.person, HIDDEN)
    assert changed(three) == [ADA.person, CY.person]
    assert three.relations.known(ADA.person) == Known(PUBLIC, frozenset({BO.person}))
    assert three.relations.known(BO.person) == Known()
    known = {ADA.person: Known(PUBLIC, frozenset({BO.person})), CY.person: Known(HIDDEN)}
    assert three.relations.all_known() == known
    three.relations.unblock(ADA.person, BO.person)
    three.relations.set_privacy(CY.person, PUBLIC)
    assert changed(three) == [ADA.person, CY.person, ADA.person, CY.person]
    assert three.relations.all_known() == {}


def test_a_person_without_an_account_has_no_privacy_stored(three: AccountStore) -> None:
    three.relations.set_privacy(Person("p9"), HIDDEN)
    assert three.relations.all_known() == {}
    assert changed(three) == []


@pytest.mark.parametrize("place", ["sqlite", "postgresql"], indirect=True)
def test_an_account_has_bounded_numbers_of_relations(
    three: AccountStore, place: tuple[Path | None, str]
) -> None:
    relations = three.relations
    others = [Person(f"q{number}") for number in range(max(MOST_FOLLOWED, MOST_BLOCKED) + 1)]
    for person in others:
        three.register(replace(ADA, person=person, name=person, skeleton=person), "", [])
    for person in others[:MOST_FOLLOWED]:
        relations.follow(ADA.person, person)
    with pytest.raises(TooManyRelations):
        relations.follow(ADA.person, others[-1])
    relations.follow(ADA.person, others[0])
    for person in others[:MOST_BLOCKED]:
        relations.block(BO.person, person)
    with pytest.raises(TooManyRelations):
        relations.block(BO.person, others[-1])
    relations.block(BO.person, others[0])
    assert len(followed(three, ADA.person)) == MOST_FOLLOWED
    assert len(blocked(three, BO.person)) == MOST_BLOCKED
    relations.unfollow(ADA.person, others[0])
    relations.follow(ADA.person, others[-1])


def test_two_who_follow_and_block_each_other_at_once_do_not_wait_for_each_other(three: AccountStore) -> None:
    pairs = [(ADA.person, BO.person), (BO.person, ADA.person)] * 20

    def relate(pair: tuple[Person, Person]) -> None:
        try:
            three.relations.follow(*pair)
        except FollowRefused:
            return
        except BlockedByYou:
            three.relations.unblock(*pair)
            return
        three.relations.block(*pair)

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(relate, pairs))
    for person, other in pairs[:2]:
        if other in blocked(three, person):
            assert other not in followed(three, person)
            assert person not in followed(three, other)


def test_with_an_account_its_relations_go_in_both_directions(three: AccountStore) -> None:
    relations = three.relations
    relations.follow(ADA.person, BO.person)
    relations.follow(BO.person, ADA.person)
    relations.block(CY.person, ADA.person)
    relations.block(ADA.person, CY.person)
    relations.set_privacy(ADA.person, HIDDEN)
    three.delete_account(ADA.person, Millis(9_000))
    assert relations.all_known() == {}
    for person in (ADA.person, BO.person, CY.person):
        assert followed(three, person) == blocked(three, person) == []


SCHEMA_3 = """
    create table accounts (person text primary key, name text not null, skeleton text not null unique,
        created bigint not null, renamed bigint, password text not null);
    create table reserved_names (skeleton text primary key, until bigint not null);
    create table recovery_keys (person text not null, key blob not null, primary key (person, key));
    create table sessions (key blob primary key, id text not null, person text not null,
        device text not null, created bigint not null, used bigint not null, expires bigint not null);
    create table passkeys (id blob primary key, person text not null, public_key blob not null,
        sign_count bigint not null, device text not null, created bigint not null, used bigint not null);
    create table used_challenges (key blob primary key, expires bigint not null);
    create table sign_in_links (person text primary key, key blob not null unique, expires bigint not null);
    create table deleted_persons (person text primary key);
    create table account_counter (last bigint not null);
    create table account_changes (number bigint primary key, person text not null, at bigint not null);
    create table account_schema (schema integer not null);
    insert into account_schema values (3);
    insert into account_counter values (2);
    insert into account_changes values (1, 'p1', 1000), (2, 'p2', 1000);
    insert into accounts values ('p1', 'Ada', 'ada', 1000, null, 'hash'), ('p2', 'Bo', 'bo', 2000, null, '');
    insert into sessions values (x'6b31', 'd1', 'p1', 'Phone', 1000, 1000, 9000);
"""


def test_a_database_without_relations_is_migrated(tmp_path: Path, clock: Clock) -> None:
    with closing(sqlite3.connect(tmp_path / "archive.db")) as connection, connection:
        connection.executescript(SCHEMA_3)
    with pytest.raises(StoreError, match="start the server once"):
        open_accounts(tmp_path, "", clock, update=False)
    with closing(open_accounts(tmp_path, "", clock)) as store:
        assert store.session(b"k1", Millis(5_000)) == (PHONE, ADA)
        assert store.relations.all_known() == {}
        store.relations.follow(ADA.person, BO.person)
        store.relations.set_privacy(ADA.person, HIDDEN)
    with closing(open_accounts(tmp_path, "", clock)) as store:
        assert followed(store, ADA.person) == [BO.person]
        assert store.relations.known(ADA.person).privacy == HIDDEN
