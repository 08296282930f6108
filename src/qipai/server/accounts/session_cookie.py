"""The cookie with the secret of a session; scripts of the page cannot read it."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from qipai.hall.accounts.accounts import SESSION_LIFE

COOKIE: Final = "qipai_session"


def session_token(cookies: str) -> str:
    """Return the secret in a Cookie header; empty if there is none."""
    pairs = (part.partition("=") for part in cookies.split(";"))
    return next((value.strip() for name, _, value in pairs if name.strip() == COOKIE), "")


def set_session(request: Request, response: Response, token: str) -> None:
    """Give the browser a session; without a token, take it away.

    Browsers send the cookie neither to other sites nor for their pages. Behind TLS it is sent only there.
    """
    response.set_cookie(
        COOKIE,
        token,
        max_age=SESSION_LIFE // 1000 if token else 0,
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )
