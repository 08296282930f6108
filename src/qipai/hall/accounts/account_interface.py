"""The AccountStore interface: accounts, their sessions and recovery codes, and the log of their changes."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from qipai.hall.api_tokens.api_token_interface import ApiTokenStore
from qipai.hall.history.archive_interface import PackedMatch
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.moderation_interface import ModerationStore
from qipai.hall.relations.relation_interface import RelationStore
from qipai.kernel.ids import Millis, Person

from .account_copy_interface import TableRows
from .openid.openid_interface import OpenIdStore, ProviderIdentity


class NameTaken(StoreError):
    """Another account has this name, or had it not long ago."""


class AlreadyRegistered(StoreError):
    """The person has an account, or had one."""


class RegistrationRefused(StoreError):
    """Registrations are `closed`, or need an invitation that is valid now."""

    def __init__(self, *, closed: bool) -> None:
        super().__init__("registrations are closed" if closed else "registrations need an invitation")
        self.closed = closed


class PasskeyTaken(StoreError):
    """The passkey is stored already."""


class ChallengeUsed(StoreError):
    """The challenge was answered before, or has expired, or the passkey has signed since."""


class LastWayToSignIn(StoreError):
    """Nobody could sign in to the account without it."""


class SignInLinkUsed(StoreError):
    """The link was used before, was replaced by another one, or has expired."""


class Account(Struct, frozen=True):
    """A person with a name of its own. `skeleton` is what is compared of the name.

    `renamed`: when the name was last changed. `bot`: only programs play for it, with API tokens.
    """

    person: Person
    name: str
    skeleton: str
    created: Millis
    renamed: Millis | None = None
    bot: bool = False


class Session(Struct, frozen=True):
    """A device that is signed in. `id` names it in the list of devices; `key` is the hash of its secret."""

    id: str
    key: bytes
    person: Person
    device: str
    created: Millis
    used: Millis
    expires: Millis


class Passkey(Struct, frozen=True):
    """A key pair on a device of a person, of which the server has the public half.

    `sign_count`: how often it has signed, if the device counts. `device`: where it was made.
    """

    id: bytes
    person: Person
    public_key: bytes
    sign_count: int
    device: str
    created: Millis
    used: Millis


class SignInLink(Struct, frozen=True):
    """A link with which a person signs in once. `key` is the hash of its secret."""

    key: bytes
    person: Person
    expires: Millis


class NewProof(NamedTuple):
    """What a person will sign in with: a password, or a passkey with the key and the end of its challenge.

    Without a password the hash is empty.
    """

    password_hash: str = ""
    passkey: Passkey | None = None
    challenge: bytes = b""
    expires: Millis = Millis(0)


class RenamedMatch(NamedTuple):
    """An archived match before and after names were removed from it, and these names."""

    before: PackedMatch
    after: PackedMatch
    names: tuple[str, ...]


RemoveNames = Callable[[bytes, Person, Iterable[str]], RenamedMatch]
"""Removes the names of a person from the body of an archived match, also those that are known otherwise."""


class Change(Struct, frozen=True):
    """A change of an account or of its sessions, which all workers must know."""

    number: int
    person: Person


class SignInLinkStore(Protocol):
    """Stores the links with which people sign in who have lost everything else; each person has one."""

    def issue(self, link: SignInLink) -> bool:
        """Store a link in the place of the former one of the person; tell whether the account exists."""

    def find(self, key: bytes, now: Millis) -> Account | None:
        """Return the account of a link that was not used and has not expired."""

    def use(self, key: bytes, proof: NewProof, recovery_keys: Sequence[bytes]) -> None:
        """Delete a link, store what it was used for, and end all sessions of the person.

        Raise `SignInLinkUsed`, `PasskeyTaken` or `ChallengeUsed`; then nothing is stored.
        """


class AccountStore(Protocol):
    """Stores accounts. Every method may wait for a disk or a network, and may raise `StoreError`.

    Each method is one transaction. One that changes what a worker keeps in memory logs a `Change` in it.
    """

    @property
    def sign_in_links(self) -> SignInLinkStore:
        """Return the links of operators."""

    @property
    def openid(self) -> OpenIdStore:
        """Return the identities at OpenID Connect providers."""

    @property
    def moderation(self) -> ModerationStore:
        """Return moderation, which is stored together with the accounts."""

    @property
    def relations(self) -> RelationStore:
        """Return whom the accounts follow and block."""

    @property
    def api_tokens(self) -> ApiTokenStore:
        """Return the API tokens of the accounts."""

    def register(
        self,
        account: Account,
        password_hash: str,
        recovery_keys: Sequence[bytes],
        passkey: Passkey | None = None,
        invitation: bytes = b"",
        identity: ProviderIdentity | None = None,
    ) -> None:
        """Store a new account.

        Raise `NameTaken`, `AlreadyRegistered`, `PasskeyTaken`, `IdentityTaken` or `RegistrationRefused`. The
        hash is empty for an account without a password. `invitation` is the hash of a code.
        """

    def account(self, person: Person) -> Account | None:
        """Return the account of a person."""

    def find(self, skeleton: str) -> tuple[Account, str] | None:
        """Return the account with a name like this, and the hash of its password, empty if it has none."""

    def accounts(self) -> tuple[int, Sequence[Account]]:
        """Return all accounts, and the number of the last change that they contain."""

    def rename(self, account: Account, free_after: Millis) -> None:
        """Store another name of an account, or raise `NameTaken`; the old one is reserved until then."""

    def set_password(self, person: Person, password_hash: str) -> None:
        """Replace the hash of the password."""

    def set_recovery_keys(self, person: Person, keys: Sequence[bytes]) -> None:
        """Replace the hashes of all recovery codes; nothing is stored if the account does not exist."""

    def use_recovery_key(self, person: Person, key: bytes) -> bool:
        """Delete the hash of a recovery code; tell whether it was there."""

    def recovery_keys_left(self, person: Person) -> int:
        """Return how many recovery codes are left."""

    def password_hash(self, person: Person) -> str:
        """Return the hash of the password of a person; empty without one."""

    def passkeys(self, person: Person) -> Sequence[Passkey]:
        """Return the passkeys of a person, the oldest first."""

    def passkey(self, number: bytes) -> tuple[Passkey, Account] | None:
        """Return a passkey and its account."""

    def add_passkey(self, passkey: Passkey, challenge: bytes, expires: Millis) -> None:
        """Store a passkey and that its challenge is used, or raise `PasskeyTaken` or `ChallengeUsed`."""

    def use_passkey(self, passkey: Passkey, challenge: bytes, expires: Millis) -> None:
        """Store the counter of a passkey, when it was used, and that its challenge is.

        Raise `ChallengeUsed` if the challenge was used or has expired, or the counter is not above the old.
        """

    def remove_passkey(self, person: Person, number: bytes) -> bool:
        """Delete a passkey of a person, or raise `LastWayToSignIn`; tell whether it was there."""

    def start_session(self, session: Session) -> None:
        """Store a session; nothing is stored if the account does not exist."""

    def session(self, key: bytes, now: Millis) -> tuple[Session, Account] | None:
        """Return a session that has not expired, and its account."""

    def use_session(self, key: bytes, used: Millis, expires: Millis) -> None:
        """Store when a session was used, and when it expires."""

    def sessions(self, person: Person, now: Millis) -> Sequence[Session]:
        """Return the sessions of a person that have not expired, the one used last first."""

    def end_session(self, person: Person, session: str) -> bool:
        """Delete a session of a person by its id; tell whether it was there."""

    def end_sessions(self, person: Person, kept: bytes = b"") -> None:
        """Delete all sessions of a person, except the one with this key."""

    def delete_account(self, person: Person, reserved_until: Millis) -> None:
        """Delete an account with everything of it; its name is reserved until then, without the person."""

    def deleted_persons(self) -> Sequence[Person]:
        """Return the persons whose accounts were deleted; their guest tokens are not accepted."""

    def remove_next_name(self, remove_names: RemoveNames) -> bool:
        """Remove the name of a deleted account from one finished game; tell whether there was one."""

    def changes(self, after: int) -> Sequence[Change]:
        """Return the changes after a number, in their order."""

    def forget(self, now: Millis, changes_before: Millis) -> None:
        """Delete what has expired, such as sessions and reserved names; and changes before a time."""

    def rows(self) -> Sequence[TableRows]:
        """Return everything that is stored, also of moderation, in parts."""

    def write_rows(self, part: TableRows) -> None:
        """Store a part that `rows` of another database has returned."""

    def is_empty(self) -> bool:
        """Tell whether there are neither accounts nor acts of operators."""

    def close(self) -> None:
        """Release the database."""
