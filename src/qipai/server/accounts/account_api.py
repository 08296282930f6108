"""`/api/account` and below: register, sign in and out, list devices, change name and password.

Requests have a JSON body, and are refused from pages of other sites. Answers are never cached.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.account_services import AccountServices
from qipai.hall.accounts.accounts import Current
from qipai.hall.accounts.openid.openid_accounts import OpenIdAccounts
from qipai.hall.accounts.openid.openid_interface import Provider
from qipai.hall.accounts.passkeys import Passkeys
from qipai.hall.history.finished_games import FinishedGames
from qipai.hall.moderation.moderation_services import ModerationServices
from qipai.hall.moderation.sanction_interface import Role
from qipai.hall.people.identity import Identity
from qipai.kernel.ids import Person
from qipai.server.openid import openid_api

from . import api_token_api, passkey_api, relation_api, sign_in_link_api
from .account_data import account_data, own_games, own_moderation
from .account_requests import (
    BadRequest,
    Credential,
    Handler,
    Text,
    answer,
    body,
    confirmation,
    current_session,
    guarded,
    proof,
    sender,
    signed_in,
)
from .session_cookie import set_session

PATH: Final = "/api/account"


class Registration(Struct, forbid_unknown_fields=True):
    """`token` is that of the guest who gets the account. It needs a password or a passkey.

    `invitation`: a code, where registrations need one.
    """

    token: Text
    name: Text
    password: Text = ""
    passkey: Credential | None = None
    invitation: Text = ""


class Credentials(Struct, forbid_unknown_fields=True):
    """What somebody signs in with."""

    name: Text
    password: Text


class Recovery(Struct, forbid_unknown_fields=True):
    """A recovery code, and the new password."""

    name: Text
    code: Text
    password: Text


class NewPassword(Struct, forbid_unknown_fields=True):
    """The present password or a passkey, and the new password."""

    new: Text
    old: Text = ""
    passkey: Credential | None = None


class Confirmation(Struct, forbid_unknown_fields=True):
    """The present password, or a passkey."""

    password: Text = ""
    passkey: Credential | None = None


class NewName(Struct, forbid_unknown_fields=True):
    """The new name of the account."""

    name: Text


class Device(Struct, forbid_unknown_fields=True):
    """The id of a device."""

    id: Text


class OperatorCode(Struct, forbid_unknown_fields=True):
    """The code that a server without operators logs when it starts."""

    code: Text


def routes(
    services: AccountServices,
    identity: Identity,
    games: FinishedGames,
    moderation: ModerationServices,
    has_seat: Callable[[Person], bool],
    provider: Provider | None = None,
) -> list[BaseRoute]:
    """Return the routes; none without accounts."""
    accounts, relations, api_tokens = services.accounts, services.relations, services.api_tokens
    if accounts is None or relations is None or api_tokens is None:
        return []
    passkeys = Passkeys(accounts)
    openid = None if provider is None else OpenIdAccounts(accounts, provider)

    async def data_of(current: Current) -> dict[str, Any]:
        role = moderation.directory.role(current.account.person) or ""
        data = await account_data(accounts, passkeys, relations, api_tokens, current)
        return {**data, "role": role}

    async def show(request: Request) -> Response:
        current = await current_session(accounts, request)
        code = moderation.awaits_first_operator(sender(request).address)
        known = openid_api.provider_of(accounts, openid, request, current)
        return answer({**await data_of(current), "operator_code": code, "openid": known})

    async def download(request: Request) -> Response:
        current = await current_session(accounts, request)
        account, written = await data_of(current), await own_moderation(accounts, current)
        own = await own_games(games, current, sender(request).address)
        response = answer({"account": {"person": current.account.person, **account}, "games": own, **written})
        response.headers["content-disposition"] = 'attachment; filename="qipai-account.json"'
        return response

    async def register(request: Request) -> Response:
        wanted = await body(request, Registration)
        guest = identity.read_token(wanted.token)
        if guest is None:
            raise BadRequest(400, "token: expected that of a welcome")
        device = await accounts.register(
            guest.person,
            wanted.name,
            proof(request, wanted.password, wanted.passkey),
            sender(request),
            wanted.invitation,
        )
        return signed_in(request, device)

    async def sign_in(request: Request) -> Response:
        wanted = await body(request, Credentials)
        return signed_in(request, await accounts.sign_in(wanted.name, wanted.password, sender(request)))

    async def recover(request: Request) -> Response:
        wanted = await body(request, Recovery)
        device = await accounts.recover(wanted.name, wanted.code, wanted.password, sender(request))
        return signed_in(request, device)

    async def sign_out(request: Request) -> Response:
        await body(request, Struct)
        await accounts.sign_out(await current_session(accounts, request))
        response = answer({})
        set_session(request, response, "")
        return response

    async def sign_out_device(request: Request) -> Response:
        wanted = await body(request, Device)
        await accounts.sign_out(await current_session(accounts, request), wanted.id)
        return answer({})

    async def sign_out_others(request: Request) -> Response:
        await body(request, Struct)
        await accounts.sign_out_others(await current_session(accounts, request))
        return answer({})

    async def change_password(request: Request) -> Response:
        wanted = await body(request, NewPassword)
        current = await current_session(accounts, request)
        await accounts.change_password(
            current, confirmation(request, wanted.old, wanted.passkey), wanted.new, sender(request)
        )
        return answer({})

    async def recovery_codes(request: Request) -> Response:
        wanted = await body(request, Confirmation)
        current = await current_session(accounts, request)
        codes = await accounts.renew_recovery_codes(
            current, confirmation(request, wanted.password, wanted.passkey), sender(request)
        )
        return answer({"recovery_codes": codes})

    async def delete(request: Request) -> Response:
        wanted = await body(request, Confirmation)
        current = await current_session(accounts, request)
        await accounts.delete(
            current, confirmation(request, wanted.password, wanted.passkey), sender(request)
        )
        response = answer({})
        set_session(request, response, "")
        return response

    async def rename(request: Request) -> Response:
        wanted = await body(request, NewName)
        account = await accounts.rename(await current_session(accounts, request), wanted.name)
        return answer({"name": account.name})

    async def become_operator(request: Request) -> Response:
        wanted = await body(request, OperatorCode)
        current, client = await current_session(accounts, request), sender(request)
        await accounts.proofs.count_address(client)
        if not moderation.awaits_first_operator(client.address) or not await moderation.claim_first_role(
            current.account.person, wanted.code
        ):
            with accounts.refusals:
                raise AccountRefused(AccountRefusal.CODE_FAILED)
        return answer({"role": Role.OPERATOR})

    def unless_banned(handle: Handler) -> Handler:
        async def checked(request: Request) -> Response:
            if (ban := moderation.enforcement.ban_of_address(sender(request).address)) is not None:
                raise AccountRefused(AccountRefusal.BANNED, ban.reason)
            return await handle(request)

        return checked

    posts: dict[str, Handler] = {
        "operator": become_operator,
        "register": unless_banned(register),
        "sign-in": sign_in,
        "recover": recover,
        "sign-out": sign_out,
        "sign-out-device": sign_out_device,
        "sign-out-others": sign_out_others,
        "password": change_password,
        "recovery-codes": recovery_codes,
        "name": rename,
        "delete": delete,
        **passkey_api.posts(accounts, passkeys, identity),
        **sign_in_link_api.posts(accounts),
        **relation_api.posts(accounts, relations, services.find),
        **api_token_api.posts(accounts, api_tokens, games, has_seat),
        **openid_api.posts(accounts, openid, identity),
    }
    posts["openid-register"] = unless_banned(posts["openid-register"])
    gets: dict[str, Handler] = {"data": download, **relation_api.gets(accounts, relations)}

    async def registrations(request: Request) -> Response:
        return answer({"registrations": moderation.directory.registrations})

    return [
        Route("/api/registrations", registrations),
        *openid_api.routes(accounts, openid),
        Route(PATH, guarded(show)),
        *(Route(f"{PATH}/{name}", guarded(get)) for name, get in gets.items()),
        *(Route(f"{PATH}/{name}", guarded(post), methods=["POST"]) for name, post in posts.items()),
    ]
