"""All rows of accounts and moderation move between databases of each kind."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.accounts.account_copy_interface import TableRows
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.moderation_interface import Invitation, Setting
from qipai.hall.moderation.operator_log_interface import Act, LogFilter
from qipai.hall.moderation.report_interface import ReportFilter
from qipai.hall.moderation.sanction_interface import Role
from qipai.kernel.ids import Millis
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from tests.stores.accounts.account_rows import ADA, BO, DESK, KEY, Clock
from tests.stores.moderation.acts import NOW, ban, entry, entry_of_command
from tests.stores.moderation.test_stored_reports import REPORT


@pytest.fixture
def other(tmp_path: Path, clock: Clock) -> Iterator[AccountStore]:
    """Yield an empty SQLite database."""
    folder = tmp_path / "other"
    folder.mkdir()
    with closing(open_archive(folder, "")), closing(open_accounts(folder, "", clock)) as store:
        yield store


def fill(store: AccountStore) -> None:
    store.register(ADA, "hash of Ada", [b"\0key"])
    store.register(BO, "", [])
    store.add_passkey(KEY, b"challenge", Millis(9_000))
    store.start_session(DESK)
    moderation = store.moderation
    moderation.set_role(entry_of_command(ADA.person), Role.OPERATOR)
    moderation.impose(entry(by=ADA.person, person=BO.person), ban(person=BO.person)[1])
    moderation.set_value(entry(Act.SET_REGISTRATIONS, ADA.person, after="invited"), Setting.REGISTRATIONS)
    moderation.invite(entry(Act.INVITE, ADA.person), Invitation(0, b"\xff", "club", NOW, None, 3))
    moderation.file_report(REPORT, 9)


def copy(source: AccountStore, target: AccountStore) -> None:
    for part in source.rows():
        target.write_rows(part)


def test_everything_is_copied_there_and_back(store: AccountStore, other: AccountStore) -> None:
    assert store.is_empty()
    fill(other)
    assert not other.is_empty()
    copy(other, store)
    assert {part.table: sorted(part.rows, key=str) for part in store.rows()} == {
        part.table: sorted(part.rows, key=str) for part in other.rows()
    }
    assert store.find("ada") == (ADA, "hash of Ada")
    assert store.session(DESK.key, Millis(5_000)) == (DESK, ADA)
    assert store.moderation.state(NOW) == other.moderation.state(NOW)
    assert store.moderation.log(LogFilter()) == other.moderation.log(LogFilter())
    assert store.moderation.reports(ReportFilter()) == other.moderation.reports(ReportFilter())
    assert store.moderation.invitations() == other.moderation.invitations()
    last = store.moderation.state(NOW).last
    assert store.moderation.note(entry(Act.CLOSE_TABLE, ADA.person)).number == last + 1


@pytest.mark.parametrize(
    "part",
    [
        TableRows("sqlite_master", ("name",), (("x",),)),
        TableRows("accounts", ("person", "rank"), (("p1", 1),)),
        TableRows("accounts", ("person) values ('p'); --",), (("p1",),)),
        TableRows("accounts", ("person", "name"), (("p1",),)),
        TableRows("accounts", (), ((),)),
    ],
)
def test_rows_that_do_not_fit_are_refused(store: AccountStore, part: TableRows) -> None:
    with pytest.raises(StoreError, match="table"):
        store.write_rows(part)
    assert store.is_empty()
