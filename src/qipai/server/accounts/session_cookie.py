"""The cookie with the secret of a session; scripts of the page cannot read it."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.accounts import SESSION_LIFE

COOKIE: Final = "qipai_session"
CONFIRMED_COOKIE: Final = "qipai_openid_confirmed"
"""Says that the person has just signed in at the provider."""


def session_token(cookies: str) -> str:
    """Return the secret in a Cookie header; empty if there is none."""
    pairs = (part.partition("=") for part in cookies.split(";"))
    return next((value.strip() for name, _, value in pairs if name.strip() == COOKIE), "")


def set_session(request: Request, response: Response, token: str) -> None:
    """Give the browser a session; without a token, take it away."""
    set_cookie(request, response, COOKIE, token, SESSION_LIFE // 1000, "/")


def set_cookie(request: Request, response: Response, name: str, value: str, seconds: int, path: str) -> None:
    """Give the browser a cookie; without a value, take it away.

    Browsers send it neither to other sites nor for their pages, except when somebody follows a link from
    there. Scripts cannot read it. Behind TLS it is sent only there.
    """
    response.set_cookie(
        name,
        value,
        max_age=seconds if value else 0,
        path=path,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
