"""Secrets that the server hands out once and stores only as hashes: sessions, links and recovery codes.

They are random and long, so one fast hash is enough, unlike for passwords.
"""

from base64 import b32encode, urlsafe_b64encode
from hashlib import sha256
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
    plain = "".join(char for char in code.lower() if char.isalnum())
    return sha256(f"recovery {person} {plain}".encode()).digest()


def _grouped(code: str) -> str:
    return "-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP))
