"""The ApiTokenStore interface: API tokens and bot accounts, in the database of accounts."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import Millis, Person


class TooManyApiTokens(StoreError):
    """The account has as many API tokens as it may have."""


class ApiToken(Struct, frozen=True):
    """A secret with which a program may act for an account.

    `id` names it in the list of tokens; `key` is the hash of the secret. `used` is None before the first use,
    `expires` for a token that does not expire.
    """

    id: str
    key: bytes
    person: Person
    name: str
    created: Millis
    used: Millis | None = None
    expires: Millis | None = None


class ApiTokenStore(Protocol):
    """Stores API tokens. Like those of `AccountStore`, each method is one transaction."""

    def add(self, token: ApiToken, most: int) -> bool:
        """Store a token, or raise `TooManyApiTokens`; tell whether the account exists."""

    def find(self, key: bytes, now: Millis) -> ApiToken | None:
        """Return a token that has not expired."""

    def of(self, person: Person, now: Millis) -> Sequence[ApiToken]:
        """Return the tokens of a person that have not expired, the newest first."""

    def use(self, key: bytes, used: Millis) -> None:
        """Store when a token was used."""

    def revoke(self, person: Person, token: str) -> bool:
        """Delete a token of a person by its id; tell whether it was there."""

    def make_bot(self, person: Person, since: Millis) -> None:
        """Make an account a bot account, for good."""
