"""The login page: a name and an icon, kept in a signed cookie; it works without JavaScript."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.clients.sanctions.end_times import local_time
from qipai.guard.client_address import client_address
from qipai.hall.journal.store_interface import Now
from qipai.hall.moderation.enforcement_interface import SanctionChecks
from qipai.hall.people.address_limits import AddressLimits
from qipai.hall.people.identity import SESSION_SECONDS, Identity, Login
from qipai.hall.people.names import Names
from qipai.kernel.codec import clean_line
from qipai.socketio.allowed_origins import is_cross_site

from .login_html import BAD_ICON, EMPTY, LONG, NO_ICON, RESERVED, STYLE, Form, language_of, page

COOKIE: Final = "session"
ICONS: Final = tuple("😺🐶🐼🚀🎃🐧🐵🐸🦊🐢🐟🐯🦁🐷🦄")
NAME_LENGTH: Final = 10
_OFFERED: Final = 5
_MAX_BODY: Final = 4096
_MAX_FIELDS: Final = 16
_BODY_TIMEOUT: Final = 10.0
"""Seconds for the form to arrive."""
_MAX_COOKIES: Final = 8
_FORM: Final = "application/x-www-form-urlencoded"


class FormError(Exception):
    """The request is no valid form; status and text are the response."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def login_of(identity: Identity, cookie_header: str) -> Login | None:
    """Return the login of these cookies, or None."""
    pairs = (part.partition("=") for part in cookie_header.split(";"))
    ours = (value.strip().strip('"') for name, _, value in pairs if name.strip() == COOKIE)
    # Another service on the same host may use a cookie of this name.
    return next(filter(None, map(identity.read_session, islice(ours, _MAX_COOKIES))), None)


def routes(
    identity: Identity, names: Names, limits: AddressLimits, sanctions: SanctionChecks, now: Now
) -> list[BaseRoute]:
    """Return the paths `/login`, `/logout` and `/reset`."""

    async def login(request: Request) -> Response:
        if request.method != "POST":
            login = login_of(identity, request.headers.get("cookie", ""))
            return _page(request, identity, Form(login.name, login.icon) if login else Form())
        if is_cross_site(request.headers):
            return PlainTextResponse("Log in from this server's own page.\n", 403)
        try:
            fields = await _fields(request)
        except FormError as error:
            return PlainTextResponse(f"{error}\n", error.status)
        form = _read_form(fields, names)
        if "more" in fields:
            rest = [icon for icon in ICONS if icon not in form.offered]
            return _page(request, identity, Form(form.name, offered=_draw_icons(rest)))
        name = names.clean(form.name)
        if name is None or form.name_error or form.icon_error:
            return _page(request, identity, form)
        if (ban := sanctions.ban_of_address(client_address(request.scope))) is not None:
            end = "for good" if ban.ends is None else f"until {local_time(ban.ends)}"
            return PlainTextResponse(f"You are banned from this server {end}: {ban.reason}\n", 403)
        if not limits.may_create_guest(client_address(request.scope), now()):
            return PlainTextResponse(
                "Too many logins from this address. Try again in a minute.\n",
                429,
                headers={"retry-after": "60"},
            )
        session = identity.session(identity.login(name, form.icon))
        response = RedirectResponse("/", 302)
        response.set_cookie(COOKIE, session, SESSION_SECONDS, secure=_secure(request), httponly=True)
        return response

    async def logout(request: Request) -> Response:
        if is_cross_site(request.headers):
            return RedirectResponse("/", 302)
        response = RedirectResponse("/login", 302)
        response.delete_cookie(COOKIE, secure=_secure(request), httponly=True)
        return response

    async def reset(request: Request) -> Response:
        return RedirectResponse("/", 302)

    async def style(request: Request) -> Response:
        return Response(STYLE, media_type="text/css")

    return [
        Route("/login", login, methods=["GET", "POST"]),
        Route("/login/style.css", style),
        Route("/logout", logout, methods=["GET", "POST"]),
        Route("/reset", reset),
    ]


def _secure(request: Request) -> bool:
    return bool(request.scope["scheme"] == "https")


async def _fields(request: Request) -> dict[str, str]:
    try:
        async with asyncio.timeout(_BODY_TIMEOUT):
            body = b""
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    raise FormError(413, f"The form is longer than {_MAX_BODY} bytes.")
    except TimeoutError:
        raise FormError(408, "The form did not arrive in time.") from None
    except ClientDisconnect:
        raise FormError(400, "The form did not arrive.") from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM and (kind or body):
        raise FormError(415, f"Send the form as {_FORM}.")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise FormError(400, "The form is not UTF-8, or has too many fields.") from None
    return dict(reversed(pairs))


def _read_form(fields: Mapping[str, str], names: Names) -> Form:
    name, icon = fields.get("username", "").strip(), fields.get("icon", "").strip()
    offered = [one for one in ICONS if one in fields.get("shown", "")]
    if len(offered) != _OFFERED:
        offered = []
    icon_error = "" if icon in ICONS else BAD_ICON if icon else NO_ICON
    return Form(name, icon, offered, _name_error(name, names), icon_error)


def _name_error(name: str, names: Names) -> str:
    cleaned = clean_line(name, NAME_LENGTH + 1, "NFKC")
    # Normalisation may make a name longer, as with ﷺ.
    if max(len(name), len(cleaned)) > NAME_LENGTH:
        return LONG
    if not cleaned:
        return EMPTY
    return RESERVED if names.clean(name) is None else ""


def _draw_icons(icons: Sequence[str], chosen: str = "") -> list[str]:
    """Return five icons in the order of `ICONS`, with the chosen one."""
    fixed = [chosen] if chosen in ICONS else []
    rest = [icon for icon in icons if icon not in fixed]
    drawn = fixed + secrets.SystemRandom().sample(rest, _OFFERED - len(fixed))
    return sorted(drawn, key=ICONS.index)


def _page(request: Request, identity: Identity, form: Form) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    offered = form.offered
    if not offered or (form.icon in ICONS and form.icon not in offered):
        offered = _draw_icons(ICONS, form.icon)
    login = login_of(identity, request.headers.get("cookie", ""))
    html = page(language, form._replace(offered=offered), login)
    return HTMLResponse(html, headers={"cache-control": "no-store", "vary": "Accept-Language, Cookie"})
