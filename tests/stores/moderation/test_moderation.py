"""One contract for moderation in SQLite and PostgreSQL: an act and its entry are stored together, or not."""

import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore, RegistrationRefused
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.moderation_interface import (
    ActRefusal,
    ActRefused,
    Invitation,
    ModerationStore,
    Registrations,
    Setting,
)
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, LogFilter
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from tests.stores.accounts.account_rows import ADA, BO, Clock
from tests.stores.moderation.acts import GUEST, NOW, OPERATOR, ban, entry, entry_of_command


def refusal(work: Callable[[], object]) -> ActRefusal:
    with pytest.raises(ActRefused) as caught:
        work()
    return caught.value.code


def log_of(store: ModerationStore) -> list[LogEntry]:
    """Return all entries but the first, which made the operator of the tests."""
    return [*reversed(store.log(LogFilter()))][1:]


def moderator(store: ModerationStore, person: Person = BO.person) -> None:
    store.set_role(entry(Act.GRANT_ROLE, person=person), Role.MODERATOR)


def test_a_sanction_is_stored_with_its_entry(store: ModerationStore) -> None:
    written = store.impose(*ban())
    assert written.sanction == written.number
    found = store.sanction(written.number)
    assert found == replace(ban()[1], id=written.number)
    assert log_of(store) == [written]
    assert store.sanctions_of(ADA.person) == [found]
    assert store.state(NOW).sanctions == [found]
    assert store.state(Millis(9_000)).sanctions == [], "it has ended"
    assert store.state(NOW).last == written.number


def test_a_lifted_sanction_is_not_in_force_until_it_is_restored(store: ModerationStore) -> None:
    number = store.impose(*ban()).number
    store.lift(entry(Act.LIFT, sanction=number))
    assert store.state(NOW).sanctions == []
    assert refusal(lambda: store.lift(entry(Act.LIFT, sanction=number))) is ActRefusal.NOTHING_TO_CHANGE
    store.restore(entry(Act.RESTORE, sanction=number))
    assert [each.id for each in store.state(NOW).sanctions] == [number]
    assert [each.act for each in log_of(store)] == [Act.IMPOSE, Act.LIFT, Act.RESTORE]
    assert refusal(lambda: store.lift(entry(Act.LIFT, sanction=99))) is ActRefusal.NO_SUCH_SANCTION


def test_sanctions_are_listed_in_pages(store: ModerationStore) -> None:
    numbers = [store.impose(*ban(person=Person(f"g{n}"))).number for n in range(5)]
    store.lift(entry(Act.LIFT, sanction=numbers[4]))
    assert [each.id for each in store.sanctions(None, 2, in_force_at=None)] == [numbers[4], numbers[3]]
    assert [each.id for each in store.sanctions(numbers[3], 9, in_force_at=None)] == numbers[2::-1]
    assert [each.id for each in store.sanctions(None, 2, in_force_at=NOW)] == [numbers[3], numbers[2]]


@pytest.mark.parametrize("by", [ADA.person, GUEST])
def test_without_a_role_nothing_is_done_and_nothing_logged(store: ModerationStore, by: Person) -> None:
    act = entry(by=by, person=BO.person)
    assert refusal(lambda: store.impose(act, ban()[1])) is ActRefusal.NOT_ALLOWED
    assert store.state(NOW).sanctions == []
    assert log_of(store) == []


@pytest.mark.parametrize(
    "act",
    [
        entry(Act.GRANT_ROLE, BO.person, person=ADA.person),
        entry(Act.RENAME, BO.person, person=ADA.person, after="Eve"),
        entry(Act.SET_REGISTRATIONS, BO.person, after="closed"),
        entry(Act.ANNOUNCE, BO.person, after="{}"),
        entry(Act.INVITE, BO.person),
        entry(Act.IMPOSE, BO.person, network="192.0.2.0/24"),
        entry(Act.IMPOSE, BO.person, network="2001:db8::/48"),
        entry(Act.LIFT, BO.person, network="192.0.2.0/24"),
        entry(Act.IMPOSE, BO.person, person=OPERATOR.person),
        entry(Act.RESTORE, BO.person, person=OPERATOR.person),
    ],
    ids=lambda act: f"{act.act} {act.network or act.person}",
)
def test_what_a_moderator_may_not_do_is_neither_done_nor_logged(
    store: ModerationStore, accounts: AccountStore, act: LogEntry
) -> None:
    moderator(store)
    before = store.state(NOW), log_of(store)
    assert refusal(lambda: store.note(act)) is ActRefusal.NOT_ALLOWED
    assert (store.state(NOW), log_of(store)) == before


@pytest.mark.parametrize("network", ["192.0.2.7/32", "2001:db8:0:1::/64"])
def test_a_moderator_may_ban_a_person_and_a_single_address(store: ModerationStore, network: str) -> None:
    moderator(store)
    store.impose(replace(entry(by=BO.person), person=ADA.person), ban()[1])
    act, sanction = ban(person=Person(""), network=network)
    store.impose(replace(act, by=BO.person), sanction)
    assert len(store.state(NOW).sanctions) == 2


def test_the_role_counts_when_the_act_is_stored(store: ModerationStore) -> None:
    moderator(store)
    store.set_role(entry(Act.REMOVE_ROLE, person=BO.person), None)
    assert refusal(lambda: store.impose(entry(by=BO.person), ban()[1])) is ActRefusal.NOT_ALLOWED


def test_roles_are_given_and_taken(store: ModerationStore) -> None:
    granted = store.set_role(entry(Act.GRANT_ROLE, person=ADA.person), Role.MODERATOR)
    assert (granted.before, granted.after) == ("", "moderator")
    assert store.role(ADA.person) is Role.MODERATOR
    grant = entry(Act.GRANT_ROLE, person=ADA.person)
    assert refusal(lambda: store.set_role(grant, Role.MODERATOR)) is ActRefusal.NOTHING_TO_CHANGE
    store.set_role(grant, Role.OPERATOR)
    assert store.state(NOW).roles == {OPERATOR.person: Role.OPERATOR, ADA.person: Role.OPERATOR}
    store.set_role(entry(Act.REMOVE_ROLE, person=OPERATOR.person), None)
    last = entry(Act.REMOVE_ROLE, ADA.person, person=ADA.person)
    assert refusal(lambda: store.set_role(last, None)) is ActRefusal.LAST_OPERATOR
    assert store.role(ADA.person) is Role.OPERATOR
    unknown = entry_of_command(GUEST)
    assert refusal(lambda: store.set_role(unknown, Role.OPERATOR)) is ActRefusal.NO_SUCH_PERSON


def test_an_act_is_undone_once(store: ModerationStore) -> None:
    number = store.impose(*ban()).number
    undo = entry(Act.LIFT, sanction=number, undoes=number)
    undone = store.lift(undo)
    found = store.entry(number)
    assert found is not None
    assert found.undone_by == undone.number
    store.restore(entry(Act.RESTORE, sanction=number))
    assert refusal(lambda: store.lift(undo)) is ActRefusal.ALREADY_UNDONE


def test_of_many_who_undo_an_act_at_once_one_succeeds(store: ModerationStore) -> None:
    number = store.set_value(entry(Act.SET_REGISTRATIONS, after="closed"), Setting.REGISTRATIONS).number

    def undo(turn: int) -> bool:
        act = entry(Act.SET_REGISTRATIONS, after=f"open {turn}", undoes=number)
        try:
            store.set_value(act, Setting.REGISTRATIONS)
        except ActRefused:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(undo, range(20))) == 1
    assert len(log_of(store)) == 2


def test_workers_learn_of_every_act_in_its_order(store: ModerationStore) -> None:
    last = store.state(NOW).last
    number = store.impose(*ban()).number
    moderator(store)
    store.set_value(entry(Act.SET_REGISTRATIONS, after="closed"), Setting.REGISTRATIONS)
    closed = store.note(entry(Act.CLOSE_TABLE))
    changes = store.changes(last)
    assert [each.act for each in changes.entries] == [
        Act.IMPOSE, Act.GRANT_ROLE, Act.SET_REGISTRATIONS, Act.CLOSE_TABLE,
    ]  # fmt: skip
    assert [each.id for each in changes.sanctions] == [number]
    assert changes.roles == {BO.person: Role.MODERATOR}
    assert changes.settings == {Setting.REGISTRATIONS: "closed"}
    assert store.changes(closed.number).entries == []


def test_many_acts_at_once_get_numbers_of_their_own(store: ModerationStore) -> None:
    with ThreadPoolExecutor(8) as threads:
        written = [*threads.map(lambda n: store.impose(*ban(person=Person(f"g{n}"))), range(20))]
    assert sorted(each.number for each in written) == [each.number for each in log_of(store)]
    assert len({each.number for each in written}) == 20


def test_the_log_is_read_by_pages_and_by_what_it_concerns(store: ModerationStore) -> None:
    first = store.impose(*ban())
    moderator(store)
    second = store.impose(replace(entry(by=BO.person), person=GUEST), ban(person=GUEST)[1])
    third = store.impose(*ban(person=Person(""), network="192.0.2.0/24"))

    def numbers(wanted: LogFilter) -> list[int]:
        return [each.number for each in store.log(wanted)]

    assert numbers(LogFilter(limit=2)) == [third.number, second.number]
    assert numbers(LogFilter(before=second.number, act=Act.IMPOSE)) == [first.number]
    assert numbers(LogFilter(by=BO.person)) == [second.number]
    assert numbers(LogFilter(person=GUEST)) == [second.number]
    assert numbers(LogFilter(network="192.0.2.0/24")) == [third.number]


def test_a_name_is_taken_away_and_given_back(store: ModerationStore, accounts: AccountStore) -> None:
    renamed = store.rename(entry(Act.RENAME, person=ADA.person, after="Ann"), "ann", Millis(99_000))
    assert (renamed.before, renamed.after) == ("Ada", "Ann")
    found = accounts.account(ADA.person)
    assert found is not None
    assert (found.name, found.renamed) == ("Ann", None)
    taken = entry(Act.RENAME, person=BO.person, after="Ann")
    assert refusal(lambda: store.rename(taken, "ann", Millis(99_000))) is ActRefusal.NAME_TAKEN
    former = entry(Act.RENAME, person=BO.person, after="Ada")
    assert refusal(lambda: store.rename(former, "ada", Millis(99_000))) is ActRefusal.NAME_TAKEN
    back = entry(Act.RENAME, person=ADA.person, after="Ada", undoes=renamed.number)
    store.rename(back, "ada", Millis(99_000))
    assert accounts.account(ADA.person) == ADA
    assert accounts.changes(0)[-1].person == ADA.person, "workers read the account again"
    gone = entry(Act.RENAME, person=GUEST, after="Eve")
    assert refusal(lambda: store.rename(gone, "eve", Millis(99_000))) is ActRefusal.NO_SUCH_PERSON
    assert [each.act for each in log_of(store)] == [Act.RENAME, Act.RENAME]


def test_a_code_makes_the_first_operator_and_nobody_else(store: ModerationStore) -> None:
    assert store.claim_first_role(entry(Act.GRANT_ROLE, ADA.person, person=ADA.person)) is None
    assert store.role(ADA.person) is None


def test_of_many_with_the_first_code_one_becomes_operator(
    place: tuple[Path | None, str], clock: Clock
) -> None:
    persons = [Person(f"p{number}") for number in range(20)]
    with closing(open_accounts(*place, clock)) as accounts, ThreadPoolExecutor(8) as threads:
        store = accounts.moderation
        assert not store.state(NOW).ever_had_operator
        claims = [entry(Act.GRANT_ROLE, person, person=person) for person in persons]
        made = [each for each in threads.map(store.claim_first_role, claims) if each is not None]
        assert [*store.state(NOW).roles.items()] == [(made[0].person, Role.OPERATOR)]
        assert store.log(LogFilter()) == made
        assert store.state(NOW).ever_had_operator


def test_registrations_follow_the_setting(store: ModerationStore, accounts: AccountStore) -> None:
    eve = replace(ADA, person=Person("p3"), name="Eve", skeleton="eve")
    store.set_value(entry(Act.SET_REGISTRATIONS, after=Registrations.CLOSED), Setting.REGISTRATIONS)
    with pytest.raises(RegistrationRefused, match="closed"):
        accounts.register(eve, "hash", [])
    store.set_value(entry(Act.SET_REGISTRATIONS, after=Registrations.INVITED), Setting.REGISTRATIONS)
    with pytest.raises(RegistrationRefused, match="invitation"):
        accounts.register(eve, "hash", [], invitation=b"k")
    made = store.invite(entry(Act.INVITE), Invitation(0, b"k", "club", NOW, None, 1))
    accounts.register(eve, "hash", [], invitation=b"k")
    with pytest.raises(RegistrationRefused):
        accounts.register(
            replace(eve, person=Person("p4"), name="E2", skeleton="e2"), "", [], invitation=b"k"
        )
    (invitation,) = store.invitations()
    assert (invitation.id, invitation.used, invitation.uses) == (made.number, 1, 1)
    store.set_value(entry(Act.SET_REGISTRATIONS, after=Registrations.OPEN), Setting.REGISTRATIONS)
    accounts.register(replace(eve, person=Person("p5"), name="E3", skeleton="e3"), "", [])


def test_an_invitation_that_failed_for_another_reason_is_not_used(
    store: ModerationStore, accounts: AccountStore
) -> None:
    store.set_value(entry(Act.SET_REGISTRATIONS, after=Registrations.INVITED), Setting.REGISTRATIONS)
    store.invite(entry(Act.INVITE), Invitation(0, b"k", "", NOW, None, 1))
    with pytest.raises(Exception, match="name"):
        accounts.register(replace(ADA, person=Person("p3")), "hash", [], invitation=b"k")
    assert store.invitations()[0].used == 0


@pytest.mark.parametrize("ends", [NOW, None])
def test_an_invitation_ends_or_is_revoked(
    store: ModerationStore, accounts: AccountStore, ends: Millis | None
) -> None:
    store.set_value(entry(Act.SET_REGISTRATIONS, after=Registrations.INVITED), Setting.REGISTRATIONS)
    number = store.invite(entry(Act.INVITE), Invitation(0, b"k", "", NOW, ends, 9)).number
    if ends is None:
        store.revoke(entry(Act.REVOKE_INVITATION, invitation=number))
        again = entry(Act.REVOKE_INVITATION, invitation=number)
        assert refusal(lambda: store.revoke(again)) is ActRefusal.NOTHING_TO_CHANGE
    with pytest.raises(RegistrationRefused):
        accounts.register(replace(ADA, person=Person("p3"), name="E", skeleton="e"), "", [], invitation=b"k")
    unknown = entry(Act.REVOKE_INVITATION, invitation=99)
    assert refusal(lambda: store.revoke(unknown)) is ActRefusal.NO_SUCH_INVITATION


def test_the_log_keeps_acts_but_not_the_names_of_deleted_persons(
    store: ModerationStore, accounts: AccountStore
) -> None:
    store.impose(*ban(name="Ada the guest"))
    store.rename(entry(Act.RENAME, person=ADA.person, after="Ann"), "ann", Millis(99_000))
    moderator(store, ADA.person)
    accounts.delete_account(ADA.person, Millis(99_000))
    assert store.role(ADA.person) is None
    assert [each.act for each in log_of(store)] == [Act.IMPOSE, Act.RENAME, Act.GRANT_ROLE]
    assert {each.person for each in log_of(store)} == {ADA.person}
    assert not any(name in str(log_of(store)) for name in ("Ada", "Ann"))
    assert [each.name for each in store.sanctions_of(ADA.person)] == [""]


def test_networks_are_forgotten_a_while_after_the_sanction(store: ModerationStore) -> None:
    network = {"person": Person(""), "network": "192.0.2.0/24"}
    store.impose(*ban(**network))
    store.impose(*ban(**network, ends=None))
    store.forget(Millis(0), Millis(9_000))
    assert [each.network for each in store.sanctions(None, 9, in_force_at=None)] == ["192.0.2.0/24"] * 2
    store.forget(Millis(0), Millis(9_001))
    assert [each.network for each in store.sanctions(None, 9, in_force_at=None)] == ["192.0.2.0/24", ""]
    assert [each.network for each in log_of(store)] == ["", "192.0.2.0/24"]


def test_a_token_uses_a_role_only_if_it_was_allowed_to(
    store: ModerationStore, accounts: AccountStore
) -> None:
    assert not store.is_allowed(b"t")
    allowed = entry_of_command(OPERATOR.person, Act.ALLOW_TOKEN)
    store.allow_token(allowed, b"t")
    assert store.is_allowed(b"t")
    assert [each.act for each in log_of(store)] == [Act.ALLOW_TOKEN]
    ordinary = entry_of_command(ADA.person, Act.ALLOW_TOKEN)
    assert refusal(lambda: store.allow_token(ordinary, b"u")) is ActRefusal.NO_SUCH_PERSON
    assert not store.is_allowed(b"u")
    accounts.delete_account(OPERATOR.person, Millis(99_000))
    assert not store.is_allowed(b"t")


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_schema_1_is_migrated(place: tuple[Path, str], clock: Clock) -> None:
    with closing(open_accounts(*place, clock)) as accounts:
        accounts.register(ADA, "hash", [])
        accounts.moderation.set_role(entry_of_command(ADA.person), Role.OPERATOR)
    with closing(sqlite3.connect(place[0] / ARCHIVE_FILE)) as connection:
        connection.execute("drop table operator_tokens")
        connection.execute("update moderation_schema set schema = 1")
        connection.commit()
    with pytest.raises(StoreError, match="schema 1"):
        open_accounts(*place, clock, update=False)
    with closing(open_accounts(*place, clock)) as accounts:
        assert accounts.moderation.role(ADA.person) is Role.OPERATOR
        accounts.moderation.allow_token(entry_of_command(ADA.person, Act.ALLOW_TOKEN), b"t")
        assert accounts.moderation.is_allowed(b"t")


def test_a_token_that_was_allowed_for_a_role_is_not_for_the_next_one(store: ModerationStore) -> None:
    moderator(store)
    store.allow_token(entry_of_command(BO.person, Act.ALLOW_TOKEN), b"t")
    store.set_role(entry(Act.GRANT_ROLE, person=BO.person), Role.OPERATOR)
    assert not store.is_allowed(b"t")
