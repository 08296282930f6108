"""ID tokens: who signed them, for whom, for which attempt, and until when they are valid."""

from base64 import urlsafe_b64decode
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import msgspec
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet, import_key

from qipai.hall.accounts.openid.openid_interface import Identified, OpenIdFailed
from qipai.kernel.ids import Millis

ALGORITHMS: Final = (
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519",
)  # fmt: skip
"""Only signatures with a private key: no `none`, and no HMAC, for which a public key could be the secret."""
LEEWAY: Final = 120
"""Seconds by which the clock of the provider may differ."""
_NAMES: Final = ("preferred_username", "nickname", "name")
"""Where a provider says what it calls a person, the first that is there."""
_MOST_CHARACTERS: Final = 255
"""Of a subject, as the standard says, and of a name."""


class UnknownKey(Exception):
    """The provider has not published the key of a token, or has changed its keys since."""


def key_id(token: str) -> str | None:
    """Return which key a token says it was signed with; nothing of it is verified."""
    header = token.partition(".")[0]
    try:
        found: object = msgspec.json.decode(urlsafe_b64decode(header + "=" * (-len(header) % 4)))["kid"]
    except KeyError:
        return None
    except (ValueError, TypeError, msgspec.MsgspecError) as error:
        raise OpenIdFailed("ID token: its header cannot be read") from error
    return found if isinstance(found, str) else None


def published_keys(found: Mapping[str, Any]) -> KeySet:
    """Return the keys that a provider publishes; those of unknown kinds are left out."""
    keys = []
    for each in found["keys"]:
        with suppress(JoseError, ValueError, KeyError, TypeError):
            if each.get("use", "sig") == "sig" and each["kty"] != "oct":
                keys.append(import_key(each))
    return KeySet(keys)


def verify(token: str, keys: KeySet, issuer: str, client: str, nonce: str, now: Millis) -> Identified:
    """Return who signed in, or raise `OpenIdFailed` or `UnknownKey`."""
    wanted = key_id(token)
    # A provider with one key need not name it.
    if not any(key.kid == wanted for key in keys.keys) and (wanted is not None or len(keys.keys) != 1):
        raise UnknownKey
    try:
        decoded = jwt.decode(token, keys, algorithms=ALGORITHMS)
        claims = CodeIDToken(
            decoded.claims,
            decoded.header,
            {"iss": {"essential": True, "value": issuer}, "aud": {"essential": True, "value": client}},
            {"nonce": nonce, "client_id": client},
        )
        claims.validate(now // 1000, LEEWAY)
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        # The library checks most of what it is given, and raises these for the rest.
        raise OpenIdFailed(f"ID token: {error}") from error
    return _identified(claims)


def _identified(claims: Mapping[str, Any]) -> Identified:
    subject, at = claims["sub"], claims.get("auth_time")
    if not isinstance(subject, str) or not 0 < len(subject) <= _MOST_CHARACTERS:
        raise OpenIdFailed("ID token: no subject")
    named = (claims.get(each) for each in _NAMES)
    name = next((each for each in named if isinstance(each, str) and each.strip()), "")
    return Identified(subject, name[:_MOST_CHARACTERS], None if at is None else Millis(int(at) * 1000))
