"""Security headers of every response: Content-Security-Policy and others."""

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    b"default-src 'self'; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_HEADERS: Final = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class SecurityHeaders:
    """Adds security headers to every response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        await self._app(scope, receive, with_headers)
