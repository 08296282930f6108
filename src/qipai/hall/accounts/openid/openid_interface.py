"""The interfaces to an OpenID Connect provider, and to what is stored of the identities there."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person


class IdentityTaken(StoreError):
    """The identity belongs to an account, or the account has another identity at the provider."""


class OpenIdFailed(Exception):
    """The provider has not signed the person in, or its answer is not valid."""


class OpenIdUnavailable(Exception):
    """The provider does not answer as it should."""


class ProviderIdentity(Struct, frozen=True):
    """An identity at a provider that belongs to an account. `key` is the hash of issuer and subject."""

    key: bytes
    issuer: str
    person: Person
    linked: Millis


class Attempt(NamedTuple):
    """The random texts of one way to the provider and back, in this browser only.

    `state` comes back in the address, `nonce` in the ID token. `verifier` proves who began, when the code is
    exchanged (PKCE).
    """

    state: str
    nonce: str
    verifier: str


class Identified(NamedTuple):
    """Who a person is at the provider, what it calls them, and when they signed in if it tells that."""

    subject: str
    name: str
    signed_in_at: Millis | None


class Provider(Protocol):
    """An OpenID Connect provider."""

    @property
    def issuer(self) -> str:
        """Return the address by which the provider names itself."""

    @property
    def label(self) -> str:
        """Return what people call it."""

    async def authorization_url(self, attempt: Attempt, redirect: str, *, again: bool) -> str:
        """Return where the browser goes, or raise `OpenIdUnavailable`.

        `again` asks the person to sign in there even if they are signed in.
        """

    async def identify(self, code: str, attempt: Attempt, redirect: str) -> Identified:
        """Return who has signed in, or raise `OpenIdFailed` or `OpenIdUnavailable`."""

    async def close(self) -> None:
        """Close its connections."""


class OpenIdStore(Protocol):
    """Stores which identities belong to which accounts."""

    def person(self, key: bytes) -> Person | None:
        """Return the person of an identity."""

    def identities(self, person: Person) -> Sequence[ProviderIdentity]:
        """Return the identities of a person."""

    def link(self, identity: ProviderIdentity) -> None:
        """Store an identity of an account, or raise `IdentityTaken`."""

    def unlink(self, person: Person, issuer: str) -> bool:
        """Delete the identity of a person at a provider; tell whether it was there.

        Raise `LastWayToSignIn` if nobody could sign in without it.
        """

    def use_state(self, key: bytes, expires: Millis) -> None:
        """Store that an attempt was used, or raise `ChallengeUsed` if it was before, or has expired."""
