"""`qipai account link`: a link for an account, issued while the server runs."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext
from datetime import datetime
from pathlib import Path

import pytest

from qipai.cli.main import main
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from tests.hall.accounts.authenticator import Authenticator
from tests.server.test_account_api import GOOD, OTHER, SIGNED_OUT, Browser, registered
from tests.stores.accounts.account_rows import ADA, Clock
from tests.support.databases.postgres import postgres
from tests.support.server import ServerProcess

LINK = re.compile(
    r"(\S+)/#/account/link/([\w-]{43})\nfor (.+), once, until (.+); earlier links no longer work\n"
)
HOST = {"host": "qipai.example"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QIPAI_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def issue(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[str, str, str, str]:
    """Return the address, the secret, the name and the end of a new link."""
    assert main(["account", "link", *arguments]) == 0
    found = LINK.fullmatch(capsys.readouterr().out)
    assert found is not None
    address, token, name, until = found.groups()
    return address, token, name, until


def stored(folder: Path) -> bytes:
    """Return all that is in the files of the archive."""
    return b"".join(path.read_bytes() for path in folder.glob(f"{ARCHIVE_FILE}*"))


def test_the_link_is_printed_and_only_its_hash_is_stored(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(open_accounts(data, "", Clock())) as accounts:
        accounts.register(ADA, "hash", [])
    address, token, name, until = issue(capsys, "ADA", "--hours", "2")
    assert (address, name) == ("http://127.0.0.1:3000", "Ada")
    end = datetime.strptime(until, "%Y-%m-%d %H:%M %Z").astimezone()
    hours = (end - datetime.now().astimezone()).total_seconds() / 3600
    assert 1.9 < hours <= 2
    assert token.encode() not in stored(data)
    first = issue(capsys, "ada", "--address", "https://games.example/")
    assert first[0] == "https://games.example"
    assert first[1] != token
    with closing(sqlite3.connect(data / ARCHIVE_FILE)) as connection:
        assert connection.execute("select count(*) from sign_in_links").fetchall() == [(1,)]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["Eve"], "qipai: no account is called 'Eve'\n"),
        (["Ada", "--hours", "0"], "expected a number from 1 to 720, got '0'"),
        (["Ada", "--hours", "721"], "expected a number from 1 to 720, got '721'"),
        (["Ada", "--address", "games.example"], "expected an address such as https://games.example"),
        (["Ada", "--address", "https://a.example/path"], "expected an address such as https://games.example"),
        ([], "the following arguments are required: NAME"),
    ],
)
def test_a_wrong_argument_is_named_and_nothing_is_stored(
    data: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], text: str
) -> None:
    with closing(open_accounts(data, "", Clock())) as accounts:
        accounts.register(ADA, "hash", [])
    try:
        code = main(["account", "link", *arguments])
    except SystemExit as ended:
        code = int(ended.code or 0)
    assert code == 2
    assert text in capsys.readouterr().err
    with closing(sqlite3.connect(data / ARCHIVE_FILE)) as connection:
        assert connection.execute("select count(*) from sign_in_links").fetchall() == [(0,)]


def test_nothing_is_created_where_no_server_has_run(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["account", "link", "Ada"]) == 2
    assert capsys.readouterr().err == f"qipai: no accounts at {data / ARCHIVE_FILE}\n"
    assert list(data.iterdir()) == []


def test_accounts_in_memory_have_no_links(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("QIPAI_STORE", "memory")
    assert main(["account", "link", "Ada"]) == 2
    assert capsys.readouterr().err == "qipai: accounts in memory are known only to the server\n"


@pytest.fixture(params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, data: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ServerProcess]:
    """Return a running server with accounts of either kind; commands have the same settings."""
    with nullcontext("") if request.param == "sqlite" else postgres() as archive:
        monkeypatch.setenv("QIPAI_ARCHIVE", archive)
        with ServerProcess(data / "server") as server:
            monkeypatch.setenv("QIPAI_DATA", str(server.data))
            monkeypatch.setenv("PORT", str(server.port))
            yield server
            assert server.errors == []


@pytest.mark.slow
def test_a_link_is_used_while_the_server_runs(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    ada, phone = registered(server, "Ada Lost"), Browser(server)
    address, token, name, _ = issue(capsys, "ada lost")
    assert (address, name) == (f"http://127.0.0.1:{server.port}", "Ada Lost")
    assert phone.post("link", token=token).body == {"name": "Ada Lost"}
    with closing(ada.connect()) as there:
        assert there.welcome["account"] is True
        answer = phone.post("link-use", token=token, password=OTHER)
        assert answer.status == 200
        assert answer.body["name"] == "Ada Lost"
        assert len(answer.body["recovery_codes"]) == 10
        assert there.close_code() == SIGNED_OUT
    with closing(phone.connect()) as here:
        assert here.welcome["name"] == "Ada Lost"
    assert len(phone.ask("GET", "/api/account").body["devices"]) == 1
    again = Browser(server).post("link-use", token=token, password=GOOD)
    assert (again.status, again.body) == (404, {"error": "bad_link"})
    assert "set-cookie" not in again.headers
    assert Browser(server).post("sign-in", name="Ada Lost", password=OTHER).status == 200
    assert token not in json.dumps(phone.ask("GET", "/api/account/data").body)
    assert token not in server.log.read_text()


@pytest.mark.slow
def test_a_link_makes_a_passkey_while_the_server_runs(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    registered(server, "Ada Key")
    token, key, phone = issue(capsys, "ada key")[1], Authenticator(), Browser(server)
    options = phone.ask("POST", "/api/account/link-passkey-options", {"token": token}, **HOST).body
    sent = {"token": token, "passkey": key.make(options)}
    assert phone.ask("POST", "/api/account/link-use", sent, **HOST).status == 200
    shown = phone.ask("GET", "/api/account").body
    assert len(shown["passkeys"]) == 1
    assert len(shown["devices"]) == 1


@pytest.mark.slow
def test_requests_about_links_are_refused_from_other_sites(server: ServerProcess) -> None:
    for action in ("link", "link-passkey-options", "link-use"):
        body = {"token": "x"}
        headers = {"origin": "https://evil.example"}
        answer = Browser(server).ask("POST", f"/api/account/{action}", body, **headers)
        assert (answer.status, answer.body) == (403, {"error": "cross_site"})
        assert Browser(server).post(action, token="x", more=1).status == 400
