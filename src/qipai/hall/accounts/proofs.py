"""Proofs that somebody may use an account: its password, or a signature of one of its passkeys."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from msgspec.structs import replace

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.journal.store_interface import Now
from qipai.hall.people.address_limits import is_counted
from qipai.hall.people.names import Names
from qipai.hall.people.person_quota import Quota
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis, Person

from .account_interface import Account, AccountStore, ChallengeUsed, Passkey
from .account_refusals import AccountRefusal, AccountRefused, RefusalCounter
from .account_secrets import session_key
from .openid.provider_texts import ProviderTexts
from .passkey_challenges import ANYBODY, Challenge, PasskeyChallenges, Purpose
from .passkey_verification import (
    Site,
    challenge_of,
    id_of,
    refuse_other_person,
    site_of,
    verify_new,
    verify_signature,
)
from .passwords import Passwords

ATTEMPTS_OF_ADDRESS: Final = 20
ATTEMPTS_AT_ACCOUNT: Final = 20
ADDRESS_WINDOW: Final = 60_000
ACCOUNT_WINDOW: Final = 600_000
MAX_DEVICE: Final = 200

T = TypeVar("T")


class Ask(Protocol):
    """Asks the store in its thread."""

    async def __call__(self, work: Callable[[AccountStore], T]) -> T:
        """Return what the store answers."""


class Client(NamedTuple):
    """Who sends a request: the address that limits count, and what the device calls itself."""

    address: str
    device: str


class PasskeyAnswer(NamedTuple):
    """What a browser answered to a challenge, and the Host header of its request."""

    credential: Any
    host: str


class ProviderSignIn(NamedTuple):
    """The text that says that a person has just signed in at the provider, and the session of the request."""

    text: str
    session_token: str


Proof = str | PasskeyAnswer
"""A password, or a signature of a passkey."""
Confirmation = Proof | ProviderSignIn
"""What proves that the owner of an account is there."""


class Proofs:
    """Checks proofs, and counts the attempts of addresses and at accounts."""

    def __init__(
        self,
        ask: Ask,
        names: Names,
        counters: SharedCounters,
        now: Now,
        challenges: PasskeyChallenges,
        provider_texts: ProviderTexts,
        passwords: Passwords,
        refusals: RefusalCounter,
    ) -> None:
        self._ask = ask
        self._names = names
        self._now = now
        self._challenges = challenges
        self._provider_texts = provider_texts
        self._passwords = passwords
        self._refusals = refusals
        self._of_address = Quota(counters, "sign-ins-of", ATTEMPTS_OF_ADDRESS, ADDRESS_WINDOW)
        self._at_account = Quota(counters, "sign-ins-at", ATTEMPTS_AT_ACCOUNT, ACCOUNT_WINDOW)

    async def count_address(self, client: Client) -> None:
        """Count an attempt for the address, or raise `AccountRefused`."""
        allowed = not is_counted(client.address) or await self._of_address.spend_for(
            client.address, self._now()
        )
        with self._refusals:
            if not allowed:
                raise AccountRefused(AccountRefusal.RATE_LIMITED)

    async def count_attempt(self, name: str, client: Client) -> str:
        """Count an attempt for the address and the account, and return the skeleton of the name."""
        skeleton = self._names.skeleton(name)
        await self.count_address(client)
        with self._refusals:
            if not await self._at_account.spend_for(skeleton, self._now()):
                raise AccountRefused(AccountRefusal.RATE_LIMITED)
        return skeleton

    async def check(self, account: Account, proof: Confirmation, client: Client) -> None:
        """Raise `AccountRefused` if this is no proof of this account."""
        if isinstance(proof, str):
            await self.check_password(account.name, proof, client)
        elif isinstance(proof, ProviderSignIn):
            await self.count_address(client)
            with self._refusals:
                key = session_key(proof.session_token)
                if not self._provider_texts.is_confirmed(proof.text, key, account.person):
                    raise AccountRefused(AccountRefusal.OPENID_FAILED)
        else:
            await self.count_address(client)
            await self.signer(proof, Purpose.CONFIRM, account.person)

    async def check_password(self, name: str, password: str, client: Client) -> Account:
        """Return the account with this name and password."""
        skeleton = await self.count_attempt(name, client)
        found = await self._ask(lambda store: store.find(skeleton))
        # An account without a password takes as long as an unknown one.
        is_right = await self._passwords.is_right(password, found[1] or None if found else None)
        with self._refusals:
            if found is None or not is_right:
                raise AccountRefused(AccountRefusal.SIGN_IN_FAILED)
        return found[0]

    async def signer(self, answer: PasskeyAnswer, purpose: Purpose, person: Person = ANYBODY) -> Account:
        """Return the account whose passkey signed a challenge; with a person, it must be of that person."""
        with self._refusals:
            return await self._signer(answer, purpose, person)

    async def _signer(self, answer: PasskeyAnswer, purpose: Purpose, person: Person) -> Account:
        credential, challenge, site = self._read(answer, purpose, person)
        number = id_of(credential)
        found = await self._ask(lambda store: store.passkey(number))
        if found is None or person not in (ANYBODY, found[1].person):
            raise AccountRefused(AccountRefusal.PASSKEY_FAILED)
        passkey, account = found

        def verify() -> int:
            count = verify_signature(
                credential, challenge_of(credential), site, passkey.public_key, passkey.sign_count
            )
            refuse_other_person(credential, account.person)
            return count

        used = replace(passkey, sign_count=await self._passwords.run(verify), used=self._now())
        try:
            await self._ask(lambda store: store.use_passkey(used, challenge.key, challenge.expires))
        except ChallengeUsed as error:
            raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error
        return account

    async def new_passkey(
        self, person: Person, purpose: Purpose, answer: PasskeyAnswer, client: Client
    ) -> tuple[Passkey, Challenge]:
        """Return the passkey that a device of this person has made, and the challenge; nothing is stored."""
        credential, challenge, site = self._read(answer, purpose, person)
        made = await self._passwords.run(lambda: verify_new(credential, challenge_of(credential), site))
        now: Millis = self._now()
        device = clean_line(client.device, MAX_DEVICE)
        return Passkey(made.id, person, made.public_key, made.sign_count, device, now, now), challenge

    def _read(self, answer: PasskeyAnswer, purpose: Purpose, person: Person) -> tuple[Any, Challenge, Site]:
        site = site_of(answer.host)
        challenge = self._challenges.read(challenge_of(answer.credential), purpose, person)
        if challenge is None:
            raise AccountRefused(AccountRefusal.PASSKEY_FAILED)
        return answer.credential, challenge, site
