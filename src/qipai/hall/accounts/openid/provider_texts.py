"""What is signed for the way to the provider and back. Nothing is stored before somebody comes back."""

from base64 import urlsafe_b64encode
from enum import StrEnum
from hashlib import sha256
from typing import Final, NamedTuple

from qipai.hall.journal.store_interface import Entropy
from qipai.hall.people.signed_texts import DatedTexts
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.ids import Millis, Person

from .openid_interface import Attempt

ATTEMPT_SECONDS: Final = 600
"""Seconds for the way to the provider and back."""
NEW_PERSON_SECONDS: Final = 900
"""Seconds in which somebody who has signed in at the provider may choose a name."""
CONFIRMED_SECONDS: Final = 300
"""Seconds in which a sign-in at the provider proves that the owner of an account is there."""


class Aim(StrEnum):
    """What somebody goes to the provider for."""

    SIGN_IN = "sign_in"
    LINK = "link"
    CONFIRM = "confirm"


class Journey(NamedTuple):
    """An attempt and its aim; the person for whom it is, if not to sign in; when it began and ends."""

    attempt: Attempt
    aim: Aim
    person: Person
    began: Millis
    expires: Millis


class NewPerson(NamedTuple):
    """Somebody who has signed in at the provider and has no account yet."""

    key: bytes
    name: str


class ProviderTexts:
    """Signs these texts and reads them."""

    def __init__(self, keys: SigningKeys, entropy: Entropy) -> None:
        self._now = keys.now
        self._entropy = entropy
        self._journeys = DatedTexts(keys, "qipai.openid.journey")
        self._new_persons = DatedTexts(keys, "qipai.openid.new")
        self._confirmations = DatedTexts(keys, "qipai.openid.confirmed")

    def begin(self, aim: Aim, person: Person) -> tuple[Attempt, str]:
        """Return a new attempt, and the text that the browser keeps meanwhile."""
        attempt = Attempt(*(urlsafe_b64encode(self._entropy(32)).decode().rstrip("=") for _ in range(3)))
        return attempt, self._journeys.sign([*attempt, aim.value, person])

    def read_journey(self, text: str) -> Journey | None:
        """Return what a browser has kept; None if it is not valid, or took too long."""
        signed = self._journeys.read(text, ATTEMPT_SECONDS)
        match None if signed is None else signed.value:
            case [str() as state, str() as nonce, str() as verifier, str() as aim, str() as person]:
                assert signed is not None
                began = Millis(self._now() - signed.age * 1000)
                expires = Millis(began + ATTEMPT_SECONDS * 1000)
                return Journey(Attempt(state, nonce, verifier), Aim(aim), Person(person), began, expires)
        return None

    def new_person(self, found: NewPerson) -> str:
        """Return the text with which somebody may create an account."""
        return self._new_persons.sign([found.key.hex(), found.name])

    def read_new_person(self, text: str) -> NewPerson | None:
        """Return who may create an account; None if the text is not valid, or too old."""
        signed = self._new_persons.read(text, NEW_PERSON_SECONDS)
        match None if signed is None else signed.value:
            case [str() as key, str() as name]:
                return NewPerson(bytes.fromhex(key), name)
        return None

    def confirmation(self, session_key: bytes, person: Person) -> str:
        """Return the proof that a person has just signed in at the provider, for one session."""
        return self._confirmations.sign([session_key.hex(), person])

    def is_confirmed(self, text: str, session_key: bytes, person: Person) -> bool:
        """Tell whether a text is this proof."""
        signed = self._confirmations.read(text, CONFIRMED_SECONDS)
        return signed is not None and signed.value == [session_key.hex(), person]


def identity_key(issuer: str, subject: str) -> bytes:
    """Return what is stored of an identity: nobody learns from it who the person is at the provider."""
    return sha256(f"identity {issuer} {subject}".encode()).digest()


def state_key(state: str) -> bytes:
    """Return what is stored of an attempt that was used."""
    return sha256(f"openid state {state}".encode()).digest()
