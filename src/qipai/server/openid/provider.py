"""Requests to an OpenID Connect provider: what it publishes of itself, and what it gives for a code."""

import asyncio
import contextlib
import ssl
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import quote_plus

import httpx2
import structlog
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from authlib.oauth2.rfc7636 import create_s256_code_challenge
from authlib.oidc.discovery import get_well_known_url
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from qipai.hall.accounts.openid.openid_interface import Attempt, Identified, OpenIdFailed, OpenIdUnavailable
from qipai.hall.journal.store_interface import Now

from .id_token import UnknownKey, published_keys, verify

T = TypeVar("T")
SCOPE: Final = "openid profile"
ANSWER_SECONDS: Final = 10.0
"""Seconds for all requests of one sign-in."""
AT_ONCE: Final = 8
"""Codes that are exchanged at the same time; further people wait."""
PUBLISHED_FOR: Final = 3_600_000
"""Milliseconds in which what the provider publishes is not read again."""
KEYS_PAUSE: Final = 60_000
"""Milliseconds between two readings of its keys because of a token with an unknown one."""
_log: Final = structlog.get_logger("qipai.openid")


class Published(NamedTuple):
    """What a provider publishes of itself, and when it was read."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    posts_secret: bool
    """Whether it takes the secret of a client only in the body of a request."""
    read_at: int


class OpenIdProvider:
    """Implements `Provider` for one client of a provider."""

    def __init__(self, issuer: str, label: str, client_id: str, client_secret: str, now: Now) -> None:
        self.issuer = issuer
        self.label = label
        self._client_id = client_id
        self._client_secret = client_secret
        self._now = now
        # Made once: reading the certificates of authorities takes long.
        self._tls = ssl.create_default_context()
        self._http = httpx2.AsyncClient(timeout=ANSWER_SECONDS, verify=self._tls)
        self._published: Published | None = None
        self._keys: KeySet | None = None
        self._keys_read_at = 0
        self._at_once = asyncio.Semaphore(AT_ONCE)
        self._reading = asyncio.Lock()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def authorization_url(self, attempt: Attempt, redirect: str, *, again: bool) -> str:
        """Return where the browser goes, or raise `OpenIdUnavailable`."""
        published = await self._ask(self._read_published)
        asked = {"prompt": "login", "max_age": "0"} if again else {}
        async with self._client(redirect) as client:
            url, _ = client.create_authorization_url(
                published.authorization_endpoint,
                state=attempt.state,
                nonce=attempt.nonce,
                code_challenge=create_s256_code_challenge(attempt.verifier),
                code_challenge_method="S256",
                **asked,
            )
        return str(url)

    async def identify(self, code: str, attempt: Attempt, redirect: str) -> Identified:
        """Return who has signed in, or raise `OpenIdFailed` or `OpenIdUnavailable`."""
        async with self._at_once:
            return await self._ask(lambda: self._identify(code, attempt, redirect))

    async def _identify(self, code: str, attempt: Attempt, redirect: str) -> Identified:
        published = await self._read_published()
        async with self._token_client(published) as client:
            answer = await client.fetch_token(
                published.token_endpoint,
                grant_type="authorization_code",
                code=code,
                redirect_uri=redirect,
                code_verifier=attempt.verifier,
            )
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise OpenIdFailed("no ID token")
        return await self._verified(token, published, attempt.nonce)

    async def _verified(self, token: str, published: Published, nonce: str) -> Identified:
        for keys in (await self._read_keys(published), None):
            found = keys or await self._read_keys(published, again=True)
            with contextlib.suppress(UnknownKey):
                return verify(token, found, self.issuer, self._client_id, nonce, self._now())
        raise OpenIdFailed("ID token: signed with a key that the provider does not publish")

    async def _ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return what the provider answers in time; log why not."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await work()
        except OpenIdFailed as error:
            _log.warning("sign-in refused", provider=self.issuer, reason=str(error))
            raise
        except OAuthError as error:
            # Such as a code that was used before.
            _log.warning("sign-in refused", provider=self.issuer, reason=error.error)
            raise OpenIdFailed(str(error.error)) from error
        except (
            TimeoutError,
            httpx2.HTTPError,
            httpx2.InvalidURL,
            JoseError,
            ValueError,
            KeyError,
            TypeError,
        ) as error:
            reason = f"{type(error).__name__}: {error}"
            _log.error("provider unavailable", provider=self.issuer, reason=reason)
            raise OpenIdUnavailable(reason) from error

    def _client(self, redirect: str) -> Any:
        """Return what sends people to the provider."""
        return AsyncOAuth2Client(self._client_id, scope=SCOPE, redirect_uri=redirect, verify=self._tls)

    def _token_client(self, published: Published) -> Any:
        """Return what exchanges codes; in a header, id and secret are encoded (RFC 6749, 2.3.1)."""
        client, secret, method = self._client_id, self._client_secret, "client_secret_post"
        if not secret:
            method = "none"
        elif not published.posts_secret:
            client, secret, method = quote_plus(client), quote_plus(secret), "client_secret_basic"
        return AsyncOAuth2Client(
            client, secret, token_endpoint_auth_method=method, timeout=ANSWER_SECONDS, verify=self._tls
        )

    async def _read_published(self) -> Published:
        async with self._reading:
            known = self._published
            if known is None or self._now() - known.read_at >= PUBLISHED_FOR:
                found = await self._get(get_well_known_url(self.issuer, external=True))
                if found.get("issuer") != self.issuer:
                    raise ValueError(f"it names itself {found.get('issuer')!r}")
                methods = found.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
                known = self._published = Published(
                    str(found["authorization_endpoint"]),
                    str(found["token_endpoint"]),
                    str(found["jwks_uri"]),
                    "client_secret_basic" not in methods and "client_secret_post" in methods,
                    self._now(),
                )
            return known

    async def _read_keys(self, published: Published, *, again: bool = False) -> KeySet:
        """Return the keys of the provider; `again` if a token has an unknown one, but not too often."""
        async with self._reading:
            pause = KEYS_PAUSE if again else PUBLISHED_FOR
            if self._keys is None or self._now() - self._keys_read_at >= pause:
                self._keys = published_keys(await self._get(published.jwks_uri))
                self._keys_read_at = self._now()
            return self._keys

    async def _get(self, url: str) -> dict[str, Any]:
        answer = await self._http.get(url)
        answer.raise_for_status()
        found = answer.json()
        if not isinstance(found, dict):
            raise ValueError(f"{url}: expected a JSON object")
        return found
