"""`/api/account` and below: register, sign in and out, list devices, change name and password.

Requests have a JSON body, and are refused from pages of other sites. Answers are never cached.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts, Client, Current, SignedIn
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Identity
from qipai.socketio.allowed_origins import is_cross_site

from .session_cookie import COOKIE, set_session

PATH: Final = "/api/account"
_MAX_BODY: Final = 4096
_BODY_TIMEOUT: Final = 10.0
"""Seconds for the body to arrive."""
_STATUS: Final = {
    AccountRefusal.NAME_TAKEN: 409,
    AccountRefusal.ALREADY_REGISTERED: 409,
    AccountRefusal.RENAMED_RECENTLY: 409,
    AccountRefusal.SIGN_IN_FAILED: 401,
    AccountRefusal.NOT_SIGNED_IN: 401,
    AccountRefusal.NO_SUCH_DEVICE: 404,
    AccountRefusal.RATE_LIMITED: 429,
    AccountRefusal.BUSY: 503,
}
"""HTTP status of a refusal; 422 for those of a field that are not here."""
_RETRY_SECONDS: Final = {AccountRefusal.RATE_LIMITED: "60", AccountRefusal.BUSY: "2"}
_NO_STORE: Final = {"cache-control": "no-store"}

Text = Annotated[str, Meta(max_length=400)]
Handler = Callable[[Request], Awaitable[Response]]


class Registration(Struct, forbid_unknown_fields=True):
    """`token` is that of the guest who gets the account."""

    token: Text
    name: Text
    password: Text


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
    """The present password, and the new one."""

    old: Text
    new: Text


class Password(Struct, forbid_unknown_fields=True):
    """The present password."""

    password: Text


class NewName(Struct, forbid_unknown_fields=True):
    """The new name of the account."""

    name: Text


class Device(Struct, forbid_unknown_fields=True):
    """The id of a device."""

    id: Text


class BadRequest(Exception):
    """The request cannot be understood; status and text are the response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def routes(accounts: Accounts | None, identity: Identity) -> list[BaseRoute]:
    """Return the routes; none without accounts."""
    if accounts is None:
        return []

    async def show(request: Request) -> Response:
        current = await _current(accounts, request)
        devices = [
            {
                "id": each.id,
                "device": each.device,
                "created": each.created,
                "used": each.used,
                "this": each.key == current.session.key,
            }
            for each in await accounts.devices(current)
        ]
        left = await accounts.recovery_codes_left(current)
        account = current.account
        return _answer(
            {
                "name": account.name,
                "created": account.created,
                "renamed": account.renamed,
                "recovery_codes_left": left,
                "devices": devices,
            }
        )

    async def register(request: Request) -> Response:
        wanted = await _body(request, Registration)
        guest = identity.read_token(wanted.token)
        if guest is None:
            raise BadRequest(400, "token: expected that of a welcome")
        signed_in = await accounts.register(guest.person, wanted.name, wanted.password, _client(request))
        return _signed_in(request, signed_in)

    async def sign_in(request: Request) -> Response:
        wanted = await _body(request, Credentials)
        return _signed_in(request, await accounts.sign_in(wanted.name, wanted.password, _client(request)))

    async def recover(request: Request) -> Response:
        wanted = await _body(request, Recovery)
        signed_in = await accounts.recover(wanted.name, wanted.code, wanted.password, _client(request))
        return _signed_in(request, signed_in)

    async def sign_out(request: Request) -> Response:
        await _body(request, Struct)
        await accounts.sign_out(await _current(accounts, request))
        response = _answer({})
        set_session(request, response, "")
        return response

    async def sign_out_device(request: Request) -> Response:
        wanted = await _body(request, Device)
        await accounts.sign_out(await _current(accounts, request), wanted.id)
        return _answer({})

    async def sign_out_others(request: Request) -> Response:
        await _body(request, Struct)
        await accounts.sign_out_others(await _current(accounts, request))
        return _answer({})

    async def change_password(request: Request) -> Response:
        wanted = await _body(request, NewPassword)
        current = await _current(accounts, request)
        await accounts.change_password(current, wanted.old, wanted.new, _client(request))
        return _answer({})

    async def recovery_codes(request: Request) -> Response:
        wanted = await _body(request, Password)
        current = await _current(accounts, request)
        codes = await accounts.renew_recovery_codes(current, wanted.password, _client(request))
        return _answer({"recovery_codes": codes})

    async def rename(request: Request) -> Response:
        wanted = await _body(request, NewName)
        account = await accounts.rename(await _current(accounts, request), wanted.name)
        return _answer({"name": account.name})

    posts: dict[str, Handler] = {
        "register": register,
        "sign-in": sign_in,
        "recover": recover,
        "sign-out": sign_out,
        "sign-out-device": sign_out_device,
        "sign-out-others": sign_out_others,
        "password": change_password,
        "recovery-codes": recovery_codes,
        "name": rename,
    }
    return [
        Route(PATH, _guarded(show)),
        *(Route(f"{PATH}/{name}", _guarded(post), methods=["POST"]) for name, post in posts.items()),
    ]


def _guarded(handle: Handler) -> Handler:
    """Return a handler that answers with what is wrong, and refuses pages of other sites."""

    async def guarded(request: Request) -> Response:
        if is_cross_site(request.headers):
            return _answer({"error": "cross_site"}, 403)
        try:
            return await handle(request)
        except AccountRefused as refused:
            about = {"about": refused.about} if refused.about else {}
            response = _answer({"error": refused.code, **about}, _STATUS.get(refused.code, 422))
            if refused.code in _RETRY_SECONDS:
                response.headers["retry-after"] = _RETRY_SECONDS[refused.code]
            return response
        except BadRequest as error:
            return _answer({"error": "malformed", "about": str(error)}, error.status)
        except StoreError:
            response = _answer({"error": "unavailable"}, 503)
            response.headers["retry-after"] = "5"
            return response

    return guarded


def _answer(content: Any, status: int = 200) -> Response:
    return JSONResponse(content, status, headers=_NO_STORE)


def _signed_in(request: Request, signed_in: SignedIn) -> Response:
    response = _answer({"name": signed_in.account.name, "recovery_codes": signed_in.recovery_codes})
    set_session(request, response, signed_in.token)
    return response


async def _current(accounts: Accounts, request: Request) -> Current:
    current = await accounts.current(request.cookies.get(COOKIE, ""))
    if current is None:
        raise AccountRefused(AccountRefusal.NOT_SIGNED_IN)
    return current


def _client(request: Request) -> Client:
    return Client(client_address(request.scope), request.headers.get("user-agent", ""))


async def _body(request: Request, kind: type[Any]) -> Any:
    """Return the JSON body of a request. A form of another site cannot send this content type."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise BadRequest(415, "expected the content type application/json")
    body = b""
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    raise BadRequest(413, f"expected at most {_MAX_BODY} bytes")
        return msgspec.json.decode(body, type=kind)
    except TimeoutError as error:
        raise BadRequest(408, "the body did not arrive in time") from error
    except ClientDisconnect as error:
        raise BadRequest(400, "the body is incomplete") from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadRequest(400, str(error)) from error
