"""Signs people in with an OpenID Connect provider, and links their accounts with it."""

from hmac import compare_digest
from typing import Final, NamedTuple

from qipai.hall.accounts.account_interface import ChallengeUsed, LastWayToSignIn
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts, Current, SignedIn
from qipai.hall.accounts.proofs import Client, Confirmation
from qipai.hall.people.names import NAME_LENGTH
from qipai.kernel.ids import Person

from .openid_interface import (
    Identified,
    IdentityTaken,
    OpenIdFailed,
    OpenIdUnavailable,
    Provider,
    ProviderIdentity,
)
from .provider_texts import Aim, Journey, NewPerson, identity_key, state_key

_NOBODY: Final = Person("")
_CLOCKS_DIFFER: Final = 60_000
"""Milliseconds by which the clock of the provider may be behind."""
CANCELLED: Final = "access_denied"
"""The error of a provider at which the person has declined."""


class Return(NamedTuple):
    """What came back from the provider in the address, and what the browser has kept meanwhile."""

    kept: str
    state: str
    code: str
    error: str
    issuer: str


class Confirmed(NamedTuple):
    """The owner of the account is there; the text proves it for some minutes."""

    text: str


class Newcomer(NamedTuple):
    """Somebody without an account; the text lets them create one."""

    text: str


class Linked(NamedTuple):
    """The account belongs to the identity at the provider from now on."""


class OpenIdAccounts:
    """What people do with the provider. Redirects are addresses of this server, known to the provider."""

    def __init__(self, accounts: Accounts, provider: Provider) -> None:
        self._accounts = accounts
        self._provider = provider
        self._texts = accounts.provider_texts

    @property
    def label(self) -> str:
        """Return what people call the provider."""
        return self._provider.label

    @property
    def issuer(self) -> str:
        """Return the address by which the provider names itself."""
        return self._provider.issuer

    async def is_linked(self, person: Person) -> bool:
        """Tell whether an account belongs to an identity at the provider."""
        found = await self._accounts.ask(lambda store: store.openid.identities(person))
        return any(each.issuer == self._provider.issuer for each in found)

    # To the provider

    async def sign_in(self, client: Client, redirect: str) -> tuple[str, str]:
        """Return where the browser goes to sign in, and what it keeps meanwhile."""
        await self._accounts.proofs.count_address(client)
        return await self._start(Aim.SIGN_IN, _NOBODY, redirect)

    async def link(
        self, current: Current, proof: Confirmation, client: Client, redirect: str
    ) -> tuple[str, str]:
        """Return where the browser goes to link an account, whose owner has proved to be there."""
        if await self.is_linked(current.account.person):
            raise AccountRefused(AccountRefusal.OPENID_TAKEN)
        await self._accounts.proofs.check(current.account, proof, client)
        return await self._start(Aim.LINK, current.account.person, redirect)

    async def confirm(self, current: Current, redirect: str) -> tuple[str, str]:
        """Return where the browser goes to prove that the owner of the account is there."""
        return await self._start(Aim.CONFIRM, current.account.person, redirect)

    async def _start(self, aim: Aim, person: Person, redirect: str) -> tuple[str, str]:
        attempt, kept = self._texts.begin(aim, person)
        again = aim is Aim.CONFIRM
        try:
            return await self._provider.authorization_url(attempt, redirect, again=again), kept
        except OpenIdUnavailable as error:
            raise AccountRefused(AccountRefusal.OPENID_UNAVAILABLE) from error

    # And back

    async def finish(
        self, back: Return, redirect: str, client: Client, current: Current | None
    ) -> SignedIn | Newcomer | Linked | Confirmed:
        """Check what came back, and do what the browser went to the provider for."""
        with self._accounts.refusals:
            journey = self._journey(back)
            await self._accounts.proofs.count_address(client)
            signer = None if current is None else current.account.person
            if journey.aim is not Aim.SIGN_IN and signer != journey.person:
                raise AccountRefused(AccountRefusal.NOT_SIGNED_IN)
            await self._use(journey)
            found = await self._identify(back, journey, redirect)
        key = identity_key(self._provider.issuer, found.subject)
        person = await self._accounts.ask(lambda store: store.openid.person(key))
        match journey.aim:
            case Aim.SIGN_IN:
                return await self._signed_in(key, person, found, client)
            case Aim.LINK:
                return await self._linked(key, journey.person)
            case Aim.CONFIRM:
                assert current is not None
                return self._confirmed(found, journey, person, current)

    def _journey(self, back: Return) -> Journey:
        """Return the attempt of this browser; refuse what another one began, or the provider refused."""
        journey = self._texts.read_journey(back.kept)
        if journey is None or not compare_digest(journey.attempt.state.encode(), back.state.encode()):
            raise AccountRefused(AccountRefusal.OPENID_FAILED)
        if back.issuer and back.issuer != self._provider.issuer:
            raise AccountRefused(AccountRefusal.OPENID_FAILED)
        if back.error == CANCELLED:
            raise AccountRefused(AccountRefusal.OPENID_CANCELLED)
        if back.error or not back.code:
            raise AccountRefused(AccountRefusal.OPENID_FAILED)
        return journey

    async def _use(self, journey: Journey) -> None:
        key = state_key(journey.attempt.state)
        try:
            await self._accounts.ask(lambda store: store.openid.use_state(key, journey.expires))
        except ChallengeUsed as error:
            raise AccountRefused(AccountRefusal.OPENID_FAILED) from error

    async def _identify(self, back: Return, journey: Journey, redirect: str) -> Identified:
        try:
            return await self._provider.identify(back.code, journey.attempt, redirect)
        except OpenIdFailed as error:
            raise AccountRefused(AccountRefusal.OPENID_FAILED) from error
        except OpenIdUnavailable as error:
            raise AccountRefused(AccountRefusal.OPENID_UNAVAILABLE) from error

    async def _signed_in(
        self, key: bytes, person: Person | None, found: Identified, client: Client
    ) -> SignedIn | Newcomer:
        account = None
        if person is not None:
            account = await self._accounts.ask(lambda store: store.account(person))
        if account is None:
            return Newcomer(self._texts.new_person(NewPerson(key, _suggestion(found.name))))
        return SignedIn(account, await self._accounts.start_session(account, client))

    async def _linked(self, key: bytes, person: Person) -> Linked:
        identity = self._identity(key, person)
        try:
            await self._accounts.ask(lambda store: store.openid.link(identity))
        except IdentityTaken as error:
            raise AccountRefused(AccountRefusal.OPENID_TAKEN) from error
        return Linked()

    def _confirmed(
        self, found: Identified, journey: Journey, person: Person | None, current: Current
    ) -> Confirmed:
        # A provider that tells when the person signed in must have asked them now.
        is_old = found.signed_in_at is not None and found.signed_in_at < journey.began - _CLOCKS_DIFFER
        if person != journey.person or is_old:
            raise AccountRefused(AccountRefusal.OPENID_FAILED)
        return Confirmed(self._texts.confirmation(current.session.key, person))

    # Afterwards

    def suggested_name(self, text: str) -> str:
        """Return what the provider calls a newcomer; empty if it is no name for an account."""
        found = self._texts.read_new_person(text)
        return "" if found is None else found.name

    async def register(
        self, text: str, person: Person, name: str, client: Client, invitation: str = ""
    ) -> SignedIn:
        """Make the identity of a guest an account that belongs to a newcomer, and sign the device in."""
        await self._accounts.proofs.count_address(client)
        found = self._texts.read_new_person(text)
        if found is None:
            raise AccountRefused(AccountRefusal.OPENID_FAILED)
        account = self._accounts.new_account(person, name or found.name)
        return await self._accounts.create(
            account, client, identity=self._identity(found.key, person), invitation=invitation
        )

    async def unlink(self, current: Current) -> None:
        """Let the account belong to no identity at the provider, unless that is the only way to sign in."""
        person, issuer = current.account.person, self._provider.issuer
        try:
            if not await self._accounts.ask(lambda store: store.openid.unlink(person, issuer)):
                raise AccountRefused(AccountRefusal.OPENID_NOT_LINKED)
        except LastWayToSignIn as error:
            raise AccountRefused(AccountRefusal.LAST_WAY) from error

    def _identity(self, key: bytes, person: Person) -> ProviderIdentity:
        return ProviderIdentity(key, self._provider.issuer, person, self._accounts.now())


def _suggestion(name: str) -> str:
    """Return a name of the provider; empty for an address of e-mail, which nobody else should see."""
    return "" if "@" in name or len(name) > NAME_LENGTH else name
