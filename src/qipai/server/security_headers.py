"""Security headers of every response: Content-Security-Policy and others."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY: Final = (
    "default-src 'self'; script-src {scripts}; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_IMPORT_MAP: Final = re.compile(rb'<script type="importmap">(.*?)</script>', re.DOTALL)
_HEADERS: Final = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


def content_security_policy(page: Path) -> str:
    """Return the policy for a built page; its import map is the only inline script, allowed by its hash."""
    document = page / "index.html"
    maps = _IMPORT_MAP.findall(document.read_bytes()) if document.is_file() else []
    hashes = [f"'sha256-{b64encode(sha256(text).digest()).decode()}'" for text in maps]
    return _POLICY.format(scripts=" ".join(["'self'", *hashes]))


class SecurityHeaders:
    """Adds security headers to every response."""

    def __init__(self, app: ASGIApp, page: Path) -> None:
        self._app = app
        self._headers = [(b"content-security-policy", content_security_policy(page).encode()), *_HEADERS]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the response with the headers."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers)
