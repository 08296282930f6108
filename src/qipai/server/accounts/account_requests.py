"""What the requests about accounts share: their body, their session, and the answer to a refused one."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from qipai.guard.client_address import client_address
from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts, Current, SignedIn
from qipai.hall.accounts.proofs import Client, Confirmation, PasskeyAnswer, Proof, ProviderSignIn
from qipai.hall.api_tokens.api_tokens import is_api_token
from qipai.hall.journal.store_interface import StoreError
from qipai.socketio.allowed_origins import is_cross_site

from .session_cookie import CONFIRMED_COOKIE, COOKIE, set_session

_MAX_BODY: Final = 16_384
_BODY_TIMEOUT: Final = 10.0
"""Seconds for the body to arrive."""
_STATUS: Final = {
    AccountRefusal.NAME_TAKEN: 409,
    AccountRefusal.ALREADY_REGISTERED: 409,
    AccountRefusal.RENAMED_RECENTLY: 409,
    AccountRefusal.SIGN_IN_FAILED: 401,
    AccountRefusal.PASSKEY_FAILED: 401,
    AccountRefusal.PASSKEY_TAKEN: 409,
    AccountRefusal.TOO_MANY_PASSKEYS: 409,
    AccountRefusal.NO_SUCH_PASSKEY: 404,
    AccountRefusal.LAST_WAY: 409,
    AccountRefusal.BAD_LINK: 404,
    AccountRefusal.OPENID_FAILED: 401,
    AccountRefusal.OPENID_UNAVAILABLE: 503,
    AccountRefusal.OPENID_TAKEN: 409,
    AccountRefusal.OPENID_NOT_LINKED: 404,
    AccountRefusal.NOT_SIGNED_IN: 401,
    AccountRefusal.NO_SUCH_DEVICE: 404,
    AccountRefusal.NO_SUCH_PLAYER: 404,
    AccountRefusal.FOLLOW_REFUSED: 409,
    AccountRefusal.BLOCKED_BY_YOU: 409,
    AccountRefusal.TOO_MANY_PLAYERS: 409,
    AccountRefusal.CODE_FAILED: 401,
    AccountRefusal.BANNED: 403,
    AccountRefusal.REGISTRATIONS_CLOSED: 403,
    AccountRefusal.INVITATION_NEEDED: 403,
    AccountRefusal.BAD_API_TOKEN: 401,
    AccountRefusal.NO_API_TOKENS: 403,
    AccountRefusal.TOO_MANY_API_TOKENS: 409,
    AccountRefusal.NO_SUCH_API_TOKEN: 404,
    AccountRefusal.HAS_PLAYED: 409,
    AccountRefusal.RATE_LIMITED: 429,
    AccountRefusal.BUSY: 503,
}
"""HTTP status of a refusal; 422 for those of a field that are not here."""
_RETRY_SECONDS: Final = {AccountRefusal.RATE_LIMITED: "60", AccountRefusal.BUSY: "2"}
_NO_STORE: Final = {"cache-control": "no-store"}

Text = Annotated[str, Meta(max_length=400)]
Credential = dict[str, Any]
"""What a browser answered to a challenge, as JSON; the library checks it."""
Handler = Callable[[Request], Awaitable[Response]]


class BadRequest(Exception):
    """The request cannot be understood; status and text are the response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def status_of(code: AccountRefusal) -> int:
    """Return the HTTP status of a refusal."""
    return _STATUS.get(code, 422)


def guarded(handle: Handler) -> Handler:
    """Return a handler that answers with what is wrong, and refuses pages of other sites."""

    async def answered(request: Request) -> Response:
        if is_cross_site(request.headers):
            return answer({"error": "cross_site"}, 403)
        try:
            if is_api_token(bearer(request)):
                # Also beside a cookie: what programs send is never read as a wish of the owner.
                raise AccountRefused(AccountRefusal.NO_API_TOKENS)
            return await handle(request)
        except AccountRefused as refused:
            about = {"about": refused.about} if refused.about else {}
            response = answer({"error": refused.code, **about}, status_of(refused.code))
            if refused.code in _RETRY_SECONDS:
                response.headers["retry-after"] = _RETRY_SECONDS[refused.code]
            return response
        except BadRequest as error:
            return answer({"error": "malformed", "about": str(error)}, error.status)
        except StoreError:
            response = answer({"error": "unavailable"}, 503)
            response.headers["retry-after"] = "5"
            return response

    return answered


def answer(content: Any, status: int = 200) -> Response:
    """Return a JSON response that is not cached."""
    return JSONResponse(content, status, headers=_NO_STORE)


def signed_in(request: Request, device: SignedIn) -> Response:
    """Return the answer to a device that was signed in, with its cookie."""
    response = answer({"name": device.account.name, "recovery_codes": device.recovery_codes})
    set_session(request, response, device.token)
    return response


async def current_session(accounts: Accounts, request: Request) -> Current:
    """Return the session of a request, or refuse it."""
    current = await accounts.current(request.cookies.get(COOKIE, ""))
    if current is None:
        raise AccountRefused(AccountRefusal.NOT_SIGNED_IN)
    return current


def bearer(request: Request) -> str:
    """Return the token in the header `authorization`; empty if there is none."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" and token.isascii() else ""


def sender(request: Request) -> Client:
    """Return who sends a request."""
    return Client(client_address(request.scope), request.headers.get("user-agent", ""))


async def body(request: Request, kind: type[Any]) -> Any:
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


def host(request: Request) -> str:
    """Return the host that a browser asked."""
    return request.headers.get("host", "")


def passkey_answer(request: Request, credential: Credential) -> PasskeyAnswer:
    """Return what a browser answered, with the host that it asked."""
    return PasskeyAnswer(credential, host(request))


def proof(request: Request, password: str, passkey: Credential | None) -> Proof:
    """Return the proof in a request: a passkey, or else a password."""
    return password if passkey is None else passkey_answer(request, passkey)


def confirmation(request: Request, password: str, passkey: Credential | None) -> Confirmation:
    """Return what proves that the owner of an account is there: as `proof`, or a sign-in at the provider."""
    text = request.cookies.get(CONFIRMED_COOKIE, "")
    if text and not password and passkey is None:
        return ProviderSignIn(text, request.cookies.get(COOKIE, ""))
    return proof(request, password, passkey)
