"""Signing in with a provider over HTTP, with a real server and provider: cookies, attacks, accounts."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest

from tests.server.test_account_api import GOOD, OTHER, Socket
from tests.support.openid.browser import OpenIdBrowser
from tests.support.openid.provider import OpenIdServer, unsigned
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

FAILED = "openid_failed"


class World:
    """A server with a provider."""

    def __init__(self, server: ServerProcess, provider: OpenIdServer) -> None:
        self.server = server
        self.provider = provider

    def browser(self, host: str = "127.0.0.1") -> OpenIdBrowser:
        return OpenIdBrowser(self.server, self.provider, host)

    def newcomer(self, user: str) -> OpenIdBrowser:
        """Return a browser in which this user has an account by the provider."""
        browser = self.browser()
        assert browser.sign_in(user) == "new"
        assert browser.register().status == 200
        return browser


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with ExitStack() as stack:
        provider = stack.enter_context(OpenIdServer())
        config = provider.config() + "[limits]\nguests = 0\n"
        server = stack.enter_context(ServerProcess(tmp_path_factory.mktemp("openid"), config=config))
        provider.register_client(server.port)
        yield World(server, provider)
        assert server.errors == []


@pytest.fixture
def world(both: World) -> Iterator[World]:
    """Return the server with a provider that does as it should."""
    yield both
    both.provider.change = None
    both.provider.encode = both.provider._signed
    both.provider.down = False


def test_a_guest_becomes_an_account_with_seats_and_is_found_again(world: World) -> None:
    browser = world.browser()
    with (
        closing(Client(world.server.port, token=browser.token)) as guest,
        closing(Client(world.server.port)) as bo,
    ):
        room = guest.ask("open", "room", game="tictactoe", nonce="a", table={"disconnect_timeout": 0})
        bo.ask("join", "room", room=room["room"]["id"])
        assert browser.sign_in("Wanda") == "new"
        answer = browser.register()
        assert answer.status == 200
        assert answer.body["name"] == "Wanda"
        assert len(answer.body["recovery_codes"]) == 10
        while bo.receive_event("seat_taken")["name"] != "Wanda":
            pass
        session = browser.cookies["qipai_session"].value
        with closing(Socket(world.server.port, f"qipai_session={session}", {})) as wanda:
            assert wanda.welcome["account"] is True
            assert wanda.welcome["rooms"] == [room["room"]["id"]]
    other = world.browser()
    assert other.sign_in("Wanda") == "signed_in"
    shown = other.account().body
    assert shown["name"] == "Wanda"
    assert shown["has_password"] is False
    assert [each["issuer"] for each in shown["identities"]] == [world.provider.issuer]
    assert shown["openid"] == {"provider": "Chess Club", "issuer": world.provider.issuer, "confirmed": False}
    assert len(shown["devices"]) == 2


def test_the_name_is_asked_for_if_it_is_taken(world: World) -> None:
    world.newcomer("Taken Tom")
    browser = world.browser()
    world.provider.claims["another tom"] = {"preferred_username": "TAKEN TOM"}
    assert browser.sign_in("another tom") == "new"
    refused = browser.register()
    assert (refused.status, refused.body) == (409, {"error": "name_taken", "about": "TAKEN TOM"})
    assert browser.register("Other Tom").body["name"] == "Other Tom"
    assert browser.register("Third Tom").status == 401, "the text for newcomers is taken away"


def test_the_cookies_are_not_for_scripts_and_other_sites(world: World) -> None:
    browser = world.browser()
    browser.start()
    journey = browser.cookies["qipai_openid"]
    assert (journey["httponly"], journey["samesite"].lower(), journey["path"]) == (
        True, "lax", "/api/account/openid",
    )  # fmt: skip
    assert journey["max-age"] == "600"
    browser.sign_in("Cookie Cathy")
    assert "qipai_openid" not in browser.cookies
    newcomer = browser.cookies["qipai_openid_new"]
    assert newcomer["httponly"]
    secure = browser.ask(
        "POST", "/api/account/openid-start", {"aim": "sign_in"}, **{"x-forwarded-proto": "https"}
    )
    assert "secure" in secure.headers["set-cookie"].lower()
    assert "redirect_uri=https%3A%2F%2F" in secure.body["url"]


def test_signing_in_has_a_new_session_and_ignores_a_planted_one(world: World) -> None:
    first = world.newcomer("Fiona Fixed")
    planted = first.cookies["qipai_session"].value
    second = world.browser()
    second.cookies["qipai_session"] = first.cookies["qipai_session"]
    assert second.sign_in("Fiona Fixed") == "signed_in"
    assert second.cookies["qipai_session"].value != planted


# Attacks


def test_a_wrong_state_signs_nobody_in(world: World) -> None:
    world.newcomer("Steve State")
    browser = world.browser()
    address = world.provider.authorize(browser.start(), "Steve State")
    query = dict(parse_qsl(urlsplit(address).query))
    for state in ("", "guessed", query["state"][:-1]):
        browser.start()
        forged = address.partition("?")[0] + "?" + urlencode({**query, "state": state})
        assert browser.come_back(forged).endswith(FAILED)
    assert "qipai_session" not in browser.cookies


def test_a_replayed_code_signs_nobody_in(world: World) -> None:
    world.newcomer("Rhea Replay")
    browser = world.browser()
    address = world.provider.authorize(browser.start(), "Rhea Replay")
    kept = browser.cookies["qipai_openid"]
    assert browser.come_back(address).endswith("signed_in")
    assert browser.come_back(address).endswith(FAILED), "the cookie was taken away"
    thief = world.browser()
    thief.cookies["qipai_openid"] = kept
    assert thief.come_back(address).endswith(FAILED), "the attempt was used"
    # The code of a victim in an attempt of the thief: the verifier is another.
    code = dict(parse_qsl(urlsplit(world.provider.authorize(browser.start(), "Rhea Replay")).query))["code"]
    own = world.provider.authorize(thief.start(), "Thief")
    query = {**dict(parse_qsl(urlsplit(own).query)), "code": code}
    before = len(world.provider.refused)
    assert thief.come_back(f"{own.partition('?')[0]}?{urlencode(query)}").endswith(FAILED)
    assert world.provider.refused[before:] == ["wrong verifier"]
    assert "qipai_session" not in thief.cookies


def test_login_csrf_signs_nobody_in_as_the_attacker(world: World) -> None:
    attacker, victim = world.newcomer("Eve CSRF"), world.browser()
    planted = world.provider.authorize(attacker.start(), "Eve CSRF")
    assert victim.come_back(planted).endswith(FAILED)
    victim.start()
    assert victim.come_back(planted).endswith(FAILED)
    assert "qipai_session" not in victim.cookies
    # Nor can a page of another site begin for the victim.
    for headers in ({"origin": "https://evil.example"}, {"sec-fetch-site": "cross-site"}):
        answer = victim.ask("POST", "/api/account/openid-start", {"aim": "sign_in"}, **headers)
        assert (answer.status, answer.body) == (403, {"error": "cross_site"})


@pytest.mark.parametrize(
    "more",
    [
        {"redirect": "https://evil.example"},
        {"next": "//evil.example"},
        {"redirect_uri": "https://evil.example"},
        {"iss": "https://evil.example"},
        {"error": "https://evil.example"},
        {"error": "x\r\nlocation: https://evil.example"},
    ],
)
def test_nobody_is_sent_to_another_site(world: World, more: dict[str, str]) -> None:
    browser = world.browser()
    address = world.provider.authorize(browser.start(), "Oona Open")
    query = {**dict(parse_qsl(urlsplit(address).query)), **more}
    location = browser.come_back(f"{address.partition('?')[0]}?{urlencode(query)}")
    assert location.startswith("/#/account/openid/")
    assert "evil" not in location


def test_another_host_cannot_receive_the_code(world: World) -> None:
    # The address of the callback follows the Host header; the provider knows which are ours.
    browser = world.browser("evil.example")
    url = browser.start()
    assert "evil.example" in url
    with pytest.raises(AssertionError, match="unknown redirect"):
        world.provider.authorize(url, "Ada")


def test_a_token_that_is_forged_or_for_others_signs_nobody_in(world: World) -> None:
    world.newcomer("Tina Token")
    browser = world.browser()
    for name, value in (("nonce", "another"), ("aud", "another client"), ("iss", "https://evil.example")):
        world.provider.change = lambda _header, claims, name=name, value=value: claims.update({name: value})
        assert browser.sign_in("Tina Token") == FAILED
    world.provider.change = None
    world.provider.encode = unsigned
    assert browser.sign_in("Tina Token") == FAILED
    assert "qipai_session" not in browser.cookies


def test_unverified_claims_open_no_account(world: World) -> None:
    world.newcomer("Una Unverified")
    world.provider.claims["eve"] = {
        "preferred_username": "Una Unverified",
        "email": "una@club.example",
        "email_verified": False,
    }
    browser = world.browser()
    assert browser.sign_in("eve") == "new"
    assert browser.register().body["error"] == "name_taken"
    assert "qipai_session" not in browser.cookies


@pytest.mark.parametrize("length", [4_097, 9_000])
def test_long_parameters_are_refused(world: World, length: int) -> None:
    browser = world.browser()
    browser.start()
    path = f"/api/account/openid/callback?state={'x' * length}"
    answer = browser.ask("GET", path)
    assert answer.status == 303
    assert answer.headers["location"].endswith(FAILED)


def test_a_person_who_declines_is_told_so(world: World) -> None:
    browser = world.browser()
    state = dict(parse_qsl(urlsplit(browser.start()).query))["state"]
    back = f"/api/account/openid/callback?{urlencode({'state': state, 'error': 'access_denied'})}"
    assert browser.come_back(back).endswith("openid_cancelled")


# Linking and proofs


def test_an_account_is_linked_and_unlinked(world: World) -> None:
    browser = world.browser()
    body = {"token": browser.token, "name": "Lina Linked", "password": GOOD}
    assert browser.ask("POST", "/api/account/register", body).status == 200
    assert browser.post("openid-start", aim="link", password=OTHER).status == 401
    assert browser.sign_in("lina", "link", password=GOOD) == "linked"
    assert browser.post("openid-start", aim="link", password=GOOD).status == 409
    other = world.browser()
    assert other.sign_in("lina") == "signed_in"
    assert other.account().body["name"] == "Lina Linked"
    assert browser.post("openid-unlink").status == 200
    assert browser.post("openid-unlink").status == 404
    assert world.browser().sign_in("lina") == "new"


def test_the_only_way_to_sign_in_is_kept(world: World) -> None:
    browser = world.newcomer("Ola Only")
    assert browser.post("openid-unlink").body == {"error": "last_way"}
    refused = browser.post("password", new=OTHER)
    assert refused.status == 401
    assert browser.sign_in("Ola Only", "confirm") == "confirmed"
    assert browser.account().body["openid"]["confirmed"] is True
    assert browser.post("password", new=OTHER).status == 200
    assert browser.post("openid-unlink").status == 200
    assert (
        world.browser().ask("POST", "/api/account/sign-in", {"name": "Ola Only", "password": OTHER}).status
        == 200
    )


def test_an_account_by_the_provider_is_deleted(world: World) -> None:
    browser = world.newcomer("Delia Deleted")
    assert browser.post("delete").status == 401
    assert browser.sign_in("Delia Deleted", "confirm") == "confirmed"
    assert browser.post("delete").status == 200
    assert world.browser().sign_in("Delia Deleted") == "new"


@pytest.mark.parametrize("action", ["link", "confirm"])
def test_strangers_neither_link_nor_confirm(world: World, action: str) -> None:
    assert world.browser().post("openid-start", aim=action, password=GOOD).status == 401


def test_bad_requests_are_refused(world: World) -> None:
    browser = world.browser()
    for body in ({}, {"aim": "other"}, {"aim": "sign_in", "redirect": "https://evil.example"}):
        assert browser.ask("POST", "/api/account/openid-start", body).status == 400
    assert browser.post("openid-register", token="x", name="Eve").status == 400
    assert browser.register("Eve").status == 401
    assert browser.post("openid-unlink").status == 401


def test_without_a_provider_nobody_is_sent_anywhere(tmp_path: Path, world: World) -> None:
    with ServerProcess(tmp_path) as server:
        browser = OpenIdBrowser(server, world.provider)
        assert browser.ask("GET", "/api/account/openid").body == {"provider": ""}
        answer = browser.post("openid-start", aim="sign_in")
        assert (answer.status, answer.body) == (503, {"error": "openid_unavailable"})
        assert browser.come_back("/api/account/openid/callback?state=x&code=y").endswith("openid_unavailable")
        assert server.errors == []
    assert world.browser().ask("GET", "/api/account/openid").body == {"provider": "Chess Club"}


def test_what_is_stored_says_nothing_of_the_person_at_the_provider(world: World) -> None:
    world.provider.claims["secret subject"] = {
        "preferred_username": "Sid Stored",
        "sub": "0123456789-subject",
    }
    browser = world.browser()
    assert browser.sign_in("secret subject") == "new"
    assert browser.register().status == 200
    stored = b"".join(path.read_bytes() for path in world.server.data.glob("archive.db*"))
    assert b"Sid Stored" in stored
    for secret in (b"0123456789-subject", browser.cookies["qipai_session"].value.encode()):
        assert secret not in stored
    log = world.server.log.read_text()
    assert "0123456789-subject" not in log
