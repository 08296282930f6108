"""Accounts over HTTP and at the table, with a real server: cookies, other sites, guests who register."""

import http.client
import json
import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.server import Client, Message, ServerProcess

pytestmark = pytest.mark.slow

GOOD = "correct horse battery staple"
OTHER = "seventeen purple giraffes"
SIGNED_OUT = 4401
SOON = 60.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("accounts")) as server:
        yield server
        assert server.errors == []


class Answer(NamedTuple):
    status: int
    body: Message
    headers: Mapping[str, str]


class Browser:
    """Keeps the cookie of a session, as a browser does."""

    def __init__(self, server: ServerProcess) -> None:
        self._port = server.port
        self.cookie = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        sent = {"content-type": "application/json", **headers}
        if self.cookie:
            sent["cookie"] = f"theme=dark; {self.cookie}"
        with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=SOON)) as connection:
            text = body if isinstance(body, bytes) else json.dumps(body).encode()
            connection.request(method, path, None if body is None else text, sent)
            response = connection.getresponse()
            is_json = response.headers.get_content_type() == "application/json"
            read = json.loads(response.read()) if is_json else {}
            found = Answer(response.status, read, dict(response.headers))
        if "set-cookie" in found.headers:
            self.cookie = found.headers["set-cookie"].partition(";")[0]
            if self.cookie.endswith(('=""', "=")):
                self.cookie = ""
        return found

    def post(self, action: str, **body: object) -> Answer:
        return self.ask("POST", f"/api/account/{action}", body)

    def connect(self, **hello: str) -> "Socket":
        return Socket(self._port, self.cookie, hello)


class Socket(Client):
    """A client of the native protocol that sends the cookies of a browser."""

    def __init__(self, port: int, cookie: str, hello: Mapping[str, str]) -> None:
        super().__init__(port, greet=False, cookie=cookie)
        self.welcome = self.ask("hello", "welcome", "refused", **hello)

    def close_code(self) -> int:
        """Return the code with which the server closes the connection."""
        until = time.monotonic() + SOON
        while time.monotonic() < until:
            try:
                self.socket.recv(SOON)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else 0
        return 0


def registered(server: ServerProcess, name: str) -> Browser:
    browser = Browser(server)
    guest = Client(server.port)
    guest.close()
    assert browser.post("register", token=guest.token, name=name, password=GOOD).status == 200
    return browser


def test_a_guest_becomes_an_account_in_the_middle_of_a_game(server: ServerProcess) -> None:
    guest, bo, browser = Client(server.port, name="Wanda"), Client(server.port), Browser(server)
    room = guest.ask("open", "room", game="tictactoe", nonce="a", table={"disconnect_timeout": 0})
    bo.ask("join", "room", room=room["room"]["id"])
    answer = browser.post("register", token=guest.token, name="Wanda L", password=GOOD)
    assert answer.status == 200
    assert answer.body["name"] == "Wanda L"
    assert len(answer.body["recovery_codes"]) == 10
    taken = bo.receive_event("seat_taken")
    assert taken["name"] == "Wanda L"
    with closing(browser.connect()) as wanda:
        assert wanda.welcome["account"] is True
        assert wanda.welcome["name"] == "Wanda L"
        assert wanda.welcome["token"] == ""
        assert wanda.welcome["rooms"] == [room["room"]["id"]]
        shown = wanda.ask("resume", "room", room=room["room"]["id"], version=0)
        assert shown["you"] == room["you"]
        # The guest's token is of no use any more, wherever it was kept.
        with closing(Socket(server.port, "", {"token": guest.token})) as thief:
            assert thief.welcome["rooms"] == []
            assert thief.welcome["account"] is False
    bo.close()
    guest.close()


def test_the_cookie_is_not_for_scripts_and_other_sites(server: ServerProcess) -> None:
    browser = Browser(server)
    guest = Client(server.port)
    guest.close()
    body = {"token": guest.token, "name": "Cookie Cat", "password": GOOD}
    answer = browser.ask("POST", "/api/account/register", body, **{"x-forwarded-proto": "https"})
    set_cookie = answer.headers["set-cookie"].lower()
    for part in ("httponly", "samesite=lax", "path=/", "secure", "max-age=7776000"):
        assert part in set_cookie
    plain = browser.post("sign-in", name="Cookie Cat", password=GOOD)
    assert "secure" not in plain.headers["set-cookie"].lower(), "a page without TLS would not get it"
    assert plain.headers["cache-control"] == "no-store"


def test_each_sign_in_has_a_new_session(server: ServerProcess) -> None:
    browser = registered(server, "Fixated Fox")
    planted = browser.cookie
    browser.post("sign-in", name="Fixated Fox", password=GOOD)
    assert browser.cookie != planted


def test_the_account_is_shown_with_its_devices(server: ServerProcess) -> None:
    browser = registered(server, "Dora Devices")
    other = Browser(server)
    other.post("sign-in", name="dora devices", password=GOOD)
    shown = browser.ask("GET", "/api/account")
    assert shown.body["name"] == "Dora Devices"
    assert shown.body["recovery_codes_left"] == 10
    assert sorted(each["this"] for each in shown.body["devices"]) == [False, True]
    assert browser.cookie.partition("=")[2] not in json.dumps(shown.body)


def test_signing_out_everywhere_closes_other_devices(server: ServerProcess) -> None:
    browser, other = registered(server, "Eva Everywhere"), Browser(server)
    other.post("sign-in", name="Eva Everywhere", password=GOOD)
    with closing(browser.connect()) as here, closing(other.connect()) as there:
        assert browser.post("sign-out-others").status == 200
        assert there.close_code() == SIGNED_OUT
        assert other.ask("GET", "/api/account").status == 401
        assert browser.ask("GET", "/api/account").status == 200
        assert here.ask("ping", "pong", n=1)["n"] == 1
        assert browser.post("sign-out").status == 200
        assert here.close_code() == SIGNED_OUT
    assert browser.cookie == ""
    with closing(browser.connect()) as guest:
        assert guest.welcome["account"] is False


def test_one_device_is_signed_out(server: ServerProcess) -> None:
    browser, other = registered(server, "Olga One"), Browser(server)
    other.post("sign-in", name="Olga One", password=GOOD)
    devices = browser.ask("GET", "/api/account").body["devices"]
    wanted = next(each["id"] for each in devices if not each["this"])
    assert registered(server, "Ines Intruder").post("sign-out-device", id=wanted).status == 404
    assert browser.post("sign-out-device", id=wanted).status == 200
    assert other.ask("GET", "/api/account").status == 401


def test_a_browser_that_was_signed_out_is_the_guest_it_was(server: ServerProcess) -> None:
    browser = registered(server, "Gus Guest")
    guest = Client(server.port, name="Somebody")
    guest.close()
    cookie = browser.cookie
    browser.post("sign-out")
    with closing(Socket(server.port, cookie, {"token": guest.token})) as back:
        assert back.welcome["account"] is False
        assert back.welcome["name"] == "Somebody"


def test_clients_without_cookies_send_the_session_in_hello(server: ServerProcess) -> None:
    browser = registered(server, "Clara Client")
    session = browser.cookie.partition("=")[2]
    with closing(Socket(server.port, "", {"session": session})) as clara:
        assert clara.welcome["name"] == "Clara Client"
    with closing(Socket(server.port, "", {"session": "no such session"})) as nobody:
        assert nobody.welcome["code"] == "not_allowed"


def test_guests_may_not_use_the_name_of_an_account(server: ServerProcess) -> None:
    registered(server, "Nora Name")
    until = time.monotonic() + SOON
    answer: Message = {}
    # The hall learns of a new account a moment after the answer to its registration.
    while answer.get("code") != "bad_name":
        assert time.monotonic() < until, answer
        with closing(Client(server.port)) as guest:
            answer = guest.ask("hello", "refused", "welcome", name="NORA NAME")


def test_the_name_of_an_account_is_not_changed_by_hello(server: ServerProcess) -> None:
    browser = registered(server, "Hella Hello")
    with closing(browser.connect(name="Another One")) as hella:
        assert hella.welcome["name"] == "Hella Hello"
    session = browser.cookie.partition("=")[2]
    with closing(Socket(server.port, "", {"session": session})) as hella:
        again = hella.ask("hello", "welcome", name="Another One")
        assert (again["name"], again["account"], again["token"]) == ("Hella Hello", True, "")


def test_a_new_name_is_shown_at_the_table(server: ServerProcess) -> None:
    browser = registered(server, "Rita Rename")
    with closing(browser.connect()) as rita, closing(Client(server.port)) as bo:
        room = rita.ask("open", "room", game="tictactoe", nonce="a")["room"]["id"]
        bo.ask("join", "room", room=room)
        assert browser.post("name", name="Rita Renamed").body == {"name": "Rita Renamed"}
        assert bo.receive_event("seat_taken")["name"] == "Rita Renamed"
        assert browser.post("name", name="Rita Again").status == 409


def test_password_and_codes_are_replaced(server: ServerProcess) -> None:
    browser, other = registered(server, "Paula Password"), Browser(server)
    assert browser.post("password", old=OTHER, new=OTHER).status == 401
    assert browser.post("password", old=GOOD, new=OTHER).status == 200
    codes = browser.post("recovery-codes", password=OTHER).body["recovery_codes"]
    assert other.post("recover", name="Paula Password", code="wrong", password=GOOD).status == 401
    assert other.post("recover", name="Paula Password", code=codes[0], password=GOOD).status == 200
    assert browser.ask("GET", "/api/account").status == 401
    assert other.ask("GET", "/api/account").body["recovery_codes_left"] == 9


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
        {"origin": "null"},
    ],
)
def test_pages_of_other_sites_are_refused(server: ServerProcess, headers: dict[str, str]) -> None:
    browser = Browser(server)
    answer = browser.ask("POST", "/api/account/sign-in", {"name": "A", "password": "B"}, **headers)
    assert (answer.status, answer.body) == (403, {"error": "cross_site"})


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"name=Ada&password=x", "application/x-www-form-urlencoded", 415),
        (b'{"name": "Ada", "password": "x"}', "text/plain", 415),
        (b"", "application/json", 400),
        (b"{", "application/json", 400),
        (b"[]", "application/json", 400),
        (b'{"name": 1, "password": "x"}', "application/json", 400),
        (b'{"name": "Ada"}', "application/json", 400),
        (b'{"name": "Ada", "password": "x", "more": 1}', "application/json", 400),
        (b'{"name": "\xff", "password": "x"}', "application/json", 400),
        (json.dumps({"name": "Ada", "password": "x" * 401}).encode(), "application/json", 400),
        (json.dumps({"name": "Ada", "password": "x" * 20_000}).encode(), "application/json", 413),
    ],
)
def test_bad_bodies_are_refused(server: ServerProcess, body: bytes, kind: str, status: int) -> None:
    answer = Browser(server).ask("POST", "/api/account/sign-in", body, **{"content-type": kind})
    assert answer.status == status
    assert answer.body["error"] == "malformed"


@pytest.mark.parametrize(
    "action",
    [
        "sign-out",
        "sign-out-others",
        "name",
        "password",
        "recovery-codes",
        "delete",
        "passkey-add",
        "passkey-add-options",
        "passkey-confirm-options",
        "passkey-remove",
    ],
)
def test_strangers_can_change_nothing(server: ServerProcess, action: str) -> None:
    bodies: dict[str, dict[str, object]] = {
        "name": {"name": "Eve"},
        "password": {"old": GOOD, "new": OTHER},
        "recovery-codes": {"password": GOOD},
        "delete": {"password": GOOD},
        "passkey-add": {"made": {}, "password": GOOD},
        "passkey-remove": {"id": "AAAA"},
    }
    body = bodies.get(action, {})
    browser = Browser(server)
    browser.cookie = "qipai_session=guessed"
    assert browser.post(action, **body).status == 401


def test_a_registration_needs_the_token_of_a_guest(server: ServerProcess) -> None:
    for token in ("", "x", "p1.x.y"):
        answer = Browser(server).post("register", token=token, name="Tom Token", password=GOOD)
        assert answer.status == 400


def test_accounts_survive_a_restart(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        browser = registered(server, "Sam Survivor")
        server.kill()
        server.start()
        with closing(browser.connect()) as sam:
            assert sam.welcome["name"] == "Sam Survivor"
        with closing(Client(server.port)) as guest:
            assert guest.ask("hello", "refused", name="sam survivor")["code"] == "bad_name"
        assert server.errors == []


def test_a_deleted_account_is_gone_at_once(server: ServerProcess) -> None:
    browser, bo = registered(server, "Ophelia Gone"), Client(server.port)
    with closing(browser.connect()) as ophelia:
        room = ophelia.ask("open", "room", game="tictactoe", nonce="d", table={"disconnect_timeout": 0})
        bo.ask("join", "room", room=room["room"]["id"])
        assert browser.post("delete", password=OTHER).status == 401
        assert browser.post("delete", password=GOOD).status == 200
        assert ophelia.close_code() == SIGNED_OUT
    assert browser.cookie == ""
    while (event := bo.receive_event("seat_taken"))["name"] != "Deleted player":
        pass
    assert event["seat"] == room["you"]
    assert browser.post("sign-in", name="Ophelia Gone", password=GOOD).status == 401
    bo.close()


def test_everything_stored_of_an_account_is_downloaded(server: ServerProcess) -> None:
    browser, stranger = registered(server, "Dora Data"), Browser(server)
    assert stranger.ask("GET", "/api/account/data").status == 401
    found = browser.ask("GET", "/api/account/data")
    assert found.status == 200
    assert found.headers["content-disposition"].startswith("attachment")
    account = found.body["account"]
    shown = browser.ask("GET", "/api/account").body
    del shown["operator_code"], shown["openid"]
    assert {**shown, "person": account["person"]} == account
    assert (found.body["sanctions"], found.body["reports"]) == ([], [])
    assert account["name"] == "Dora Data"
    assert len(account["devices"]) == 1
    assert found.body["games"] == []
    text = json.dumps(found.body)
    assert browser.cookie.partition("=")[2] not in text
    assert "argon2" not in text
    assert browser.ask("GET", "/api/account/data", **{"sec-fetch-site": "cross-site"}).status == 403
