"""Registers accounts, signs devices in and out, and changes passwords and names."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from qipai.hall.cluster.bus_interface import SharedCounters
from qipai.hall.journal.store_interface import Entropy, Now
from qipai.hall.people.names import Names
from qipai.hall.people.signing_keys import SigningKeys
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis, Person

from .account_interface import (
    Account,
    AccountStore,
    AlreadyRegistered,
    NameTaken,
    Passkey,
    PasskeyTaken,
    RegistrationRefused,
    Session,
)
from .account_refusals import AccountRefusal, AccountRefused, RefusalCounter
from .account_secrets import (
    MAX_CODE,
    MAX_TOKEN,
    invitation_key,
    new_recovery_codes,
    new_token,
    recovery_key,
    session_key,
)
from .openid.openid_interface import IdentityTaken, ProviderIdentity
from .openid.provider_texts import ProviderTexts
from .passkey_challenges import PasskeyChallenges, Purpose
from .passwords import Passwords
from .proofs import MAX_DEVICE, Client, Confirmation, PasskeyAnswer, Proof, Proofs

DAY: Final = 24 * 60 * 60 * 1000
SESSION_LIFE: Final = 90 * DAY
"""Milliseconds after its last use in which a session expires."""
USE_STORED_AFTER: Final = DAY
"""Milliseconds in which the use of a session is not stored again."""
RENAME_PAUSE: Final = 30 * DAY
NAME_RESERVED: Final = 90 * DAY
"""Milliseconds in which nobody else may take the former name of an account."""

T = TypeVar("T")


class SignedIn(NamedTuple):
    """A device was signed in. `token` is the secret of its session; codes are shown only once."""

    account: Account
    token: str
    recovery_codes: tuple[str, ...] = ()


class Current(NamedTuple):
    """The session of a request, and its account."""

    session: Session
    account: Account


class Accounts:
    """Everything that people do with accounts. Waits for the database and for hashes in threads."""

    def __init__(
        self,
        store: AccountStore,
        names: Names,
        counters: SharedCounters,
        now: Now,
        entropy: Entropy,
        keys: SigningKeys,
    ) -> None:
        self._store = store
        self._names = names
        self.now = now
        self.entropy = entropy
        self.change_listeners: list[Callable[[], None]] = []
        """Called after each change that workers must know."""
        self.refusals = RefusalCounter()
        self.sign_ins = 0
        """Devices that this worker has signed in."""
        self.passwords = Passwords(self.refusals)
        self._thread = ThreadPoolExecutor(1, "accounts")
        self.challenges = PasskeyChallenges(keys, now, entropy)
        self.provider_texts = ProviderTexts(keys, entropy)
        self.proofs = Proofs(
            self.ask,
            names,
            counters,
            now,
            self.challenges,
            self.provider_texts,
            self.passwords,
            self.refusals,
        )

    def close(self) -> None:
        """Finish what is being stored, and close the database."""
        self.passwords.close()
        self._thread.shutdown()
        self._store.close()

    async def ask(self, work: Callable[[AccountStore], T]) -> T:
        """Return what the store answers, from a thread."""
        return await asyncio.wrap_future(self._thread.submit(work, self._store))

    # Signing in

    async def register(
        self, person: Person, name: str, proof: Proof, client: Client, invitation: str = ""
    ) -> SignedIn:
        """Make a person's identity an account with a password or a new passkey, and sign the device in."""
        account = self.new_account(person, name)
        await self.proofs.count_address(client)
        password_hash, passkey = "", None
        if isinstance(proof, str):
            password_hash = await self.passwords.hash_new(proof, account.name)
        else:
            passkey, _ = await self.proofs.new_passkey(person, Purpose.REGISTER, proof, client)
        return await self.create(
            account, client, password_hash=password_hash, passkey=passkey, invitation=invitation
        )

    def new_account(self, person: Person, name: str) -> Account:
        """Return an account that is not stored yet; refuse its name if it is unfit or reserved."""
        return Account(person, *self.checked_name(name), self.now())

    async def create(
        self,
        account: Account,
        client: Client,
        *,
        password_hash: str = "",
        passkey: Passkey | None = None,
        identity: ProviderIdentity | None = None,
        invitation: str = "",
    ) -> SignedIn:
        """Store a new account with one way to sign in, and sign the device in."""
        codes, keys = self.new_codes(account.person)
        invited = invitation_key(invitation[:MAX_CODE])
        try:
            await self.ask(
                lambda store: store.register(account, password_hash, keys, passkey, invited, identity)
            )
        except NameTaken as error:
            raise AccountRefused(AccountRefusal.NAME_TAKEN) from error
        except AlreadyRegistered as error:
            raise AccountRefused(AccountRefusal.ALREADY_REGISTERED) from error
        except PasskeyTaken as error:
            raise AccountRefused(AccountRefusal.PASSKEY_TAKEN) from error
        except IdentityTaken as error:
            raise AccountRefused(AccountRefusal.OPENID_TAKEN) from error
        except RegistrationRefused as error:
            code = AccountRefusal.REGISTRATIONS_CLOSED if error.closed else AccountRefusal.INVITATION_NEEDED
            raise AccountRefused(code) from error
        self.changed()
        return SignedIn(account, await self.start_session(account, client), codes)

    async def sign_in(self, name: str, password: str, client: Client) -> SignedIn:
        """Sign a device in with name and password."""
        account = await self.proofs.check_password(name, password, client)
        return SignedIn(account, await self.start_session(account, client))

    async def sign_in_with_passkey(self, answer: PasskeyAnswer, client: Client) -> SignedIn:
        """Sign a device in with a passkey, which knows the account."""
        await self.proofs.count_address(client)
        account = await self.proofs.signer(answer, Purpose.SIGN_IN)
        return SignedIn(account, await self.start_session(account, client))

    async def recover(self, name: str, code: str, password: str, client: Client) -> SignedIn:
        """Set a new password with a recovery code, sign all devices out, and this one in."""
        skeleton = await self.proofs.count_attempt(name, client)
        found = await self.ask(lambda store: store.find(skeleton))
        password_hash = await self.passwords.hash_new(password, name)
        # An unknown name takes as long as a wrong code.
        person = Person("") if found is None else found[0].person
        with self.refusals:
            if not await self._use_code(person, code) or found is None:
                raise AccountRefused(AccountRefusal.SIGN_IN_FAILED)
        account = found[0]
        await self.ask(lambda store: store.set_password(account.person, password_hash))
        await self._end_sessions(account.person)
        return SignedIn(account, await self.start_session(account, client))

    async def current(self, token: str) -> Current | None:
        """Return the session of a token, or None; a session that is used lives on."""
        if not token or len(token) > MAX_TOKEN or not token.isascii():
            return None
        key, now = session_key(token), self.now()
        found = await self.ask(lambda store: store.session(key, now))
        if found is None:
            return None
        if now - found[0].used >= USE_STORED_AFTER:
            expires = Millis(now + SESSION_LIFE)
            await self.ask(lambda store: store.use_session(key, now, expires))
        return Current(*found)

    # Devices

    async def devices(self, current: Current) -> Sequence[Session]:
        """Return the devices that are signed in."""
        now = self.now()
        return await self.ask(lambda store: store.sessions(current.account.person, now))

    async def sign_out(self, current: Current, device: str = "") -> None:
        """Sign a device out, by default the one of this session."""
        wanted = device or current.session.id
        if not await self.ask(lambda store: store.end_session(current.account.person, wanted)):
            raise AccountRefused(AccountRefusal.NO_SUCH_DEVICE)
        self.changed()

    async def sign_out_others(self, current: Current) -> None:
        """Sign all other devices out."""
        await self._end_sessions(current.account.person, current.session.key)

    # Changes

    async def delete(self, current: Current, proof: Confirmation, client: Client) -> None:
        """Delete the account of a session, whose owner has proved to be there."""
        await self.proofs.check(current.account, proof, client)
        until = Millis(self.now() + NAME_RESERVED)
        await self.ask(lambda store: store.delete_account(current.account.person, until))
        self.changed()

    async def change_password(self, current: Current, old: Confirmation, new: str, client: Client) -> None:
        """Set or replace the password, and sign all other devices out."""
        await self.proofs.check(current.account, old, client)
        password_hash = await self.passwords.hash_new(new, current.account.name)
        await self.ask(lambda store: store.set_password(current.account.person, password_hash))
        await self._end_sessions(current.account.person, current.session.key)

    async def renew_recovery_codes(
        self, current: Current, proof: Confirmation, client: Client
    ) -> tuple[str, ...]:
        """Return new recovery codes; the former ones are no longer accepted."""
        await self.proofs.check(current.account, proof, client)
        person = current.account.person
        codes, keys = self.new_codes(person)
        await self.ask(lambda store: store.set_recovery_keys(person, keys))
        return codes

    async def has_password(self, current: Current) -> bool:
        """Tell whether the account has a password."""
        return bool(await self.ask(lambda store: store.password_hash(current.account.person)))

    async def recovery_codes_left(self, current: Current) -> int:
        """Return how many recovery codes are left."""
        return await self.ask(lambda store: store.recovery_keys_left(current.account.person))

    async def rename(self, current: Current, name: str) -> Account:
        """Give an account another name, at most once in thirty days."""
        account, now = current.account, self.now()
        shown, skeleton = self.checked_name(name)
        if shown == account.name:
            return account
        if account.renamed is not None and now - account.renamed < RENAME_PAUSE:
            raise AccountRefused(AccountRefusal.RENAMED_RECENTLY, f"{account.renamed + RENAME_PAUSE}")
        renamed = replace(account, name=shown, skeleton=skeleton, renamed=now)
        try:
            await self.ask(lambda store: store.rename(renamed, Millis(now + NAME_RESERVED)))
        except NameTaken as error:
            raise AccountRefused(AccountRefusal.NAME_TAKEN) from error
        self.changed()
        return renamed

    # Parts of these

    def checked_name(self, name: str) -> tuple[str, str]:
        """Return a name as it is shown, and its skeleton; refuse it if it is unfit or reserved."""
        shown = self._names.clean_for_account(name)
        if shown is None:
            raise AccountRefused(AccountRefusal.BAD_NAME)
        return shown, self._names.skeleton(shown)

    def changed(self) -> None:
        """Let this worker read at once what has changed; the others read it within a second."""
        for listener in self.change_listeners:
            listener()

    def new_codes(self, person: Person) -> tuple[tuple[str, ...], Sequence[bytes]]:
        """Return new recovery codes of a person, and what is stored of them."""
        codes = new_recovery_codes(self.entropy)
        return codes, [recovery_key(person, code) for code in codes]

    async def _use_code(self, person: Person, code: str) -> bool:
        if len(code) > MAX_CODE:
            return False
        return await self.ask(partial(_use_code, person=person, code=code))

    async def _end_sessions(self, person: Person, kept: bytes = b"") -> None:
        await self.ask(lambda store: store.end_sessions(person, kept))
        self.changed()

    async def start_session(self, account: Account, client: Client) -> str:
        """Sign a device in, and return the secret of its session."""
        token, now = new_token(self.entropy), self.now()
        session = Session(
            self.entropy(8).hex(),
            session_key(token),
            account.person,
            clean_line(client.device, MAX_DEVICE),
            now,
            now,
            Millis(now + SESSION_LIFE),
        )
        await self.ask(lambda store: store.start_session(session))
        self.sign_ins += 1
        return token


def _use_code(store: AccountStore, person: Person, code: str) -> bool:
    return store.use_recovery_key(person, recovery_key(person, code))
