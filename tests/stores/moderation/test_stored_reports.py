"""One contract for reports and appeals in SQLite and in PostgreSQL."""

from typing import Any

import pytest
from msgspec.structs import replace

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.moderation.moderation_interface import ActRefusal, ActRefused, ModerationStore
from qipai.hall.moderation.operator_log_interface import Act
from qipai.hall.moderation.report_interface import (
    Report,
    ReportedLine,
    ReportedSeat,
    ReportFilter,
    ReportKind,
    ReportState,
)
from qipai.kernel.ids import Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.packing.person_names import DELETED_PLAYER
from tests.stores.accounts.account_rows import ADA, BO
from tests.stores.moderation.acts import GUEST, NOW, OPERATOR, entry

LINE = ReportedLine(Millis(4_000), "Bo", "You are bad at this.", Seat(1))
REPORT = Report(
    0,
    ReportKind.REPORT,
    NOW,
    ADA.person,
    "Ada",
    "not nice",
    RoomId("r1"),
    "chess",
    7,
    1,
    Seat(0),
    LINE,
    BO.person,
    "Bo",
    (ReportedSeat(Seat(0), ADA.person, "Ada"), ReportedSeat(Seat(1), BO.person, "Bo")),
    (ReportedLine(Millis(3_000), "Ada", "Hello"), LINE),
    nonce=Nonce("n1"),
)
MOST = 100


def file(store: ModerationStore, **fields: Any) -> int:
    return store.file_report(replace(REPORT, **fields), MOST)


def test_a_report_is_kept_as_it_was_written(store: ModerationStore) -> None:
    number = file(store)
    assert store.report(number) == replace(REPORT, id=number)
    assert store.report(99) is None


def test_the_same_report_sent_again_is_one(store: ModerationStore) -> None:
    assert file(store) == file(store)
    assert file(store, nonce=Nonce("n2")) != file(store)
    assert store.open_reports() == 2


def test_no_more_are_stored_than_may_be_open(store: ModerationStore) -> None:
    numbers = [store.file_report(replace(REPORT, nonce=Nonce(f"n{n}")), 3) for n in range(4)]
    assert numbers[:3] == [1, 2, 3]
    assert numbers[3] == 0
    store.change_report(entry(Act.CLOSE_REPORT, report=1))
    assert store.file_report(replace(REPORT, nonce=Nonce("n9")), 3)


def test_reports_are_found_by_what_they_concern(store: ModerationStore) -> None:
    first = file(store)
    second = file(store, nonce=Nonce("n2"), by=BO.person, about=ADA.person, room=RoomId("r2"))
    appeal = file(store, nonce=Nonce("n3"), kind=ReportKind.APPEAL, sanction=4, room=RoomId(""))
    store.change_report(entry(Act.CLOSE_REPORT, report=first))
    store.change_report(entry(Act.ASSIGN_REPORT, report=second, after=OPERATOR.person))

    def found(**fields: Any) -> list[int]:
        return [each.id for each in store.reports(ReportFilter(**fields))]

    assert found() == [appeal, second, first]
    assert found(limit=1) == [appeal]
    assert found(before=appeal, limit=1) == [second]
    assert found(state=ReportState.OPEN) == [appeal, second]
    assert found(state=ReportState.DONE) == [first]
    assert found(kind=ReportKind.APPEAL) == [appeal]
    assert found(assigned=OPERATOR.person) == [second]
    assert found(assigned=Person("")) == [appeal, first]
    assert found(about=ADA.person) == [second]
    assert found(by=BO.person) == [second]
    assert found(room="r2") == [second]


def test_every_change_of_a_report_is_an_entry(store: ModerationStore) -> None:
    number = file(store)
    store.change_report(entry(Act.ASSIGN_REPORT, report=number, after=OPERATOR.person))
    noted = store.change_report(entry(Act.NOTE_REPORT, report=number, after="second time"))
    closed = store.change_report(entry(Act.CLOSE_REPORT, report=number))
    assert (noted.before, noted.after) == ("", "second time")
    assert (closed.before, closed.after) == ("open", "done")
    shown = store.report(number)
    assert shown is not None
    assert (shown.assigned, shown.note, shown.state, shown.closed) == (
        OPERATOR.person, "second time", ReportState.DONE, NOW,
    )  # fmt: skip
    store.change_report(entry(Act.REOPEN_REPORT, report=number))
    opened = store.report(number)
    assert opened is not None
    assert (opened.state, opened.closed) == (ReportState.OPEN, None)


@pytest.mark.parametrize("act", [Act.CLOSE_REPORT, Act.REOPEN_REPORT, Act.ASSIGN_REPORT, Act.NOTE_REPORT])
def test_what_changes_nothing_is_refused(store: ModerationStore, act: Act) -> None:
    number = file(store)
    if act is Act.CLOSE_REPORT:
        store.change_report(entry(act, report=number))
    with pytest.raises(ActRefused, match=ActRefusal.NOTHING_TO_CHANGE):
        store.change_report(entry(act, report=number))
    with pytest.raises(ActRefused, match=ActRefusal.NO_SUCH_REPORT):
        store.change_report(entry(act, report=99))


def test_nobody_decides_about_a_report_of_oneself(store: ModerationStore) -> None:
    number = file(store, about=OPERATOR.person)
    with pytest.raises(ActRefused, match=ActRefusal.YOURSELF):
        store.change_report(entry(Act.CLOSE_REPORT, report=number))
    assert store.open_reports() == 1


def test_a_sanction_has_one_open_appeal(store: ModerationStore) -> None:
    appeal = {"kind": ReportKind.APPEAL, "sanction": 4}
    number = file(store, **appeal)
    with pytest.raises(ActRefused, match=ActRefusal.APPEAL_OPEN):
        file(store, **appeal, nonce=Nonce("n2"))
    file(store, kind=ReportKind.APPEAL, sanction=5, nonce=Nonce("n3"))
    store.change_report(entry(Act.CLOSE_REPORT, report=number))
    assert file(store, **appeal, nonce=Nonce("n4"))


def test_guests_are_found_by_the_name_in_a_report(store: ModerationStore) -> None:
    file(store, by=GUEST, by_name="Heron 12")
    assert store.persons_named("heron 12", 9) == [(GUEST, "Heron 12")]
    assert store.persons_named("Heron", 9) == []


def test_closed_reports_are_deleted_after_a_while(store: ModerationStore) -> None:
    old, new = file(store), file(store, nonce=Nonce("n2"))
    store.change_report(replace(entry(Act.CLOSE_REPORT, report=old), at=Millis(1_000)))
    store.forget(Millis(1_000), Millis(0))
    assert store.report(old) is not None
    store.forget(Millis(1_001), Millis(0))
    assert [each.id for each in store.reports(ReportFilter())] == [new]
    assert len(store.persons_named("Ada", 9)) == 1


def test_no_report_has_the_name_of_a_deleted_person(store: ModerationStore, accounts: AccountStore) -> None:
    number = file(store)
    file(store, nonce=Nonce("n2"), by=BO.person, by_name="Bo", about=ADA.person, about_name="Ada")
    accounts.delete_account(ADA.person, Millis(99_000))
    found = store.reports(ReportFilter())
    assert "Ada" not in str(found)
    assert [each.text for each in found] == ["not nice", "not nice"]
    shown = store.report(number)
    assert shown is not None
    assert (shown.by, shown.by_name, shown.about_name) == (ADA.person, DELETED_PLAYER, "Bo")
    assert shown.chat[0].name == DELETED_PLAYER
    assert store.persons_named("Ada", 9) == []
