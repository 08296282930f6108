"""Challenges of passkeys: signed texts that every worker can check. They are stored once they are used."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from enum import StrEnum
from hashlib import blake2b
from hmac import compare_digest
from typing import Final, NamedTuple

from qipai.hall.journal.store_interface import Entropy, Now
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Millis, Person

CHALLENGE_LIFE: Final = 120_000
"""Milliseconds within which a challenge must be answered."""
_RANDOM: Final = 16
ANYBODY: Final = Person("")
_TIME: Final = 8
_SIGNATURE: Final = 16


class Purpose(StrEnum):
    """What a challenge is for; the answer to one is of no use for another."""

    REGISTER = "register"
    ADD = "add"
    SIGN_IN = "sign_in"
    CONFIRM = "confirm"
    LINK = "link"


class Challenge(NamedTuple):
    """A challenge that was issued here and has not expired. `key` is what is stored once it was used."""

    key: bytes
    expires: Millis


class PasskeyChallenges:
    """Issues and checks challenges. Nothing is stored when one is issued, so any number may be asked for."""

    def __init__(self, keys: SigningKeys, now: Now, entropy: Entropy) -> None:
        self._keys = keys
        self._now = now
        self._entropy = entropy

    def issue(self, purpose: Purpose, person: Person = ANYBODY) -> str:
        """Return a new challenge; without a person, anybody may answer it."""
        expires = self._now() + CHALLENGE_LIFE
        content = self._entropy(_RANDOM) + expires.to_bytes(_TIME)
        return (
            urlsafe_b64encode(content + _sign(self._keys.signing(), content, purpose, person))
            .decode()
            .rstrip("=")
        )

    def read(self, text: str, purpose: Purpose, person: Person = ANYBODY) -> Challenge | None:
        """Return a challenge for this purpose and person; None if it is another one, or has expired."""
        try:
            found = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            return None
        content, signature = found[: _RANDOM + _TIME], found[_RANDOM + _TIME :]
        keys = self._keys.accepted()
        if not any(compare_digest(signature, _sign(key, content, purpose, person)) for key in keys):
            return None
        expires = Millis(int.from_bytes(content[_RANDOM:]))
        return Challenge(content, expires) if self._now() < expires else None


def _sign(key: bytes, content: bytes, purpose: Purpose, person: Person) -> bytes:
    text = f"{purpose} {person} ".encode() + content
    return blake2b(text, key=key, person=b"qipai.passkey", digest_size=_SIGNATURE).digest()
