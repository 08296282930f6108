"""Reasons for which a request about an account is refused."""

from collections import Counter
from enum import StrEnum
from types import TracebackType
from typing import Final


class AccountRefusal(StrEnum):
    """Why a request was refused. `sign_in_failed` does not tell whether the name exists."""

    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    RENAMED_RECENTLY = "renamed_recently"
    PASSWORD_SHORT = "password_short"  # noqa: S105 - a code, no password
    PASSWORD_LONG = "password_long"  # noqa: S105
    PASSWORD_WEAK = "password_weak"  # noqa: S105
    SIGN_IN_FAILED = "sign_in_failed"
    ALREADY_REGISTERED = "already_registered"
    PASSKEY_FAILED = "passkey_failed"
    PASSKEY_TAKEN = "passkey_taken"
    TOO_MANY_PASSKEYS = "too_many_passkeys"
    NO_SUCH_PASSKEY = "no_such_passkey"
    LAST_WAY = "last_way"
    BAD_LINK = "bad_link"
    OPENID_FAILED = "openid_failed"
    OPENID_CANCELLED = "openid_cancelled"
    OPENID_UNAVAILABLE = "openid_unavailable"
    OPENID_TAKEN = "openid_taken"
    OPENID_NOT_LINKED = "openid_not_linked"
    NOT_SIGNED_IN = "not_signed_in"
    NO_SUCH_DEVICE = "no_such_device"
    NO_SUCH_PLAYER = "no_such_player"
    FOLLOW_REFUSED = "follow_refused"
    BLOCKED_BY_YOU = "blocked_by_you"
    TOO_MANY_PLAYERS = "too_many_players"
    REGISTRATIONS_CLOSED = "registrations_closed"
    INVITATION_NEEDED = "invitation_needed"
    BANNED = "banned"
    CODE_FAILED = "code_failed"
    BAD_API_TOKEN = "bad_api_token"  # noqa: S105
    NO_API_TOKENS = "no_api_tokens"
    TOO_MANY_API_TOKENS = "too_many_api_tokens"
    NO_SUCH_API_TOKEN = "no_such_api_token"  # noqa: S105
    BAD_TOKEN_NAME = "bad_token_name"  # noqa: S105
    HAS_PLAYED = "has_played"
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"


class AccountRefused(Exception):
    """A request was refused and nothing has changed. `about` says more, such as why a password is weak."""

    def __init__(self, code: AccountRefusal, about: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.about = about
        self.is_counted = False


ATTACKS: Final = (
    AccountRefusal.SIGN_IN_FAILED,
    AccountRefusal.PASSKEY_FAILED,
    AccountRefusal.BAD_LINK,
    AccountRefusal.OPENID_FAILED,
    AccountRefusal.CODE_FAILED,
    AccountRefusal.RATE_LIMITED,
    AccountRefusal.BUSY,
)
"""Refusals that many requests of an attacker would get; the others are mistakes of people."""


class RefusalCounter:
    """Counts what is refused in its `with` blocks, each refusal once."""

    def __init__(self) -> None:
        self.counts: Counter[AccountRefusal] = Counter()

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Count the refusal that ends the block, and let it through."""
        if isinstance(error, AccountRefused) and not error.is_counted:
            error.is_counted = True
            self.counts[error.code] += 1
