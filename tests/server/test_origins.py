"""Which origins may talk to the server."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

from qipai.socketio.allowed_origins import AllowedOrigins, is_cross_site, is_valid_entry

HERE = "play.example"
FRIEND = "https://friend.example"


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        (None, HERE),
        (None, ""),
        ("http://play.example", "play.example"),
        ("https://play.example", "play.example"),
        ("HTTPS://Play.Example", "play.EXAMPLE"),
        ("http://play.example", "play.example:80"),
        ("http://play.example:80", "play.example"),
        ("https://play.example", "play.example:443"),
        ("https://play.example:443", "play.example"),
        ("http://127.0.0.1:3000", "127.0.0.1:3000"),
        ("http://[::1]:3000", "[::1]:3000"),
        ("http://localhost:03000", "localhost:3000"),
    ],
)
def test_the_servers_pages_and_programs_are_same_origin(origin: str | None, host: str) -> None:
    assert AllowedOrigins().is_same_origin(origin, host)
    assert AllowedOrigins().allows(origin, host)
    assert AllowedOrigins((FRIEND, "*")).cors_headers(origin, host) == []
    assert AllowedOrigins((FRIEND, "*")).preflight_headers(origin, host) == []


FOREIGN = [
    ("null", HERE),
    ("", HERE),
    ("", ""),
    ("http://", ""),
    ("play.example", HERE),
    ("//play.example", HERE),
    ("https://evil.example", HERE),
    ("https://play.example.evil.example", HERE),
    ("https://evilplay.example", HERE),
    ("https://sub.play.example", HERE),
    ("https://play.example@evil.example", HERE),
    ("https://evil.example/play.example", HERE),
    ("https://play.example/", HERE),
    ("https://play.example evil", HERE),
    ("https://play.example\n", HERE),
    ("https://play.example", "play.example\n"),
    ("https://play.example, https://evil.example", HERE),
    ("http://play.example:8080", HERE),
    ("http://play.example", "play.example:443"),
    ("https://play.example", "play.example:80"),
    ("http://play.example:443", HERE),
    ("http://play.example:", "play.example:"),
    ("http://play.example:99999", "play.example:99999"),
    ("http://localhost:3001", "localhost:3000"),
    ("http://localhost:3000", "127.0.0.1:3000"),
    ("file://play.example", HERE),
    ("chrome-extension://play.example", HERE),
    ("https://plаy.example", HERE),
    ("https://play.example", ""),
]


@pytest.mark.parametrize(("origin", "host"), FOREIGN)
def test_every_other_origin_is_cross_site(origin: str, host: str) -> None:
    for rule in (AllowedOrigins(), AllowedOrigins((FRIEND,))):
        assert not rule.is_same_origin(origin, host)
        assert not rule.allows(origin, host)
        assert rule.cors_headers(origin, host) == []
        assert rule.preflight_headers(origin, host) == []


@pytest.mark.parametrize("origin", [FRIEND, "https://FRIEND.example", "https://friend.example:443"])
def test_a_listed_site_is_allowed_and_may_send_cookies(origin: str) -> None:
    rule = AllowedOrigins((FRIEND, "http://localhost:5173"))
    assert rule.allows(origin, HERE)
    assert not rule.is_same_origin(origin, HERE)
    assert dict(rule.cors_headers(origin, HERE)) == {
        b"access-control-allow-origin": origin.encode(),
        b"access-control-allow-credentials": b"true",
        b"vary": b"Origin",
    }


@pytest.mark.parametrize(
    "origin",
    ["http://friend.example", "https://friend.example:8443", "https://a.friend.example", "null", "*"],
)
def test_a_listed_site_is_listed_with_its_scheme_and_port(origin: str) -> None:
    assert not AllowedOrigins((FRIEND,)).allows(origin, HERE)


def test_a_site_of_an_apps_own_scheme_may_be_listed() -> None:
    rule = AllowedOrigins(("capacitor://localhost",))
    assert rule.allows("capacitor://localhost", HERE)
    assert not rule.allows("capacitor://elsewhere", HERE)


@pytest.mark.parametrize("origin", ["https://anybody.example", "null", "junk"])
def test_a_star_allows_everybody_without_cookies(origin: str) -> None:
    rule = AllowedOrigins(("*",))
    assert rule.allows(origin, HERE)
    assert rule.cors_headers(origin, HERE) == [(b"access-control-allow-origin", b"*")]


def test_a_listed_site_keeps_its_cookies_beside_a_star() -> None:
    headers = dict(AllowedOrigins(("*", FRIEND)).cors_headers(FRIEND, HERE))
    assert headers[b"access-control-allow-origin"] == FRIEND.encode()
    assert headers[b"access-control-allow-credentials"] == b"true"


def test_a_preflight_request_returns_methods_headers_and_their_lifetime() -> None:
    for rule, origin in (
        (AllowedOrigins((FRIEND,)), FRIEND),
        (AllowedOrigins(("*",)), "https://anybody.example"),
    ):
        headers = rule.preflight_headers(origin, HERE)
        assert headers[: len(rule.cors_headers(origin, HERE))] == rule.cors_headers(origin, HERE)
        named = dict(headers)
        assert named[b"access-control-allow-methods"] == b"GET, POST, OPTIONS"
        assert named[b"access-control-allow-headers"] == b"content-type"
        assert int(named[b"access-control-max-age"]) > 0


@given(st.text(), st.text())
def test_no_junk_is_allowed_or_raises(origin: str, host: str) -> None:
    rule = AllowedOrigins((FRIEND,))
    assert rule.cors_headers(origin, host) == []
    assert not rule.allows(origin, host) or rule.is_same_origin(origin, host)


@given(st.text("htps:/*.[]1@ \r\né", max_size=20))
def test_what_a_star_answers_never_carries_what_was_sent(origin: str) -> None:
    assert AllowedOrigins(("*",)).cors_headers(origin, HERE) in ([], [(b"access-control-allow-origin", b"*")])


@pytest.mark.parametrize(
    "entry",
    ["*", "https://a.example", "http://192.0.2.7:8080", "http://[::1]:3000", "HTTP://LOCALHOST", "app://x"],
)
def test_an_origin_or_a_star_may_be_listed(entry: str) -> None:
    assert is_valid_entry(entry)


@pytest.mark.parametrize(
    "entry",
    [
        "",
        "null",
        "a.example",
        "https://",
        "https://a.example/",
        "https://a.example/path",
        "https://a.example?x",
        "https://*.example",
        "https://a.example:port",
        "https://a.example:70000",
        "https://me@a.example",
        "https://a b.example",
        " https://a.example",
        "https://棋.example",
        "**",
    ],
)
def test_anything_else_may_not_be_listed(entry: str) -> None:
    assert not is_valid_entry(entry)


ABROAD = [
    {"origin": "https://evil.example"}, {"origin": "null"}, {"origin": "http://play.example:8080"},
    {"sec-fetch-site": "cross-site"}, {"sec-fetch-site": "same-site"},
    {"sec-fetch-site": "cross-site", "origin": "http://play.example"},
    {"sec-fetch-site": "none", "origin": "https://evil.example"},
    {"referer": "https://evil.example/page"}, {"referer": "https://evil.example/http://play.example/"},
    {"referer": "junk"},
]  # fmt: skip
HOME: list[dict[str, str]] = [
    {}, {"origin": "http://play.example"}, {"origin": "https://play.example"},
    {"sec-fetch-site": "same-origin"}, {"sec-fetch-site": "none"},
    {"sec-fetch-site": "same-origin", "origin": "https://outside.example"},
    {"referer": "http://play.example/login"}, {"referer": "https://PLAY.example:443/"},
]  # fmt: skip


@pytest.mark.parametrize("headers", ABROAD)
def test_a_request_of_another_site_is_cross_site(headers: dict[str, str]) -> None:
    assert is_cross_site(Headers({"host": HERE} | headers))


@pytest.mark.parametrize("headers", HOME)
def test_a_request_of_the_servers_page_or_of_a_program_is_not_cross_site(headers: dict[str, str]) -> None:
    assert not is_cross_site(Headers({"host": HERE} | headers))
