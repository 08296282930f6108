"""What browsers are asked about passkeys, and the verification of their answers by the library `webauthn`."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from qipai.kernel.ids import Person

from .account_refusals import AccountRefusal, AccountRefused

T = TypeVar("T")
_TIMEOUT: Final = 60_000
_ALGORITHMS: Final = (-8, -7, -257)
"""EdDSA, ES256 and RS256, which the library accepts."""
LOCAL: Final = "localhost"


class Site(NamedTuple):
    """The site that a browser shows: the relying party, and the origins that its pages may have."""

    id: str
    origins: tuple[str, ...]


class NewCredential(NamedTuple):
    """A passkey that an authenticator has made."""

    id: bytes
    public_key: bytes
    sign_count: int


def site_of(host: str) -> Site:
    """Return the site of a Host header; refuse hosts that can have no passkeys, such as addresses.

    Pages are served over TLS, perhaps by a proxy that the server does not know, or come from this machine.
    """
    lower = host.lower()
    name, _, port = lower.partition(":")
    if not name or not name.isascii() or (port and not port.isdigit()) or _is_address(name):
        raise AccountRefused(AccountRefusal.PASSKEY_FAILED, "this host can have no passkeys")
    is_local = name == LOCAL or name.endswith(f".{LOCAL}")
    return Site(name, (f"https://{lower}", *([f"http://{lower}"] if is_local else [])))


def creation_options(
    site: Site, challenge: str, person: Person, name: str, known: Iterable[bytes]
) -> dict[str, object]:
    """Return what a browser is asked for a new passkey, which its device finds without the name."""
    return {
        "rp": {"id": site.id, "name": "Qipai"},
        "user": {"id": encoded(person.encode()), "name": name, "displayName": name},
        "challenge": challenge,
        "pubKeyCredParams": [{"type": "public-key", "alg": each} for each in _ALGORITHMS],
        "timeout": _TIMEOUT,
        "excludeCredentials": _descriptors(known),
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": True,
            "userVerification": "preferred",
        },
        "attestation": "none",
    }


def request_options(site: Site, challenge: str, known: Iterable[bytes] = ()) -> dict[str, object]:
    """Return what a browser is asked for a signature; without known passkeys, the person chooses one."""
    return {
        "rpId": site.id,
        "challenge": challenge,
        "timeout": _TIMEOUT,
        "allowCredentials": _descriptors(known),
        "userVerification": "preferred",
    }


def challenge_of(credential: Any) -> str:
    """Return the challenge that a credential answers; nothing of it is verified yet."""
    try:
        return str(msgspec.json.decode(decoded(credential["response"]["clientDataJSON"]))["challenge"])
    except (KeyError, TypeError, ValueError, msgspec.MsgspecError) as error:
        raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error


def id_of(credential: Any) -> bytes:
    """Return the id of a credential; nothing of it is verified yet."""
    try:
        return decoded(credential["id"])
    except (KeyError, TypeError, ValueError) as error:
        raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error


def verify_new(credential: Any, challenge: str, site: Site) -> NewCredential:
    """Return the passkey of an authenticator, or raise `AccountRefused`."""
    # The library takes long to load, and a server whose people have no passkeys needs none of it.
    from webauthn import verify_registration_response
    from webauthn.helpers import parse_attestation_object, parse_registration_credential_json
    from webauthn.helpers.structs import AttestationFormat

    def verify() -> NewCredential:
        parsed = parse_registration_credential_json(credential)
        attested = parse_attestation_object(parsed.response.attestation_object)
        if attested.fmt not in (AttestationFormat.NONE, AttestationFormat.PACKED):
            # Browsers were asked for none: other formats need chains of certificates that nobody checks here.
            raise ValueError("unexpected attestation")
        found = verify_registration_response(
            credential=parsed,
            expected_challenge=decoded(challenge),
            expected_rp_id=site.id,
            expected_origin=list(site.origins),
        )
        return NewCredential(found.credential_id, found.credential_public_key, found.sign_count)

    return _refusing(verify)


def verify_signature(credential: Any, challenge: str, site: Site, public_key: bytes, sign_count: int) -> int:
    """Return the new counter of signatures of a passkey, or raise `AccountRefused`."""
    # As above.
    from webauthn import verify_authentication_response

    return _refusing(
        lambda: (
            verify_authentication_response(
                credential=credential,
                expected_challenge=decoded(challenge),
                expected_rp_id=site.id,
                expected_origin=list(site.origins),
                credential_public_key=public_key,
                credential_current_sign_count=sign_count,
            ).new_sign_count
        )
    )


def refuse_other_person(credential: Any, person: Person) -> None:
    """Raise `AccountRefused` if the device says that its passkey is of another person; it may say nothing."""
    said = credential["response"].get("userHandle")
    if said not in (None, "", encoded(person.encode())):
        raise AccountRefused(AccountRefusal.PASSKEY_FAILED)


def encoded(content: bytes) -> str:
    """Return bytes as WebAuthn writes them."""
    return urlsafe_b64encode(content).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """Return the bytes of a text of WebAuthn, or raise `ValueError`."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _refusing(verify: Callable[[], T]) -> T:
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        return verify()
    except (WebAuthnException, ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        # The library checks most of what it is given, and raises these for the rest.
        raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error


def _descriptors(known: Iterable[bytes]) -> list[dict[str, str]]:
    return [{"type": "public-key", "id": encoded(each)} for each in known]


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return host.startswith("[")
    return True
