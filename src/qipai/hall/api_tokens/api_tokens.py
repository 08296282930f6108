"""Makes, lists and revokes API tokens, and tells for which account a program acts."""

from base64 import urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

from qipai.hall.accounts.account_interface import Account
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import DAY, Accounts, Current
from qipai.hall.accounts.proofs import Client, Confirmation
from qipai.hall.journal.store_interface import Entropy
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis, Person

from .api_token_interface import ApiToken, TooManyApiTokens
from .api_token_limits import HOUR, ApiTokenLimits

MOST: Final = 10
"""API tokens of one account."""
MAX_NAME: Final = 40
PREFIX: Final = "qipai_"
"""Tells API tokens from those of guests; programs that look for leaked secrets find them by it."""
_LENGTH: Final = len(PREFIX) + 43
USE_STORED_AFTER: Final = HOUR
"""Milliseconds in which the use of a token is not stored again."""


class NewApiToken(NamedTuple):
    """A token and its secret, which is shown once."""

    secret: str
    token: ApiToken


class ApiTokenUser(NamedTuple):
    """The token of a request, and its account."""

    token: ApiToken
    account: Account


class ApiTokens:
    """Everything that people and programs do with API tokens."""

    def __init__(self, accounts: Accounts, limits: ApiTokenLimits, entropy: Entropy) -> None:
        self._accounts = accounts
        self._entropy = entropy
        self.limits = limits

    # The owner of the account

    async def create(
        self, current: Current, name: str, days: int | None, proof: Confirmation, client: Client
    ) -> NewApiToken:
        """Make a token for an account, whose owner has proved to be there; without days it never expires."""
        shown = clean_line(name, MAX_NAME)
        if not shown:
            raise AccountRefused(AccountRefusal.BAD_TOKEN_NAME)
        await self._accounts.proofs.check(current.account, proof, client)
        new = new_api_token(current.account.person, shown, days, self._accounts.now(), self._entropy)
        try:
            stored = await self._accounts.ask(lambda store: store.api_tokens.add(new.token, MOST))
        except TooManyApiTokens as error:
            raise AccountRefused(AccountRefusal.TOO_MANY_API_TOKENS) from error
        if not stored:
            raise AccountRefused(AccountRefusal.NOT_SIGNED_IN)
        return new

    async def of(self, current: Current) -> Sequence[ApiToken]:
        """Return the tokens of an account."""
        person, now = current.account.person, self._accounts.now()
        return await self._accounts.ask(lambda store: store.api_tokens.of(person, now))

    async def revoke(self, current: Current, token: str) -> None:
        """Revoke a token: all workers close its connections."""
        person = current.account.person
        if not await self._accounts.ask(lambda store: store.api_tokens.revoke(person, token)):
            raise AccountRefused(AccountRefusal.NO_SUCH_API_TOKEN)
        self._changed()

    async def become_bot(
        self, current: Current, proof: Confirmation, client: Client, has_played: Callable[[], Awaitable[bool]]
    ) -> None:
        """Make an account that has not played a bot account, for good; its owner has proved to be there."""
        await self._accounts.proofs.check(current.account, proof, client)
        # Asked last: checking a password takes a while, in which the owner may sit down.
        if await has_played():
            raise AccountRefused(AccountRefusal.HAS_PLAYED)
        person, now = current.account.person, self._accounts.now()
        await self._accounts.ask(lambda store: store.api_tokens.make_bot(person, now))
        self._changed()

    # Programs

    async def user(self, secret: str, address: str) -> ApiTokenUser:
        """Return the token with this secret and its account, or raise `AccountRefused`."""
        limits, now = self.limits, self._accounts.now()
        if not limits.may_try(address, now):
            raise AccountRefused(AccountRefusal.RATE_LIMITED)
        found = await self._find(secret, now)
        if found is None:
            limits.count_guess(address, now)
            raise AccountRefused(AccountRefusal.BAD_API_TOKEN)
        return found

    async def requester(self, secret: str, address: str) -> Account:
        """Return the account of an HTTP request, which is counted, or raise `AccountRefused`."""
        account = (await self.user(secret, address)).account
        if not await self.limits.may_request(account.person, self._accounts.now()):
            raise AccountRefused(AccountRefusal.RATE_LIMITED)
        return account

    async def _find(self, secret: str, now: Millis) -> ApiTokenUser | None:
        if not is_api_token(secret) or len(secret) != _LENGTH or not secret.isascii():
            return None
        key = api_token_key(secret)
        token = await self._accounts.ask(lambda store: store.api_tokens.find(key, now))
        if token is None:
            return None
        account = await self._accounts.ask(lambda store: store.account(token.person))
        if account is None:
            return None
        if token.used is None or now - token.used >= USE_STORED_AFTER:
            await self._accounts.ask(lambda store: store.api_tokens.use(key, now))
        return ApiTokenUser(token, account)

    def _changed(self) -> None:
        for listener in self._accounts.change_listeners:
            listener()


def new_api_token(person: Person, name: str, days: int | None, now: Millis, entropy: Entropy) -> NewApiToken:
    """Return a token that is not stored yet; without days it never expires."""
    secret = f"{PREFIX}{urlsafe_b64encode(entropy(32)).decode().rstrip('=')}"
    expires = None if days is None else Millis(now + days * DAY)
    token = ApiToken(entropy(8).hex(), api_token_key(secret), person, name, now, None, expires)
    return NewApiToken(secret, token)


def is_api_token(text: str) -> bool:
    """Tell whether a text is to be read as an API token, valid or not."""
    return text.startswith(PREFIX)


def api_token_key(secret: str) -> bytes:
    """Return what is stored of the secret of a token, which is random and long: one fast hash is enough.

    A token is found by it, so nothing that is compared byte by byte is known to those who guess.
    """
    return sha256(f"api token {secret}".encode()).digest()
