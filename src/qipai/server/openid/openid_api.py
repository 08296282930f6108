"""Routes of signing in with an OpenID Connect provider: to the provider, back from it, and afterwards.

What a browser keeps meanwhile is in cookies that scripts cannot read. The only address to which a browser is
sent back is the account page.
"""

from typing import Final, Literal

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.hall.accounts.account_refusals import AccountRefusal, AccountRefused
from qipai.hall.accounts.accounts import Accounts, Current, SignedIn
from qipai.hall.accounts.openid.openid_accounts import Confirmed, Newcomer, OpenIdAccounts, Return
from qipai.hall.accounts.openid.provider_texts import (
    ATTEMPT_SECONDS,
    CONFIRMED_SECONDS,
    NEW_PERSON_SECONDS,
    Aim,
)
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import Identity
from qipai.server.accounts.account_requests import (
    BadRequest,
    Credential,
    Handler,
    Text,
    answer,
    body,
    confirmation,
    current_session,
    sender,
    signed_in,
)
from qipai.server.accounts.session_cookie import CONFIRMED_COOKIE, COOKIE, set_cookie, set_session

PATH: Final = "/api/account/openid"
PATH_OF_POSTS: Final = "/api/account"
CALLBACK: Final = f"{PATH}/callback"
JOURNEY_COOKIE: Final = "qipai_openid"
NEWCOMER_COOKIE: Final = "qipai_openid_new"
_MOST_CHARACTERS: Final = 4_096
"""Of each parameter of the callback."""
_ACCOUNT_PAGE: Final = "/#/account/openid"


class Start(Struct, forbid_unknown_fields=True):
    """What somebody goes to the provider for; to link an account needs its password or a passkey."""

    aim: Literal["sign_in", "link", "confirm"]
    password: Text = ""
    passkey: Credential | None = None


class OpenIdRegistration(Struct, forbid_unknown_fields=True):
    """The token of the guest who gets the account, and its name; empty for that of the provider.

    `invitation`: a code, where registrations need one.
    """

    token: Text
    name: Text = ""
    invitation: Text = ""


def posts(accounts: Accounts, known: OpenIdAccounts | None, identity: Identity) -> dict[str, Handler]:
    """Return the handlers of these requests by their names; all are refused without a provider."""

    async def start(request: Request) -> Response:
        wanted = await body(request, Start)
        openid = _provided(known)
        redirect = _callback(request)
        match Aim(wanted.aim):
            case Aim.SIGN_IN:
                url, kept = await openid.sign_in(sender(request), redirect)
            case Aim.LINK:
                current = await current_session(accounts, request)
                proof = confirmation(request, wanted.password, wanted.passkey)
                url, kept = await openid.link(current, proof, sender(request), redirect)
            case Aim.CONFIRM:
                url, kept = await openid.confirm(await current_session(accounts, request), redirect)
        response = answer({"url": url})
        # Sent with the navigation from the provider back to this site, because it is not `strict`.
        set_cookie(request, response, JOURNEY_COOKIE, kept, ATTEMPT_SECONDS, PATH)
        return response

    async def register(request: Request) -> Response:
        wanted = await body(request, OpenIdRegistration)
        openid = _provided(known)
        guest = identity.read_token(wanted.token)
        if guest is None:
            raise BadRequest(400, "token: expected that of a welcome")
        text = request.cookies.get(NEWCOMER_COOKIE, "")
        try:
            device = await openid.register(
                text, guest.person, wanted.name, sender(request), wanted.invitation
            )
        except AccountRefused as refused:
            # The page asks for another name, and shows this one.
            raise AccountRefused(refused.code, openid.suggested_name(text)) from refused
        response = signed_in(request, device)
        set_cookie(request, response, NEWCOMER_COOKIE, "", 0, PATH_OF_POSTS)
        return response

    async def unlink(request: Request) -> Response:
        await body(request, Struct)
        await _provided(known).unlink(await current_session(accounts, request))
        return answer({})

    return {"openid-start": start, "openid-register": register, "openid-unlink": unlink}


def provider_of(
    accounts: Accounts, openid: OpenIdAccounts | None, request: Request, current: Current
) -> dict[str, object] | None:
    """Return the provider as the owner of an account sees it; None without one."""
    if openid is None:
        return None
    text = request.cookies.get(CONFIRMED_COOKIE, "")
    confirmed = accounts.provider_texts.is_confirmed(text, current.session.key, current.account.person)
    return {"provider": openid.label, "issuer": openid.issuer, "confirmed": confirmed}


def routes(accounts: Accounts, openid: OpenIdAccounts | None) -> list[BaseRoute]:
    """Return the name of the provider, and the way back from it."""

    async def provider(request: Request) -> Response:
        return answer({"provider": "" if openid is None else openid.label})

    async def callback(request: Request) -> Response:
        # A navigation from the provider, so it comes from another site: the state proves who began.
        fields = {name: request.query_params.get(name, "") for name in ("state", "code", "error", "iss")}
        kept = request.cookies.get(JOURNEY_COOKIE, "")
        outcome, response = "openid_failed", RedirectResponse(_ACCOUNT_PAGE, 303)
        if all(len(each) <= _MOST_CHARACTERS for each in fields.values()):
            back = Return(kept, fields["state"], fields["code"], fields["error"], fields["iss"])
            try:
                current = await accounts.current(request.cookies.get(COOKIE, ""))
                found = await _provided(openid).finish(back, _callback(request), sender(request), current)
                outcome = _keep(request, response, found)
            except AccountRefused as refused:
                outcome = refused.code.value
            except StoreError:
                outcome = "unavailable"
        response.headers["location"] = f"{_ACCOUNT_PAGE}/{outcome}"
        response.headers["cache-control"] = "no-store"
        response.headers["referrer-policy"] = "no-referrer"
        set_cookie(request, response, JOURNEY_COOKIE, "", 0, PATH)
        return response

    return [Route(PATH, provider), Route(CALLBACK, callback)]


def _keep(request: Request, response: Response, found: object) -> str:
    """Give the browser what it needs from now on, and return the name of the outcome."""
    match found:
        case SignedIn():
            set_session(request, response, found.token)
            return "signed_in"
        case Newcomer():
            set_cookie(request, response, NEWCOMER_COOKIE, found.text, NEW_PERSON_SECONDS, PATH_OF_POSTS)
            return "new"
        case Confirmed():
            set_cookie(request, response, CONFIRMED_COOKIE, found.text, CONFIRMED_SECONDS, PATH_OF_POSTS)
            return "confirmed"
    return "linked"


def _provided(openid: OpenIdAccounts | None) -> OpenIdAccounts:
    if openid is None:
        raise AccountRefused(AccountRefusal.OPENID_UNAVAILABLE)
    return openid


def _callback(request: Request) -> str:
    """Return the address of the callback, as the browser knows this server."""
    return f"{request.url.scheme}://{request.headers.get('host', '')}{CALLBACK}"
