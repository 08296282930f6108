"""Links with which people sign in once and choose a new password or passkey; an operator issues them."""

from typing import Final, NamedTuple

from qipai.hall.accounts.account_interface import (
    Account,
    AccountStore,
    ChallengeUsed,
    NewProof,
    PasskeyTaken,
    SignInLink,
    SignInLinkUsed,
)
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.account_secrets import MAX_TOKEN, new_token, sign_in_link_key
from qipai.hall.accounts.accounts import Accounts, SignedIn
from qipai.hall.accounts.passkey_challenges import Purpose
from qipai.hall.accounts.passkey_verification import creation_options, site_of
from qipai.hall.accounts.proofs import Client, Proof
from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.ids import Millis

HOUR: Final = 60 * 60 * 1000
LINK_HOURS: Final = 24
"""Hours for which a link is valid unless the operator says otherwise."""
MOST_HOURS: Final = 24 * 30


class IssuedLink(NamedTuple):
    """A link that was stored: its secret, and until when it is valid."""

    token: str
    expires: Millis


def issue_link(
    store: AccountStore, account: Account, now: Millis, hours: int, entropy: Entropy
) -> IssuedLink | None:
    """Store a link for an account in the place of its former one; None if the account does not exist."""
    token, expires = new_token(entropy), Millis(now + hours * HOUR)
    link = SignInLink(sign_in_link_key(token), account.person, expires)
    return IssuedLink(token, expires) if store.sign_in_links.issue(link) else None


class SignInLinks:
    """What people do with such a link."""

    def __init__(self, accounts: Accounts) -> None:
        self._accounts = accounts

    async def account(self, token: str, client: Client) -> Account:
        """Return the account of a link, which stays valid; refuse one that was used or has expired."""
        await self._accounts.proofs.count_address(client)
        return await self._account(token)

    async def options(self, token: str, host: str, client: Client) -> dict[str, object]:
        """Return what a browser is asked for a new passkey of the account of a link."""
        site = site_of(host)
        account = await self.account(token, client)
        challenge = self._accounts.challenges.issue(Purpose.LINK, account.person)
        known = await self._accounts.ask(lambda store: store.passkeys(account.person))
        return creation_options(
            site, challenge, account.person, account.name, [passkey.id for passkey in known]
        )

    async def use(self, token: str, proof: Proof, client: Client) -> SignedIn:
        """Set a new password or add a passkey, replace the recovery codes, and sign this device in alone."""
        accounts = self._accounts
        account = await self.account(token, client)
        if isinstance(proof, str):
            new = NewProof(await accounts.passwords.hash_new(proof, account.name))
        else:
            made, challenge = await accounts.proofs.new_passkey(account.person, Purpose.LINK, proof, client)
            new = NewProof("", made, challenge.key, challenge.expires)
        codes, keys = accounts.new_codes(account.person)
        try:
            await accounts.ask(lambda store: store.sign_in_links.use(sign_in_link_key(token), new, keys))
        except SignInLinkUsed as error:
            raise AccountRefused(AccountRefusal.BAD_LINK) from error
        except PasskeyTaken as error:
            raise AccountRefused(AccountRefusal.PASSKEY_TAKEN) from error
        except ChallengeUsed as error:
            raise AccountRefused(AccountRefusal.PASSKEY_FAILED) from error
        accounts.changed()
        return SignedIn(account, await accounts.start_session(account, client), codes)

    async def _account(self, token: str) -> Account:
        found = None
        if len(token) <= MAX_TOKEN and token.isascii():
            key, now = sign_in_link_key(token), self._accounts.now()
            found = await self._accounts.ask(lambda store: store.sign_in_links.find(key, now))
        with self._accounts.refusals:
            if found is None:
                raise AccountRefused(AccountRefusal.BAD_LINK)
        return found
