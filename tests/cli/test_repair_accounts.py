"""`qipai repair` of an archive with accounts: they are kept as they are, or nothing is changed."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.cli.main import main
from qipai.hall.accounts.account_interface import Account, SignInLink
from qipai.hall.accounts.openid.openid_interface import ProviderIdentity
from qipai.hall.moderation.moderation_interface import Invitation, Setting
from qipai.hall.moderation.operator_log_interface import Act
from qipai.hall.moderation.sanction_interface import Role
from qipai.hall.relations.relation_interface import Privacy
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.moderation.moderation_tables import NAMES
from qipai.stores.sqlite_log import ARCHIVE_PAGE_BYTES
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE
from tests.stores.accounts.account_rows import ADA, BO, DESK, KEY, PHONE, TOKEN, Clock
from tests.stores.moderation.acts import ban, entry, entry_of_command
from tests.stores.moderation.test_stored_reports import REPORT
from tests.support.databases.known_databases import write_archive

CY = Account(Person("p3"), "Cy", "cy", Millis(3_000))
DI = Account(Person("p4"), "Di", "di", Millis(3_000))
LATER = Millis(9_000)
DAMAGE_MATCH = "update archived_matches set body = x'00' where room = 'room00000003'"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a stopped server with finished games and a row in each table of accounts."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("QIPAI_DATA", str(folder))
    monkeypatch.chdir(tmp_path)
    SqliteStore(folder / JOURNAL_FILE).close()
    write_archive(folder)
    with closing(open_accounts(folder, "", Clock())) as accounts:
        accounts.register(ADA, "hash of Ada", [b"r1", b"r2"])
        accounts.register(BO, "hash of Bo", [b"r3"])
        accounts.register(CY, "", [])
        accounts.add_passkey(KEY, b"challenge", LATER)
        accounts.start_session(PHONE)
        accounts.start_session(DESK)
        assert accounts.sign_in_links.issue(SignInLink(b"link", ADA.person, LATER))
        accounts.openid.link(ProviderIdentity(b"identity", "https://club.example", ADA.person, LATER))
        accounts.relations.follow(ADA.person, BO.person)
        accounts.register(DI, "", [])
        accounts.relations.block(BO.person, DI.person)
        accounts.relations.set_privacy(ADA.person, Privacy(invisible=True))
        accounts.api_tokens.add(TOKEN, 10)
        accounts.api_tokens.make_bot(BO.person, Millis(4_000))
        accounts.delete_account(CY.person, LATER)
        moderation = accounts.moderation
        moderation.set_role(entry_of_command(ADA.person), Role.OPERATOR)
        moderation.allow_token(entry_of_command(ADA.person, Act.ALLOW_TOKEN), b"t")
        moderation.impose(entry(by=ADA.person, person=BO.person), ban(person=BO.person)[1])
        moderation.set_value(entry(Act.SET_REGISTRATIONS, ADA.person, after="invited"), Setting.REGISTRATIONS)
        moderation.invite(entry(Act.INVITE, ADA.person), Invitation(0, b"k", "", LATER, None, 1))
        moderation.file_report(REPORT, 9)
    return folder


def spoil(file: Path, sql: str) -> None:
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute(sql).rowcount
        connection.commit()


def tables(file: Path) -> dict[str, list[Any]]:
    """Return the rows of every table of accounts: all tables that an archive without accounts lacks."""
    with closing(sqlite3.connect(file)) as connection:
        names = {
            name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")
        }
        with closing(sqlite3.connect(file.with_name("no-accounts.db"))) as other:
            names -= {name for (name,) in other.execute("select name from sqlite_master")}
        return {name: sorted(connection.execute(f"select * from {name}")) for name in names}


@pytest.fixture
def known(data: Path, tmp_path: Path) -> dict[str, list[Any]]:
    """Return the rows of every table of accounts before the damage."""
    (tmp_path / "other").mkdir()
    with closing(open_archive(tmp_path / "other", "")):
        pass
    (tmp_path / "other" / ARCHIVE_FILE).rename(data / "no-accounts.db")
    found = tables(data / ARCHIVE_FILE)
    assert len(found) == 27
    assert all(found.values())
    return found


def test_a_repaired_archive_has_all_accounts(data: Path, known: dict[str, list[Any]]) -> None:
    spoil(data / ARCHIVE_FILE, DAMAGE_MATCH)
    assert main(["repair"]) == 0
    assert len(list(data.glob("archive.db.damaged-*[0-9]"))) == 1
    assert tables(data / ARCHIVE_FILE) == known
    with closing(open_accounts(data, "", Clock())) as accounts:
        assert accounts.find("ada") == (ADA, "hash of Ada")
        assert accounts.session(PHONE.key, Millis(1)) == (PHONE, ADA)
        assert accounts.api_tokens.find(TOKEN.key, Millis(1)) == TOKEN
        assert accounts.account(BO.person) == replace(BO, bot=True)
        assert accounts.deleted_persons() == [CY.person]


def test_an_archive_of_a_release_without_moderation_is_repaired(data: Path) -> None:
    with closing(sqlite3.connect(data / ARCHIVE_FILE)) as connection:
        for table in (*NAMES, "moderation_schema"):
            connection.execute(f"drop table {table}")
        connection.commit()
    spoil(data / ARCHIVE_FILE, DAMAGE_MATCH)
    assert main(["repair"]) == 0
    with closing(open_accounts(data, "", Clock())) as accounts:
        assert accounts.find("ada") == (ADA, "hash of Ada")
        assert not accounts.moderation.state(Millis(1)).ever_had_operator


def test_a_wrong_rating_is_no_damage(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    spoil(data / ARCHIVE_FILE, "insert into ratings values ('p9', 'chess-blitz', 2800, 45, 0.06, 900, 1)")
    before = (data / ARCHIVE_FILE).read_bytes()
    assert main(["repair"]) == 0
    assert capsys.readouterr() == ("", "")
    assert (data / ARCHIVE_FILE).read_bytes() == before
    assert not list(data.glob("archive.db.*"))


def overwrite(file: Path, page: int) -> None:
    body = bytearray(file.read_bytes())
    body[(page - 1) * ARCHIVE_PAGE_BYTES : page * ARCHIVE_PAGE_BYTES] = bytes(ARCHIVE_PAGE_BYTES)
    file.write_bytes(body)


def root_page(file: Path, name: str) -> int:
    with closing(sqlite3.connect(file)) as connection:
        ((page,),) = connection.execute("select rootpage from sqlite_master where name = ?", (name,))
    return int(page)


def written(data: Path) -> dict[str, bytes]:
    """Return what was written to an archive and beside it; reading leaves an empty log and its index."""
    found = {each.name: each.read_bytes() for each in data.glob(f"{ARCHIVE_FILE}*")}
    return {name: body for name, body in found.items() if body and name != f"{ARCHIVE_FILE}-shm"}


@pytest.mark.parametrize("lost", ["first page", "accounts", "sessions_of_person", "recovery_keys", "log"])
def test_an_archive_whose_accounts_cannot_be_read_is_not_changed(
    data: Path, capsys: pytest.CaptureFixture[str], lost: str
) -> None:
    file = data / ARCHIVE_FILE
    if lost == "log":
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("update accounts set name = 'Ada Two' where person = 'p1'")
            connection.execute("update accounts set renamed = 7 where person = 'p1'")
            connection.commit()
            connection.execute("update accounts set renamed = 8 where person = 'p1'")
            connection.commit()
            log = bytearray((data / f"{ARCHIVE_FILE}-wal").read_bytes())
        log[2000] ^= 1
        (data / f"{ARCHIVE_FILE}-wal").write_bytes(log)
    else:
        overwrite(file, 1 if lost == "first page" else root_page(file, lost))
    files = written(data)
    assert main(["repair"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"qipai: {file} was not repaired, because the accounts in it cannot be read (")
    assert line.endswith("): restore a backup with `qipai restore FILE`")
    assert written(data) == files


def test_an_archive_without_accounts_is_repaired_also_without_its_first_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    SqliteStore(tmp_path / JOURNAL_FILE).close()
    write_archive(tmp_path)
    overwrite(tmp_path / ARCHIVE_FILE, 1)
    assert main(["repair"]) == 0
    assert f"{tmp_path / ARCHIVE_FILE} has " in capsys.readouterr().out
