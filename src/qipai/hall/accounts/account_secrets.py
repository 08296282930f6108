"""Secrets that the server hands out once and stores only as hashes: sessions, links and codes.

They are random and long, so one fast hash is enough, unlike for passwords.
"""

from base64 import b32encode, urlsafe_b64encode
from hashlib import blake2b, sha256
from hmac import compare_digest
from typing import Final

from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.ids import Person

RECOVERY_CODES: Final = 10
_CODE_BYTES: Final = 10
_GROUP: Final = 4
MAX_TOKEN: Final = 100
MAX_CODE: Final = 40


def new_token(entropy: Entropy) -> str:
    """Return the secret of a new session or link: 256 random bits."""
    return urlsafe_b64encode(entropy(32)).decode().rstrip("=")


def session_key(token: str) -> bytes:
    """Return what is stored of the token of a session."""
    return sha256(f"session {token}".encode()).digest()


def sign_in_link_key(token: str) -> bytes:
    """Return what is stored of the secret of a link with which a person signs in once."""
    return sha256(f"sign-in link {token}".encode()).digest()


def new_recovery_codes(entropy: Entropy) -> tuple[str, ...]:
    """Return the recovery codes of an account: 80 random bits each, in groups of four letters."""
    return tuple(_grouped(b32encode(entropy(_CODE_BYTES)).decode().lower()) for _ in range(RECOVERY_CODES))


def recovery_key(person: Person, code: str) -> bytes:
    """Return what is stored of a recovery code; dashes, spaces and capitals do not matter."""
    return sha256(f"recovery {person} {_plain(code)}".encode()).digest()


def new_invitation_code(entropy: Entropy) -> str:
    """Return an invitation code: 80 random bits, like a recovery code."""
    return _grouped(b32encode(entropy(_CODE_BYTES)).decode().lower())


def invitation_key(code: str) -> bytes:
    """Return what is stored of an invitation code; dashes, spaces and capitals do not matter."""
    return sha256(f"invitation {_plain(code)}".encode()).digest()


def first_operator_code(secret: bytes) -> str:
    """Return the code for the first operator; from the signing key, so that all workers have the same."""
    digest = blake2b(key=secret[:64], person=b"qipai.operator", digest_size=_CODE_BYTES).digest()
    return _grouped(b32encode(digest).decode().lower())


def is_first_operator_code(secret: bytes, code: str) -> bool:
    """Tell whether this is that code; dashes, spaces and capitals do not matter."""
    return compare_digest(_plain(code).encode(), _plain(first_operator_code(secret)).encode())


def _plain(code: str) -> str:
    return "".join(char for char in code.lower() if char.isalnum())


def _grouped(code: str) -> str:
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))
