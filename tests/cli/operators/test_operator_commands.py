"""The commands of operators: what they do is in the log, with the user who typed it."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from qipai.cli.main import main
from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_interface import Account
from qipai.hall.moderation.sanction_interface import Role, SanctionKind
from qipai.hall.people.names import Names
from qipai.kernel.ids import Millis, Person
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from tests.stores.accounts.account_rows import Clock
from tests.stores.moderation.acts import GUEST
from tests.stores.moderation.test_stored_reports import REPORT

NAMES = Names(GAMES, lambda _: None)
ADA = Account(Person("p1"), "Ada Lovelace", NAMES.skeleton("Ada Lovelace"), Millis(1_000))
BOB = Account(Person("p2"), "Bad Bob", NAMES.skeleton("Bad Bob"), Millis(2_000))
Run = Callable[..., list[str]]


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the data folder of a server with two accounts and a report."""
    for name in ("QIPAI_CONFIG", "QIPAI_STORE", "QIPAI_ARCHIVE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.setenv("LOGNAME", "alice")
    monkeypatch.chdir(tmp_path)
    with closing(open_archive(tmp_path, "")) as archive:
        archive.check()
    with closing(open_accounts(tmp_path, "", Clock())) as accounts:
        for account in (ADA, BOB):
            accounts.register(account, "hash", [])
        accounts.moderation.file_report(replace(REPORT, by=GUEST, by_name="Heron 12", about=BOB.person), 9)
    return tmp_path


@pytest.fixture
def run(data: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str, code: int = 0) -> list[str]:
        assert main([*arguments]) == code, capsys.readouterr()
        shown = capsys.readouterr()
        return (shown.out if code == 0 else shown.err).splitlines()

    return run


def stored(data: Path, read: Callable[[Any], Any]) -> Any:
    with closing(open_accounts(data, "", Clock())) as accounts:
        return read(accounts.moderation)


def test_an_operator_is_added_listed_and_removed(data: Path, run: Run) -> None:
    (line,) = run("operator", "add", "ada lovelace", "--reason", "our first")
    for part in ("alice at the machine", "grant_role", "Ada Lovelace", "'' → 'operator'", "our first"):
        assert part in line
    run("operator", "add", "Bad Bob", "--moderator")
    assert run("operator", "list") == ["moderator  Bad Bob", "operator  Ada Lovelace"]
    assert stored(data, lambda store: store.role(BOB.person)) is Role.MODERATOR
    run("operator", "remove", "Bad Bob")
    assert run("operator", "list") == ["operator  Ada Lovelace"]
    assert run("operator", "remove", "Ada Lovelace", code=2) == [
        "qipai: this is the last operator: add another one first"
    ]
    assert run("operator", "add", "Nobody", code=2) == ["qipai: there is no such account or person"]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        ("warn", SanctionKind.WARNING),
        ("mute", SanctionKind.MUTE),
        ("unrated", SanctionKind.UNRATED),
        ("ban", SanctionKind.BAN),
    ],
)
def test_a_sanction_is_imposed_listed_and_lifted(
    data: Path, run: Run, command: str, kind: SanctionKind
) -> None:
    run(command, "add", "Bad Bob", "--hours", "24", "--reason", "insults")
    (listed,) = map(json.loads, run(command, "list", "--json"))
    assert (listed["kind"], listed["person"]["name"], listed["in_force"]) == (kind, "Bad Bob", True)
    assert listed["ends"] - listed["made"] == pytest.approx(24 * 3_600_000, abs=60_000)
    number = str(listed["id"])
    other = "mute" if command == "ban" else "ban"
    assert run(other, "list") == []
    assert run(other, "lift", number, "--reason", "x", code=2)
    (lifted,) = run(command, "lift", number, "--reason", "apology")
    assert "apology" in lifted
    assert run(command, "list") == []
    (over,) = run(command, "list", "--all")
    assert over.endswith("(over)")
    assert stored(data, lambda store: store.sanction(listed["id"]).lifted) is not None


def test_networks_and_guests_are_banned(data: Path, run: Run) -> None:
    run("ban", "add", "192.0.2.77/24", "--for-good", "--reason", "flood")
    run("ban", "add", "2001:db8::1", "--for-good", "--reason", "flood")
    run("ban", "add", GUEST, "--hours", "1", "--reason", "flood", "--addresses")
    found = [json.loads(line) for line in run("ban", "list", "--json")]
    assert [each["network"] for each in found] == ["", "2001:db8::/64", "192.0.2.0/24"]
    assert [each["person"] and each["person"]["person"] for each in found] == [GUEST, None, None]
    assert [each["with_addresses"] for each in found] == [True, False, False]
    assert [each["ends"] is None for each in found] == [False, True, True]


@pytest.mark.parametrize(
    "arguments",
    [
        ("ban", "add", "Bad Bob", "--reason", "x"),
        ("ban", "add", "Bad Bob", "--hours", "0", "--reason", "x"),
        ("ban", "add", "Bad Bob", "--hours", "1", "--for-good", "--reason", "x"),
        ("ban", "add", "Bad Bob", "--for-good"),
        ("ban", "lift", "x", "--reason", "x"),
        ("registrations", "perhaps"),
    ],
)
def test_a_wrong_argument_is_refused(data: Path, arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as caught:
        main([*arguments])
    assert caught.value.code == 2
    assert stored(data, lambda store: store.state(Millis(1))).last == 0


@pytest.mark.parametrize(
    ("who", "text"),
    [
        ("192.0.2.0/33", "expected an address"),
        ("0.0.0.0/0", "wider than /8"),
        ("2001:db8::/72", "narrower than /64"),
        ("Nobody", "there is no such account or person"),
    ],
)
def test_whom_nobody_knows_is_not_banned(data: Path, run: Run, who: str, text: str) -> None:
    (line,) = run("ban", "add", who, "--for-good", "--reason", "x", code=2)
    assert text in line
    assert stored(data, lambda store: store.state(Millis(1))).last == 0


def test_people_are_searched_shown_and_renamed(data: Path, run: Run) -> None:
    assert run("people", "search", "bob") == ["p2  Bad Bob"]
    (guest,) = map(json.loads, run("people", "search", "Heron 12", "--json"))
    assert (guest["person"], guest["name"], guest["account"]) == (GUEST, "Heron 12", False)
    run("people", "rename", "Bad Bob", "Good Bob", "--reason", "rude")
    assert run("people", "search", "Good") == ["p2  Good Bob"]
    shown = "\n".join(run("people", "show", "Good Bob"))
    for part in ("account since", "report 1", "rename", "'Bad Bob' → 'Good Bob'"):
        assert part in shown
    assert run("people", "rename", "Good Bob", "admin", "--reason", "x", code=2)
    assert run("people", "search", "Nobody", code=1) == []


def test_reports_are_read_and_closed(data: Path, run: Run) -> None:
    (line,) = run("reports", "list")
    for part in ("Heron 12", "about Bad Bob", "table r1", "not nice"):
        assert part in line
    assert "reported line: Bo: You are bad at this." in run("reports", "show", "1")
    run("reports", "close", "1", "--reason", "warned")
    assert run("reports", "list") == []
    (closed,) = map(json.loads, run("reports", "list", "--all", "--json"))
    assert closed["state"] == "done"
    assert run("reports", "show", "9", code=2) == ["qipai: no report has the number 9"]


def test_the_log_is_printed_and_acts_are_undone(data: Path, run: Run) -> None:
    for hours in ("1", "2", "3"):
        run("mute", "add", "Bad Bob", "--hours", hours, "--reason", f"reason {hours}")
    assert [line.split()[0] for line in run("log", "show")] == ["3", "2", "1"]
    assert len(run("log", "show", "--last", "2")) == 2
    (undone,) = run("log", "undo", "2", "--reason", "mistake")
    assert "undoes 2" in undone
    assert run("log", "undo", "2", "--reason", "again", code=2) == ["qipai: this act was undone before"]
    entries = [json.loads(line) for line in run("log", "show", "--json")]
    assert [(each["act"], each["user"], each["via"]) for each in entries] == [
        ("lift", "alice", "command"), *[("impose", "alice", "command")] * 3,
    ]  # fmt: skip
    assert entries[2]["undone_by"] == 4


def test_the_server_is_told_what_to_do(data: Path, run: Run) -> None:
    assert run("registrations") == ["open"]
    run("registrations", "invited", "--reason", "spam")
    assert run("registrations") == ["invited"]
    (code,) = run("invite", "--uses", "3", "--hours", "24", "--note", "the club")
    assert len(code.replace("-", "")) == 16
    (invitation,) = stored(data, lambda store: store.invitations())
    assert (invitation.uses, invitation.note) == (3, "the club")
    run("announce", "Restart at noon", "--hours", "2")
    run("table", "close", "k7Qm2xVd4TfA", "--reason", "title")
    assert [line.split("  ")[3] for line in run("log", "show")] == [
        "close_table", "announce", "invite", "set_registrations",
    ]  # fmt: skip
    assert code not in "".join(run("log", "show", "--json"))


def test_accounts_in_memory_have_no_commands(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("QIPAI_STORE", "memory")
    assert run("operator", "list", code=2) == ["qipai: accounts in memory are known only to the server"]


def test_without_a_server_there_is_nothing_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path / "empty"))
    (line,) = run("operator", "list", code=2)
    assert line.startswith("qipai: no accounts at")
