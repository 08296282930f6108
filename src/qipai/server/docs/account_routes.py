"""The routes of accounts, as the documents describe them."""

from typing import Any, Final

from msgspec import Struct

from qipai.hall.accounts.account_refusals import AccountRefusal as Why
from qipai.protocol.http_route import HttpRoute
from qipai.server.accounts import account_api, api_token_api, passkey_api, relation_api, sign_in_link_api
from qipai.server.accounts.account_requests import status_of
from qipai.server.openid import openid_api

from .answers import (
    AccountFile,
    AccountName,
    Done,
    Following,
    NewRecoveryCodes,
    OwnAccount,
    OwnRole,
    SignedInAccount,
)
from .api_token_answers import CreatedApiToken
from .operator_answers import RegistrationsShown
from .sign_in_answers import ProviderAddress, ProviderName

_PASSWORD: Final = (Why.PASSWORD_SHORT, Why.PASSWORD_LONG, Why.PASSWORD_WEAK)
_PROOF: Final = (Why.NOT_SIGNED_IN, Why.SIGN_IN_FAILED, Why.PASSKEY_FAILED, Why.RATE_LIMITED, Why.BUSY)
"""Refusals of what asks for the password or a passkey once more."""
_PLAYER: Final = (Why.NOT_SIGNED_IN, Why.NO_SUCH_PLAYER, Why.RATE_LIMITED)
"""Refusals of what is about another player."""


def _route(
    name: str, summary: str, answer: Any, *codes: Why, request: type[Struct] | None = None, method: str = ""
) -> HttpRoute:
    refusals: dict[int, tuple[str, ...]] = {}
    for code in codes:
        refusals[status_of(code)] = (*refusals.get(status_of(code), ()), code.value)
    path = f"{account_api.PATH}/{name}" if name else account_api.PATH
    return HttpRoute(
        path, summary, method=method or "POST", request=request, answer=answer, refusals=refusals
    )


ROUTES: Final = (
    _route("", "Your account and its devices.", OwnAccount, Why.NOT_SIGNED_IN, method="GET"),
    _route(
        "data",
        "What the server stores of your account, and the list of your finished games, as a file.",
        AccountFile,
        Why.NOT_SIGNED_IN,
        Why.BUSY,
        method="GET",
    ),
    _route(
        "register",
        "Make the person of a guest token an account, with a password or a new passkey, and sign in.",
        SignedInAccount,
        Why.BAD_NAME,
        Why.NAME_TAKEN,
        *_PASSWORD,
        Why.ALREADY_REGISTERED,
        Why.PASSKEY_FAILED,
        Why.PASSKEY_TAKEN,
        Why.REGISTRATIONS_CLOSED,
        Why.INVITATION_NEEDED,
        Why.BANNED,
        Why.RATE_LIMITED,
        Why.BUSY,
        request=account_api.Registration,
    ),
    HttpRoute("/api/registrations", "Who may create an account.", answer=RegistrationsShown),
    _route(
        "operator",
        "Become the first operator, with the code that the server logs when it starts.",
        OwnRole,
        Why.NOT_SIGNED_IN,
        Why.CODE_FAILED,
        Why.RATE_LIMITED,
        request=account_api.OperatorCode,
    ),
    _route(
        "sign-in",
        "Sign in with name and password. The answer is the same whether the name or the password is wrong.",
        SignedInAccount,
        Why.SIGN_IN_FAILED,
        Why.PASSWORD_LONG,
        Why.RATE_LIMITED,
        Why.BUSY,
        request=account_api.Credentials,
    ),
    _route(
        "recover",
        "Set a new password with a recovery code, sign all devices out and this one in.",
        SignedInAccount,
        Why.SIGN_IN_FAILED,
        *_PASSWORD,
        Why.RATE_LIMITED,
        Why.BUSY,
        request=account_api.Recovery,
    ),
    _route(
        "link",
        "The account of a link that the operator has issued to sign in once. The link stays valid.",
        AccountName,
        Why.BAD_LINK,
        Why.RATE_LIMITED,
        request=sign_in_link_api.SignInLinkSecret,
    ),
    _route(
        "link-passkey-options",
        "What a browser is asked for a new passkey of the account of a link.",
        None,
        Why.BAD_LINK,
        Why.PASSKEY_FAILED,
        Why.RATE_LIMITED,
        request=sign_in_link_api.SignInLinkSecret,
    ),
    _route(
        "link-use",
        "Set a new password or add a passkey with a link, sign all devices out and this one in.",
        SignedInAccount,
        Why.BAD_LINK,
        *_PASSWORD,
        Why.PASSKEY_FAILED,
        Why.PASSKEY_TAKEN,
        Why.RATE_LIMITED,
        Why.BUSY,
        request=sign_in_link_api.SignInLinkUse,
    ),
    _route(
        "openid",
        "What people call the OpenID Connect provider of this server; empty without one.",
        ProviderName,
        method="GET",
    ),
    _route(
        "openid-start",
        "Where the browser goes to sign in at the provider, to link the account, or to prove who you are.",
        ProviderAddress,
        *_PROOF,
        Why.OPENID_TAKEN,
        Why.OPENID_UNAVAILABLE,
        request=openid_api.Start,
    ),
    _route(
        "openid/callback",
        "The way back from the provider. It leads to `/#/account/openid/OUTCOME`, nowhere else.",
        None,
        method="GET",
    ),
    _route(
        "openid-register",
        "Make the person of a guest token the account of a newcomer from the provider, and sign in. "
        "`about` of a refusal is what the provider calls the person.",
        SignedInAccount,
        Why.BAD_NAME,
        Why.NAME_TAKEN,
        Why.ALREADY_REGISTERED,
        Why.OPENID_FAILED,
        Why.OPENID_TAKEN,
        Why.REGISTRATIONS_CLOSED,
        Why.INVITATION_NEEDED,
        request=openid_api.OpenIdRegistration,
    ),
    _route(
        "openid-unlink",
        "Let the account belong to nobody at the provider, unless that is the last way to sign in.",
        Done,
        Why.NOT_SIGNED_IN,
        Why.OPENID_NOT_LINKED,
        Why.LAST_WAY,
    ),
    _route("sign-out", "Sign this device out.", Done, Why.NOT_SIGNED_IN),
    _route(
        "sign-out-device",
        "Sign a device out.",
        Done,
        Why.NOT_SIGNED_IN,
        Why.NO_SUCH_DEVICE,
        request=account_api.Device,
    ),
    _route(
        "api-token-create",
        "Make an API token, at most ten. Its secret is in the answer and nowhere else.",
        CreatedApiToken,
        Why.BAD_TOKEN_NAME,
        Why.TOO_MANY_API_TOKENS,
        *_PROOF,
        request=api_token_api.NewToken,
    ),
    _route(
        "api-token-revoke",
        "Revoke an API token. Its connections are closed within two seconds.",
        Done,
        Why.NOT_SIGNED_IN,
        Why.NO_SUCH_API_TOKEN,
        request=api_token_api.TokenId,
    ),
    _route(
        "become-bot",
        "Make your account a bot account, for good. It must have neither finished games nor a seat.",
        Done,
        Why.HAS_PLAYED,
        *_PROOF,
        request=api_token_api.BotConfirmation,
    ),
    _route("sign-out-others", "Sign all other devices out.", Done, Why.NOT_SIGNED_IN),
    _route(
        "password",
        "Set or replace the password, and sign all other devices out.",
        Done,
        *_PASSWORD,
        *_PROOF,
        request=account_api.NewPassword,
    ),
    _route(
        "recovery-codes",
        "Make new recovery codes; the former ones are no longer accepted.",
        NewRecoveryCodes,
        *_PROOF,
        request=account_api.Confirmation,
    ),
    _route(
        "name",
        "Change the name, once in 30 days. `about` of `renamed_recently` is when it may be changed again.",
        AccountName,
        Why.NOT_SIGNED_IN,
        Why.BAD_NAME,
        Why.NAME_TAKEN,
        Why.RENAMED_RECENTLY,
        request=account_api.NewName,
    ),
    _route(
        "delete",
        "Delete the account, with everything that `docs/privacy.md` lists.",
        Done,
        *_PROOF,
        request=account_api.Confirmation,
    ),
    _route(
        "following",
        "The players whom you follow, who of them is online, and at which public table. Ask at most every "
        "few seconds, and only while it is shown.",
        Following,
        Why.NOT_SIGNED_IN,
        Why.RATE_LIMITED,
        method="GET",
    ),
    _route(
        "follow",
        "Follow a player. `follow_refused`: the player does not want that.",
        Done,
        *_PLAYER,
        Why.FOLLOW_REFUSED,
        Why.BLOCKED_BY_YOU,
        Why.TOO_MANY_PLAYERS,
        request=relation_api.PlayerName,
    ),
    _route("unfollow", "Follow a player no longer.", Done, *_PLAYER, request=relation_api.PlayerName),
    _route(
        "block",
        "Block a player, who is not told: neither of you follows the other any more, you see no challenges "
        "of the player, and quick match does not pair you.",
        Done,
        *_PLAYER,
        Why.TOO_MANY_PLAYERS,
        request=relation_api.PlayerName,
    ),
    _route("unblock", "Block a player no longer.", Done, *_PLAYER, request=relation_api.PlayerName),
    _route(
        "privacy",
        "Choose whether others see that you are online, and whose challenges you take.",
        Done,
        Why.NOT_SIGNED_IN,
        Why.RATE_LIMITED,
        request=relation_api.PrivacyChoice,
    ),
    _route(
        "passkey-register-options",
        "What a browser is asked for the passkey of a new account, for `navigator.credentials.create`.",
        None,
        Why.BAD_NAME,
        request=passkey_api.NewAccount,
    ),
    _route(
        "passkey-sign-in-options",
        "What a browser is asked to sign in with a passkey, for `navigator.credentials.get`.",
        None,
    ),
    _route(
        "passkey-confirm-options",
        "What a browser is asked to prove with a passkey that you are there.",
        None,
        Why.NOT_SIGNED_IN,
    ),
    _route("passkey-add-options", "What a browser is asked for another passkey.", None, Why.NOT_SIGNED_IN),
    _route(
        "passkey-sign-in",
        "Sign in with a passkey.",
        SignedInAccount,
        Why.PASSKEY_FAILED,
        Why.RATE_LIMITED,
        Why.BUSY,
        request=passkey_api.Signature,
    ),
    _route(
        "passkey-add",
        "Add a passkey to your account.",
        Done,
        Why.PASSKEY_TAKEN,
        Why.TOO_MANY_PASSKEYS,
        *_PROOF,
        request=passkey_api.NewPasskey,
    ),
    _route(
        "passkey-remove",
        "Remove a passkey, unless it is the last way to sign in.",
        Done,
        Why.NOT_SIGNED_IN,
        Why.NO_SUCH_PASSKEY,
        Why.LAST_WAY,
        request=passkey_api.PasskeyId,
    ),
)
"""All of them need `content-type: application/json` if they are a POST, and the cookie of a session if they
may answer `not_signed_in`."""
