"""The login page: a name and an icon, kept in a signed cookie; it works without JavaScript."""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.hall.people.identity import SESSION_SECONDS, Identity, Login, name_of
from qipai.kernel.codec import clean_line
from qipai.socketio.allowed_origins import AllowedOrigins

from .login_page import BAD_ICON, EMPTY, LONG, NO_ICON, RESERVED, STYLE, Form, language_of, page

COOKIE: Final = "session"
ICONS: Final = tuple("😺🐶🐼🚀🎃🐧🐵🐸🦊🐢🐟🐯🦁🐷🦄")
NAME_LENGTH: Final = 10
_OFFERED: Final = 5
_MAX_BODY: Final = 4096
_MAX_FIELDS: Final = 16
_PATIENCE: Final = 10.0
"""Seconds a form has to arrive."""
_MAX_COOKIES: Final = 8
_FORM: Final = "application/x-www-form-urlencoded"
_OURS: Final = AllowedOrigins()


class Unreadable(Exception):
    """The request is no form; the status and the text are the answer."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


def login_of(identity: Identity, cookie_header: str) -> Login | None:
    """Return who sends these cookies, or None for a stranger."""
    pairs = (part.partition("=") for part in cookie_header.split(";"))
    ours = (value.strip().strip('"') for name, _, value in pairs if name.strip() == COOKIE)
    # Another service on the same host may have left a cookie of this name as well.
    return next(filter(None, map(identity.read_session, islice(ours, _MAX_COOKIES))), None)


def foreign(headers: Headers) -> bool:
    """Tell whether a page of another site makes the browser ask this."""
    site = headers.get("sec-fetch-site")
    if site in {"cross-site", "same-site"}:
        return True
    if site == "same-origin":
        # Worth more than the Host header, which a proxy may have rewritten.
        return False
    source = headers.get("origin")
    if source is None and (referer := headers.get("referer")):
        source = "/".join(referer.split("/", 3)[:3])
    return not _OURS.is_same_origin(source, headers.get("host", ""))


def routes(identity: Identity) -> list[BaseRoute]:
    """Return the paths `/login`, `/logout` and `/reset`."""

    async def login(request: Request) -> Response:
        if request.method != "POST":
            known = login_of(identity, request.headers.get("cookie", ""))
            return _shown(request, identity, Form(known.name, known.icon) if known else Form())
        if foreign(request.headers):
            return PlainTextResponse("Log in from this server's own page.\n", 403)
        try:
            fields = await _fields(request)
        except Unreadable as error:
            return PlainTextResponse(f"{error}\n", error.status)
        form = _judged(fields)
        if "more" in fields:
            rest = [icon for icon in ICONS if icon not in form.offered]
            return _shown(request, identity, Form(form.name, offered=_drawn(rest)))
        name = name_of(form.name)
        if name is None or form.name_error or form.icon_error:
            return _shown(request, identity, form)
        made = identity.session(identity.login(name, form.icon))
        answer = RedirectResponse("/", 302)
        answer.set_cookie(COOKIE, made, SESSION_SECONDS, secure=_secure(request), httponly=True)
        return answer

    async def logout(request: Request) -> Response:
        if foreign(request.headers):
            return RedirectResponse("/", 302)
        answer = RedirectResponse("/login", 302)
        answer.delete_cookie(COOKIE, secure=_secure(request), httponly=True)
        return answer

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
        async with asyncio.timeout(_PATIENCE):
            body = b""
            async for part in request.stream():
                body += part
                if len(body) > _MAX_BODY:
                    raise Unreadable(413, f"The form is longer than {_MAX_BODY} bytes.")
    except TimeoutError:
        raise Unreadable(408, "The form did not arrive in time.") from None
    except ClientDisconnect:
        raise Unreadable(400, "The form did not arrive.") from None
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _FORM and (kind or body):
        raise Unreadable(415, f"Send the form as {_FORM}.")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, errors="strict", max_num_fields=_MAX_FIELDS)
    except ValueError:
        raise Unreadable(400, "The form is not UTF-8, or has too many fields.") from None
    return dict(reversed(pairs))


def _judged(fields: Mapping[str, str]) -> Form:
    name, icon = fields.get("username", "").strip(), fields.get("icon", "").strip()
    offered = [one for one in ICONS if one in fields.get("shown", "")]
    if len(offered) != _OFFERED:
        offered = []
    icon_error = "" if icon in ICONS else BAD_ICON if icon else NO_ICON
    return Form(name, icon, offered, _name_error(name), icon_error)


def _name_error(name: str) -> str:
    neat = clean_line(name, NAME_LENGTH + 1, "NFKC")
    # A name may grow when it is tidied, as ﷺ does.
    if max(len(name), len(neat)) > NAME_LENGTH:
        return LONG
    if not neat:
        return EMPTY
    return RESERVED if name_of(name) is None else ""


def _drawn(icons: Sequence[str], chosen: str = "") -> list[str]:
    """Return five icons in their usual order, the chosen one among them."""
    kept = [chosen] if chosen in ICONS else []
    rest = [icon for icon in icons if icon not in kept]
    picked = kept + secrets.SystemRandom().sample(rest, _OFFERED - len(kept))
    return sorted(picked, key=ICONS.index)


def _shown(request: Request, identity: Identity, form: Form) -> Response:
    language = language_of(request.headers.get("accept-language", ""))
    offered = form.offered
    if not offered or (form.icon in ICONS and form.icon not in offered):
        offered = _drawn(ICONS, form.icon)
    login = login_of(identity, request.headers.get("cookie", ""))
    shown = page(language, form._replace(offered=offered), login)
    return HTMLResponse(shown, headers={"cache-control": "no-store", "vary": "Accept-Language, Cookie"})
