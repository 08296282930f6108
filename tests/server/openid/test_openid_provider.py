"""What is accepted of an OpenID Connect provider: ID tokens, keys, codes, and what it says of itself."""

import asyncio
import hmac
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from qipai.hall.accounts.openid.openid_interface import Attempt, Identified, OpenIdFailed, OpenIdUnavailable
from qipai.hall.people.identity import wall_clock
from qipai.kernel.ids import Millis
from qipai.server.openid.provider import KEYS_PAUSE, PUBLISHED_FOR, OpenIdProvider
from tests.support.openid.provider import CLIENT, SECRET, OpenIdServer, new_key, part, text, unsigned

REDIRECT = "http://127.0.0.1:3000/api/account/openid/callback"
ATTEMPT = Attempt("state of the tests", "nonce of the tests", "v" * 43)
HOUR = 3600


class Side:
    """Our side of the provider, with a clock that can be set ahead."""

    def __init__(self, server: OpenIdServer, secret: str = SECRET) -> None:
        self.server = server
        self.ahead = 0
        self.provider = OpenIdProvider(
            server.issuer, "Chess Club", CLIENT, secret, lambda: Millis(wall_clock() + self.ahead)
        )

    async def code(self, user: str = "Ada") -> str:
        url = await self.provider.authorization_url(ATTEMPT, REDIRECT, again=False)
        back = parse_qs(urlsplit(self.server.authorize(url, user)).query)
        assert back["state"] == [ATTEMPT.state]
        return back["code"][0]

    async def identify(self, user: str = "Ada", attempt: Attempt = ATTEMPT) -> Identified:
        return await self.provider.identify(await self.code(user), attempt, REDIRECT)


def run(scenario: Callable[[Side], Awaitable[None]], secret: str = SECRET) -> OpenIdServer:
    """Run a scenario with a provider of its own."""

    async def running(server: OpenIdServer) -> None:
        side = Side(server, secret)
        try:
            await scenario(side)
        finally:
            await side.provider.close()

    with OpenIdServer() as server:
        server.redirects.add(REDIRECT)
        asyncio.run(running(server))
    return server


def test_a_user_is_identified() -> None:
    async def scenario(side: Side) -> None:
        found = await side.identify("Ada")
        assert found == Identified("subject of Ada", "Ada", None)

    server = run(scenario)
    assert server.refused == []


def test_what_is_asked_can_be_used_by_this_browser_only() -> None:
    async def scenario(side: Side) -> None:
        url = await side.provider.authorization_url(ATTEMPT, REDIRECT, again=False)
        asked = {name: values for name, (values,) in parse_qs(urlsplit(url).query).items()}
        assert url.startswith(f"{side.server.issuer}/authorize?")
        assert asked.pop("code_challenge") != ATTEMPT.verifier
        assert asked == {
            "response_type": "code",
            "client_id": CLIENT,
            "redirect_uri": REDIRECT,
            "scope": "openid profile",
            "state": ATTEMPT.state,
            "nonce": ATTEMPT.nonce,
            "code_challenge_method": "S256",
        }
        again = await side.provider.authorization_url(ATTEMPT, REDIRECT, again=True)
        assert parse_qs(urlsplit(again).query)["prompt"] == ["login"]

    run(scenario)


Claims = dict[str, Any]


def _set(**more: Any) -> Callable[[Claims, Claims], None]:
    return lambda _header, claims: claims.update(more)


def _without(name: str) -> Callable[[Claims, Claims], None]:
    return lambda _header, claims: claims.pop(name) and None


NOW = int(time.time())
WRONG_CLAIMS: dict[str, Callable[[Claims, Claims], None]] = {
    "another nonce": _set(nonce="nonce of another attempt"),
    "no nonce": _without("nonce"),
    "for another client": _set(aud="another client"),
    "for other clients": _set(aud=["another client", "a third"]),
    "for several, and not said who asked": _set(aud=[CLIENT, "another client"]),
    "asked by another client": _set(azp="another client"),
    "no audience": _without("aud"),
    "another issuer": _set(iss="https://evil.example"),
    "an issuer that begins like ours": _set(iss="http://127.0.0.1/club"),
    "no issuer": _without("iss"),
    "expired": _set(exp=NOW - HOUR),
    "no end": _without("exp"),
    "not yet valid": _set(nbf=NOW + 2 * HOUR),
    "from the future": _set(iat=NOW + 2 * HOUR),
    "not said when": _without("iat"),
    "nobody": _set(sub=""),
    "no subject": _without("sub"),
    "a subject that is no text": _set(sub=7),
    "a subject that is too long": _set(sub="x" * 256),
}


@pytest.mark.parametrize("name", WRONG_CLAIMS)
def test_a_token_with_wrong_claims_is_refused(name: str) -> None:
    async def scenario(side: Side) -> None:
        side.server.change = WRONG_CLAIMS[name]
        with pytest.raises(OpenIdFailed):
            await side.identify()

    run(scenario)


def test_the_clock_of_the_provider_may_differ_a_little() -> None:
    async def scenario(side: Side) -> None:
        side.server.change = _set(iat=NOW + 60, nbf=NOW + 60, exp=int(time.time()) - 60)
        await side.identify()

    run(scenario)


def _hmac_with_public_key(server: OpenIdServer) -> Callable[[Claims, Claims], str]:
    """Return what signs with the published key as if it were a shared secret."""
    public = server.keys[0].as_pem(private=False)

    def encode(header: Claims, claims: Claims) -> str:
        content = unsigned({**header}, claims).rstrip(".")
        content = f"{part({**header, 'alg': 'HS256'})}.{content.split('.')[1]}"
        return f"{content}.{text(hmac.digest(public, content.encode(), 'sha256'))}"

    return encode


def _other_key(server: OpenIdServer) -> Callable[[Claims, Claims], str]:
    other = new_key()
    return lambda header, claims: jwt.encode(header, claims, other)


def _key_in_header(server: OpenIdServer) -> Callable[[Claims, Claims], str]:
    other = RSAKey.generate_key(2048)
    own = {"jwk": other.as_dict(private=False)}
    return lambda header, claims: jwt.encode({**header, **own}, claims, other)


def _changed(server: OpenIdServer) -> Callable[[Claims, Claims], str]:
    def encode(header: Claims, claims: Claims) -> str:
        signed = jwt.encode(header, claims, server.keys[0])
        head, _, signature = signed.split(".")
        return f"{head}.{unsigned({}, {**claims, 'sub': 'somebody else'}).split('.')[1]}.{signature}"

    return encode


FORGED: dict[str, Callable[[OpenIdServer], Callable[[Claims, Claims], str]]] = {
    "unsigned": lambda _: unsigned,
    "unsigned in other letters": lambda _: (
        lambda header, claims: unsigned(header, claims).replace(
            unsigned(header, claims).split(".")[0], "eyJhbGciOiJOb05lIn0"
        )
    ),
    "the public key as a secret": _hmac_with_public_key,
    "another key of the same name": _other_key,
    "a key that the token brings": _key_in_header,
    "changed after it was signed": _changed,
    "no token": lambda _: lambda _header, _claims: "",
    "junk": lambda _: lambda _header, _claims: "a.b.c",
    "not ASCII": lambda _: lambda _header, _claims: "é.é.é",
    "too many parts": lambda server: lambda header, claims: jwt.encode(header, claims, server.keys[0]) + ".x",
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_token_is_refused(name: str) -> None:
    async def scenario(side: Side) -> None:
        side.server.encode = FORGED[name](side.server)
        with pytest.raises(OpenIdFailed):
            await side.identify()

    run(scenario)


def test_a_code_is_exchanged_once_and_by_who_began() -> None:
    async def scenario(side: Side) -> None:
        code = await side.code()
        await side.provider.identify(code, ATTEMPT, REDIRECT)
        with pytest.raises(OpenIdFailed):
            await side.provider.identify(code, ATTEMPT, REDIRECT)
        for attempt, redirect in (
            (ATTEMPT._replace(verifier="w" * 43), REDIRECT),
            (ATTEMPT, f"{REDIRECT}/other"),
        ):
            with pytest.raises(OpenIdFailed):
                await side.provider.identify(await side.code(), attempt, redirect)
        with pytest.raises(OpenIdFailed):
            await side.provider.identify("guessed", ATTEMPT, REDIRECT)

    server = run(scenario)
    assert server.refused == [
        "unknown or used code", "wrong verifier", "another redirect", "unknown or used code",
    ]  # fmt: skip


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", "none"])
def test_this_server_proves_to_be_the_client_as_the_provider_wants(method: str) -> None:
    async def scenario(side: Side) -> None:
        side.server.method = method
        assert (await side.identify()).subject == "subject of Ada"

    assert run(scenario, "" if method == "none" else SECRET).refused == []


def test_a_wrong_secret_of_the_client_is_refused() -> None:
    async def scenario(side: Side) -> None:
        with pytest.raises(OpenIdFailed):
            await side.identify()

    assert run(scenario, "another secret").refused == ["invalid_client"]


def test_new_keys_of_the_provider_are_read_but_not_for_every_forgery() -> None:
    async def scenario(side: Side) -> None:
        await side.identify()
        side.server.keys = [new_key(), side.server.keys[0]]
        side.ahead += KEYS_PAUSE
        await side.identify()
        side.server.encode = lambda header, claims: jwt.encode(
            {**header, "kid": "unknown"}, claims, side.server.keys[0]
        )
        before = side.server.requests.count("/club/keys")
        for _ in range(5):
            with pytest.raises(OpenIdFailed):
                await side.identify()
        assert side.server.requests.count("/club/keys") <= before + 1

    run(scenario)


def test_what_the_provider_publishes_is_read_once_an_hour() -> None:
    async def scenario(side: Side) -> None:
        for _ in range(3):
            await side.identify()
        assert side.server.requests.count("/club/.well-known/openid-configuration") == 1
        assert side.server.requests.count("/club/keys") == 1
        side.ahead += PUBLISHED_FOR
        side.server.change = _set(exp=int(time.time()) + 2 * HOUR, iat=int(time.time()))
        await side.identify()
        assert side.server.requests.count("/club/.well-known/openid-configuration") == 2

    run(scenario)


def test_keys_of_unknown_kinds_are_left_out() -> None:
    async def scenario(side: Side) -> None:
        ours = side.server.keys[0].as_dict(private=False)
        odd = [
            {},
            {"kty": "odd", "kid": "1"},
            {"kty": "oct", "k": "AAAA", "kid": "2"},
            {**ours, "use": "enc"},
            7,
        ]
        side.server.published = [*odd[:-1], ours]
        assert (await side.identify()).subject == "subject of Ada"

    run(scenario)


def test_a_provider_with_one_key_need_not_name_it() -> None:
    async def scenario(side: Side) -> None:
        side.server.change = lambda header, _claims: header.pop("kid") and None
        assert (await side.identify()).subject == "subject of Ada"
        side.server.keys.append(new_key())
        side.ahead += PUBLISHED_FOR
        side.server.change = lambda header, claims: (
            header.pop("kid") and claims.update(exp=int(time.time()) + 2 * HOUR)
        )
        with pytest.raises(OpenIdFailed):
            await side.identify()

    run(scenario)


@pytest.mark.parametrize(
    ("claims", "name"),
    [
        ({"preferred_username": "ada", "nickname": "Lady Ada", "name": "Ada Lovelace"}, "ada"),
        ({"nickname": "Lady Ada", "name": "Ada Lovelace"}, "Lady Ada"),
        ({"preferred_username": " ", "name": "Ada Lovelace"}, "Ada Lovelace"),
        ({"preferred_username": 7, "name": ["x"]}, ""),
        ({"name": "x" * 9_999}, "x" * 255),
        ({"email": "ada@example.org", "email_verified": True}, ""),
        ({}, ""),
    ],
)
def test_the_name_is_what_the_provider_calls_the_person(claims: dict[str, Any], name: str) -> None:
    async def scenario(side: Side) -> None:
        side.server.claims["Ada"] = claims
        assert (await side.identify()).name == name

    run(scenario)


def test_a_provider_may_tell_when_the_person_signed_in() -> None:
    async def scenario(side: Side) -> None:
        side.server.claims["Ada"] = {"auth_time": 1_700_000_000}
        assert (await side.identify()).signed_in_at == 1_700_000_000_000

    run(scenario)


@pytest.mark.parametrize(
    "discovery",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"authorization_endpoint": None, "token_endpoint": None, "jwks_uri": "x:"},
        {"token_endpoint": "http://127.0.0.1:1/"},
    ],
)
def test_a_provider_that_does_not_say_who_it_is_is_unavailable(discovery: dict[str, Any]) -> None:
    async def scenario(side: Side) -> None:
        side.server.discovery = discovery
        with pytest.raises(OpenIdUnavailable):
            await side.identify()

    run(scenario)


def test_a_provider_that_is_down_is_unavailable_until_it_answers() -> None:
    async def scenario(side: Side) -> None:
        side.server.down = True
        with pytest.raises(OpenIdUnavailable):
            await side.provider.authorization_url(ATTEMPT, REDIRECT, again=False)
        side.server.down = False
        code = await side.code()
        side.server.down = True
        with pytest.raises(OpenIdUnavailable):
            await side.provider.identify(code, ATTEMPT, REDIRECT)
        side.server.down = False
        await side.identify()

    run(scenario)
