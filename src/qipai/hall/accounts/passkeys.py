"""The passkeys of an account: made, listed and removed; what browsers are asked for."""

from collections.abc import Sequence
from typing import Final

from qipai.kernel.ids import Person

from .account_interface import ChallengeUsed, LastWayToSignIn, Passkey, PasskeyTaken
from .account_refusals import AccountRefusal, AccountRefused
from .accounts import Accounts, Current
from .passkey_challenges import Purpose
from .passkey_verification import creation_options, request_options, site_of
from .proofs import Client, Confirmation, PasskeyAnswer

MOST: Final = 16
"""Passkeys of one account."""


class Passkeys:
    """What people do with passkeys, besides signing in with them."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    def options_to_register(self, person: Person, name: str, host: str) -> dict[str, object]:
        """Return what a browser is asked for the passkey of a new account, or refuse its name."""
        shown, _ = self._accounts.checked_name(name)
        challenge = self._accounts.challenges.issue(Purpose.REGISTER, person)
        return creation_options(site_of(host), challenge, person, shown, ())

    def options_to_sign_in(self, host: str) -> dict[str, object]:
        """Return what a browser is asked to sign in with any passkey of this site."""
        return request_options(site_of(host), self._accounts.challenges.issue(Purpose.SIGN_IN))

    async def options_to_confirm(self, current: Current, host: str) -> dict[str, object]:
        """Return what a browser is asked to prove that the owner of the account is there."""
        challenge = self._accounts.challenges.issue(Purpose.CONFIRM, current.account.person)
        known = [each.id for each in await self.of(current)]
        return request_options(site_of(host), challenge, known)

    async def options_to_add(self, current: Current, host: str) -> dict[str, object]:
        """Return what a browser is asked for another passkey."""
        account = current.account
        challenge = self._accounts.challenges.issue(Purpose.ADD, account.person)
        known = [each.id for each in await self.of(current)]
        return creation_options(site_of(host), challenge, account.person, account.name, known)

    async def of(self, current: Current) -> Sequence[Passkey]:
        """Return the passkeys of an account."""
        return await self._accounts.ask(lambda store: store.passkeys(current.account.person))

    async def add(self, current: Current, proof: Confirmation, answer: PasskeyAnswer, client: Client) -> None:
        """Add a passkey to an account, whose owner has proved to be there."""
        proofs = self._accounts.proofs
        if len(await self.of(current)) >= MOST:
            raise AccountRefused(AccountRefusal.TOO_MANY_PASSKEYS)
        made, challenge = await proofs.new_passkey(current.account.person, Purpose.ADD, answer, client)
        await proofs.check(current.account, proof, client)
        try:
            await self._accounts.ask(lambda store: store.add_passkey(made, challenge.key, challenge.expires))
        except PasskeyTaken as error:
            raise AccountRefused(AccountRefusal.PASSKEY_TAKEN) from error
        except ChallengeUsed as error:
            raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error

    async def remove(self, current: Current, number: bytes) -> None:
        """Remove a passkey, unless it is the last way to sign in."""
        person = current.account.person
        try:
            if not await self._accounts.ask(lambda store: store.remove_passkey(person, number)):
                raise AccountRefused(AccountRefusal.NO_SUCH_PASSKEY)
        except LastWayToSignIn as error:
            raise AccountRefused(AccountRefusal.LAST_WAY) from error
