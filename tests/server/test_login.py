"""Logging in and out: the form, its errors, the cookie, and what other sites may not do."""

import asyncio
import html
import re
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection
from http.cookies import Morsel, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.types import Message

from qipai.clients.login.login_routes import login_of, routes
from qipai.games.game_registry import GAMES
from qipai.hall.cluster.cluster_mode import LocalCounters
from qipai.hall.connections.connection import Connection
from qipai.hall.moderation.sanction_interface import Sanction, SanctionKind
from qipai.hall.people.address_limits import AddressLimits, Limits
from qipai.hall.people.address_refusals import AddressRefusals
from qipai.hall.people.identity import Identity, Login
from qipai.hall.people.names import Names
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Millis, Person
from tests.support.hall_simulation import EPOCH, deterministic_entropy
from tests.support.server import ServerProcess

ICONS = "😺🐶🐼🚀🎃🐧🐵🐸🦊🐢🐟🐯🦁🐷🦄"
EMPTY = "請輸入使用者名稱"
LONG = "使用者名稱不可超過 10 個字元"
RESERVED = "此名稱無法使用"
NO_ICON = "請選擇一個圖示"
BAD_ICON = "所選圖示無效，請重新選擇"
ERRORS = {EMPTY, LONG, RESERVED, NO_ICON, BAD_ICON}
LOGINS = 3
"""Logins per minute of one address."""
FORM = "application/x-www-form-urlencoded"


class Answer(NamedTuple):
    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def errors(self) -> set[str]:
        return {error for error in ERRORS if error in self.text}

    @property
    def icons(self) -> list[str]:
        return re.findall(r'type="radio" name="icon" value="(.)"', self.text)

    @property
    def typed(self) -> str:
        found = re.search(r'name="username" value="([^"]*)"', self.text)
        assert found is not None
        return html.unescape(found[1])

    @property
    def cookie(self) -> "Morsel[str] | None":
        return SimpleCookie(self.headers.get("set-cookie", "")).get("session")


class Bans:
    """The address 192.0.2.66 is banned."""

    def closes_banned(self, connection: Connection, person: str | None = None) -> bool:
        raise AssertionError

    def refuses_muted(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        raise AssertionError

    def refuses_unrated(self, connection: Connection, room: str = "", nonce: str = "") -> bool:
        raise AssertionError

    def is_muted(self, connection: Connection) -> bool:
        raise AssertionError

    def ban_of_address(self, address: str) -> Sanction | None:
        ban = Sanction(1, SanctionKind.BAN, Person(""), "192.0.2.66/32", "", "insults", Millis(1))
        return ban if address == "192.0.2.66" else None


class Visitor:
    """Asks the pages without a socket."""

    def __init__(self) -> None:
        self.time = EPOCH
        self.identity = Identity(SigningKeys(bytes(32), lambda: Millis(self.time)), deterministic_entropy())
        limits = AddressLimits(LocalCounters(), Limits(guests=LOGINS), AddressRefusals())
        self._app = Starlette(
            routes=routes(
                self.identity, Names(GAMES, lambda _: None), limits, Bans(), lambda: Millis(self.time)
            )
        )

    def ask(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        scheme: str = "http",
        parts: list[Message] | None = None,
        client: str = "",
    ) -> Answer:
        sent = {"host": "play.example"} | dict(headers or {})
        lines = [(name.encode(), value.encode("latin-1")) for name, value in sent.items()]
        scope: dict[str, Any] = {"type": "http", "method": method, "scheme": scheme, "path": path}
        scope |= {"headers": lines, "query_string": b"", "root_path": "", "server": ("192.0.2.2", 3000)}
        if client:
            scope["client"] = (client, 50_000)
        incoming = parts or [{"type": "http.request", "body": body, "more_body": False}]
        outgoing: list[Message] = []

        async def receive() -> Message:
            if not incoming:
                await asyncio.Event().wait()
            return incoming.pop(0)

        async def send(message: Message) -> None:
            outgoing.append(message)

        asyncio.run(self._app(scope, receive, send))
        named = {name.decode(): value.decode() for name, value in outgoing[0]["headers"]}
        text = b"".join(message.get("body", b"") for message in outgoing[1:]).decode()
        return Answer(outgoing[0]["status"], named, text)

    def post(
        self, fields: Mapping[str, str], headers: Mapping[str, str] | None = None, scheme: str = "http"
    ) -> Answer:
        kind = {"content-type": FORM}
        return self.ask("POST", "/login", urlencode(fields).encode(), kind | dict(headers or {}), scheme)

    def enter(self, name: str = "小明", icon: str = "🐼", **more: Any) -> Answer:
        return self.post({"username": name, "icon": icon}, **more)

    def known(self, answer: Answer) -> Login:
        assert answer.cookie is not None
        login = login_of(self.identity, f"session={answer.cookie.value}")
        assert login is not None
        return login


@pytest.fixture
def visitor() -> Visitor:
    return Visitor()


# The form


def test_the_form_offers_five_different_icons_of_the_fifteen_and_shows_no_error(visitor: Visitor) -> None:
    drawn = set()
    for _ in range(40):
        answer = visitor.ask("GET", "/login")
        assert (answer.status, answer.errors, answer.typed) == (200, set(), "")
        assert len(set(answer.icons)) == len(answer.icons) == 5
        drawn |= set(answer.icons)
    assert drawn <= set(ICONS)
    assert len(drawn) > 5


def test_the_form_is_labelled_and_needs_neither_script_nor_inline_style(visitor: Visitor) -> None:
    text = visitor.ask("GET", "/login").text
    for part in ('<label for="username">', "<fieldset", "<legend>", '<form method="post" action="/login"'):
        assert part in text
    for part in ("<script", "<style", "style="):
        assert part not in text
    style = visitor.ask("GET", "/login/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert ":focus-visible" in style.text


LANGUAGES = [
    ("", "zh-Hant"), ("*", "zh-Hant"), ("zh-TW,zh;q=0.9,en;q=0.8", "zh-Hant"), ("zh-CN", "zh-Hans"),
    ("zh-Hans-HK", "zh-Hans"), ("yue", "zh-Hant"), ("en-GB,en", "en"), ("fr,de;q=0.9", "en"),
    ("en;q=0.1, zh-HK;q=0.5", "zh-Hant"), ("en;q=x;;,=,;q=", "en"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "language"), LANGUAGES)
def test_the_page_is_in_the_readers_language_and_error_texts_stay_the_same(
    visitor: Visitor, wanted: str, language: str
) -> None:
    answer = visitor.post({}, headers={"accept-language": wanted})
    assert f'<html lang="{language}">' in answer.text
    assert answer.errors == {EMPTY, NO_ICON}


def test_other_icons_can_be_asked_for_without_losing_the_name(visitor: Visitor) -> None:
    first = visitor.ask("GET", "/login")
    fields = {"username": "小明", "icon": first.icons[0], "shown": "".join(first.icons), "more": "1"}
    second = visitor.post(fields)
    assert (second.status, second.errors, second.typed, second.cookie) == (200, set(), "小明", None)
    assert len(second.icons) == 5
    assert not set(second.icons) & set(first.icons)


@pytest.mark.parametrize("shown", ["", "x", ICONS, ICONS[:4], ICONS[:5], "<script>" + ICONS[:5], "🐼" * 5])
def test_five_icons_are_offered_whatever_the_request_claims(visitor: Visitor, shown: str) -> None:
    for more in ({}, {"more": ""}):
        answer = visitor.post({"shown": shown, "username": "", **more})
        assert len(set(answer.icons)) == 5
        assert "<script" not in answer.text


# Errors


WRONG = [
    ("", "🐼", {EMPTY}), ("   \t\u3000", "🐼", {EMPTY}), ("\u200b\u200d\u2060", "🐼", {EMPTY}),
    ("x" * 11, "🐼", {LONG}), ("十一個字的名字太長了喔", "🐼", {LONG}), ("😺" * 11, "🐼", {LONG}),
    ("ﷺ", "🐼", {LONG}), ("①" * 5 + "㍿㍿", "🐼", {LONG}), ("x" * 3000, "🐼", {LONG}),
    ("小明", "", {NO_ICON}), ("小明", "🐲", {BAD_ICON}), ("小明", "🐼🐼", {BAD_ICON}),
    ("小明", "x", {BAD_ICON}), ("小明", '"><script>', {BAD_ICON}), ("系統", "🐼", {RESERVED}),
    ("系\u200b統", "🐼", {RESERVED}),
    ("系·统", "🐼", {RESERVED}), ("Ｓystem", "🐼", {RESERVED}), ("[系統提示]", "🐼", {RESERVED}),
    ("系統", "", {RESERVED, NO_ICON}), ("", "x", {EMPTY, BAD_ICON}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "icon", "errors"), WRONG)
def test_an_error_is_shown_on_the_page_and_no_login_is_made(
    visitor: Visitor, name: str, icon: str, errors: set[str]
) -> None:
    answer = visitor.enter(name, icon)
    assert (answer.status, answer.errors, answer.cookie) == (200, errors, None)
    assert answer.typed == name.strip()
    assert 'aria-invalid="true"' in answer.text


def test_missing_fields_are_empty_fields(visitor: Visitor) -> None:
    assert visitor.post({"icon": "🐼"}).errors == {EMPTY}
    assert visitor.post({"username": "小明"}).errors == {NO_ICON}
    assert visitor.ask("POST", "/login").errors == {EMPTY, NO_ICON}


def test_what_was_chosen_stays_chosen_after_an_error(visitor: Visitor) -> None:
    for icon in ICONS:
        answer = visitor.enter("", icon)
        assert len(set(answer.icons)) == 5
        assert f'value="{icon}" required checked' in answer.text
    first = visitor.ask("GET", "/login")
    assert visitor.post({"username": "小明", "shown": "".join(first.icons)}).icons == first.icons


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '"><img src=x>', "' onfocus='x", "<b>", "&lt;", "</input>"]
)
def test_what_was_typed_is_shown_and_never_run(visitor: Visitor, name: str) -> None:
    answer = visitor.enter(name, "")
    assert answer.typed == name
    assert "<script" not in answer.text
    assert "<img src=x" not in answer.text
    assert "<b>" not in answer.text


def test_a_name_full_of_markup_is_shown_as_text(visitor: Visitor) -> None:
    cookie = visitor.enter("<b>&\"'").cookie
    assert cookie is not None
    answer = visitor.ask("GET", "/login", headers={"cookie": f"session={cookie.value}"})
    assert "<bdi>&lt;b&gt;&amp;&quot;&#x27;</bdi>" in answer.text


# Coming in


RIGHT = [
    ("小明", "小明"), ("x" * 10, "x" * 10), ("十個字的名字剛剛好喔", "十個字的名字剛剛好喔"),
    ("  小明\u3000", "小明"), ("😺" * 10, "😺" * 10), ("👩🏽‍🚀", "👩🏽‍🚀"), ("Ａｎｎ", "Ann"),
    ("a\u202eb", "ab"), ("<b>", "<b>"), ("系列", "系列"),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "name"), RIGHT)
def test_a_valid_name_and_icon_log_in(visitor: Visitor, typed: str, name: str) -> None:
    answer = visitor.enter(typed, "🦄")
    assert (answer.status, answer.headers["location"]) == (302, "/")
    assert visitor.known(answer)[1:] == (name, "🦄")
    assert visitor.known(answer).person != visitor.known(visitor.enter(typed, "🦄")).person


@pytest.mark.parametrize("icon", ICONS)
def test_each_of_the_fifteen_icons_is_accepted(visitor: Visitor, icon: str) -> None:
    assert visitor.known(visitor.enter("小明", icon)).icon == icon


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_cookie_is_kept_from_scripts_and_other_sites_and_is_secure_over_tls(
    visitor: Visitor, scheme: str
) -> None:
    cookie = visitor.enter(scheme=scheme).cookie
    assert cookie is not None
    assert cookie["httponly"]
    assert cookie["samesite"].lower() == "lax"
    assert (cookie["path"], cookie["domain"]) == ("/", "")
    assert cookie["max-age"] == str(30 * 24 * 60 * 60)
    assert bool(cookie["secure"]) == (scheme == "https")


def test_a_logged_in_client_sees_its_name_and_can_change_it_or_log_out(visitor: Visitor) -> None:
    cookie = visitor.enter("小明", "🐸").cookie
    assert cookie is not None
    answer = visitor.ask("GET", "/login", headers={"cookie": f"session={cookie.value}"})
    assert "<bdi>小明</bdi>" in answer.text
    assert 'action="/logout"' in answer.text
    assert answer.typed == "小明"
    assert 'value="🐸" required checked' in answer.text
    assert 'action="/logout"' not in visitor.ask("GET", "/login").text
    assert answer.headers["cache-control"] == "no-store"


# Requests that are no form


NO_FORM = [
    (b'{"username":"a","icon":"x"}', "application/json", 415),
    (b"--x\r\n", "multipart/form-data; boundary=x", 415), (b"username=a", "text/plain", 415),
    (b"username=a", "", 415), (b"username=%ff%fe", FORM, 400), (b"username=\xff", FORM, 400),
    (b"username=%ED%A0%80", FORM, 400), (b"a=1&" * 17, FORM, 400),
    (b"username=" + b"a" * 4096, FORM, 413), (b"username=a", FORM + "; charset=utf-8", 200),
    ("username=小明".encode(), "APPLICATION/X-WWW-FORM-URLENCODED", 200),
    (b"&&&==&%&%zz=%", FORM, 200), (b"username=%00&icon=%00", FORM, 200),
    (b"username[]=a&icon=%F0%9F%90%BC&icon=", FORM, 200),
]  # fmt: skip


@pytest.mark.parametrize(("body", "kind", "status"), NO_FORM)
def test_a_malformed_form_is_answered_and_makes_no_login(
    visitor: Visitor, body: bytes, kind: str, status: int
) -> None:
    answer = visitor.ask("POST", "/login", body, {"content-type": kind} if kind else {})
    assert (answer.status, answer.cookie) == (status, None)


def test_a_long_form_is_refused_before_all_of_it_has_arrived(visitor: Visitor) -> None:
    part: Message = {"type": "http.request", "body": b"a" * 1000, "more_body": True}
    parts = [part] * 100
    assert visitor.ask("POST", "/login", headers={"content-type": FORM}, parts=parts).status == 413
    assert len(parts) > 90


def test_a_form_that_is_cut_off_does_no_harm(visitor: Visitor) -> None:
    parts: list[Message] = [
        {"type": "http.request", "body": b"username=a", "more_body": True},
        {"type": "http.disconnect"},
    ]
    assert visitor.ask("POST", "/login", headers={"content-type": FORM}, parts=parts).status == 400


def test_a_form_that_does_not_arrive_times_out(visitor: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qipai.clients.login.login_routes._BODY_TIMEOUT", 0.01)
    parts: list[Message] = [{"type": "http.request", "body": b"username=a", "more_body": True}]
    assert visitor.ask("POST", "/login", headers={"content-type": FORM}, parts=parts).status == 408


@given(st.binary(max_size=200))
def test_no_request_body_breaks_the_page(body: bytes) -> None:
    answer = Visitor().ask("POST", "/login", body, {"content-type": FORM})
    assert answer.status in {200, 302, 400}


@pytest.mark.parametrize("path", ["/login", "/logout", "/reset"])
def test_other_methods_are_not_understood(visitor: Visitor, path: str) -> None:
    assert visitor.ask("DELETE", path).status == 405


FOREIGN = [
    {"origin": "https://evil.example"},
    {"sec-fetch-site": "same-site"},
    {"referer": "https://evil.example/"},
]
OWN: list[dict[str, str]] = [{}, {"origin": "http://play.example"}, {"sec-fetch-site": "none"}]


@pytest.mark.parametrize("headers", FOREIGN)
def test_another_site_cannot_log_in(visitor: Visitor, headers: dict[str, str]) -> None:
    answer = visitor.enter(headers=headers)
    assert (answer.status, answer.cookie) == (403, None)


@pytest.mark.parametrize("headers", OWN)
def test_our_own_page_logs_in(visitor: Visitor, headers: dict[str, str]) -> None:
    assert visitor.enter(headers=headers).status == 302


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("headers", FOREIGN)
def test_another_site_cannot_log_out(visitor: Visitor, method: str, headers: dict[str, str]) -> None:
    answer = visitor.ask(method, "/logout", headers=headers)
    assert (answer.status, answer.headers["location"]) == (302, "/")
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize("headers", OWN)
def test_logging_out_clears_the_cookie_and_shows_the_form(
    visitor: Visitor, method: str, headers: dict[str, str]
) -> None:
    answer = visitor.ask(method, "/logout", headers=headers, scheme="https")
    assert (answer.status, answer.headers["location"]) == (302, "/login")
    assert answer.cookie is not None
    assert (answer.cookie.value, answer.cookie["max-age"], answer.cookie["path"]) == ("", "0", "/")
    assert answer.cookie["secure"]
    assert answer.cookie["httponly"]


def test_reset_leads_to_the_game(visitor: Visitor) -> None:
    answer = visitor.ask("GET", "/reset")
    assert (answer.status, answer.headers["location"]) == (302, "/")


@pytest.mark.slow
@pytest.mark.parametrize("proto", ["http", "https"])
def test_the_server_trusts_its_proxy_about_tls(server: ServerProcess, proto: str) -> None:
    line = HTTPConnection("127.0.0.1", server.port, timeout=60)
    with closing(line):
        body = urlencode({"username": "小明", "icon": "🐼"})
        line.request("POST", "/login", body, {"content-type": FORM, "x-forwarded-proto": proto})
        answer = line.getresponse()
        answer.read()
        cookie = answer.headers["set-cookie"]
        assert (answer.status, answer.headers["location"]) == (302, "/")
        assert ("; secure" in cookie.lower()) == (proto == "https")
        line.request("GET", "/login", headers={"cookie": f"theme=dark; {cookie.split(';')[0]}"})
        page = line.getresponse()
        assert "<bdi>小明</bdi>" in page.read().decode()
        assert "default-src 'self'" in page.headers["content-security-policy"]
    assert server.errors == []


def test_one_address_gets_a_limited_number_of_logins_per_minute(visitor: Visitor) -> None:
    body = urlencode({"username": "Ada", "icon": "🐼"}).encode()

    def enter(client: str) -> Answer:
        return visitor.ask("POST", "/login", body, {"content-type": FORM}, client=client)

    assert [enter("192.0.2.7").status for _ in range(LOGINS + 1)] == [302] * LOGINS + [429]
    banned = enter("192.0.2.66")
    assert banned.status == 403
    assert "insults" in banned.text
    refused = enter("192.0.2.7")
    assert (refused.cookie, refused.headers["retry-after"]) == (None, "60")
    assert enter("192.0.2.8").status == 302, "another address"
    assert visitor.ask("GET", "/login", client="192.0.2.7").status == 200, "the form is still shown"
    visitor.time += 60_000
    assert enter("192.0.2.7").status == 302
