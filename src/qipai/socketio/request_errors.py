"""Error codes and texts for invalid Engine.IO requests.

Codes and texts are those of the reference server (engine.io `Server.errors`).
"""

from typing import Final

import msgspec
from msgspec import Struct


class RequestError(Struct, frozen=True):
    """Why a request is refused."""

    code: int
    message: str
    status: int = 400

    @property
    def body(self) -> bytes:
        """Return the JSON of the response."""
        return msgspec.json.encode({"code": self.code, "message": self.message})


UNKNOWN_TRANSPORT: Final = RequestError(0, "Transport unknown")
UNKNOWN_SESSION: Final = RequestError(1, "Session ID unknown")
BAD_METHOD: Final = RequestError(2, "Bad handshake method")
BAD_REQUEST: Final = RequestError(3, "Bad request")
FORBIDDEN: Final = RequestError(4, "Forbidden", 403)
UNSUPPORTED_VERSION: Final = RequestError(5, "Unsupported protocol version")
TOO_LARGE: Final = RequestError(3, "Payload too large", 413)
TOO_MANY_SESSIONS: Final = RequestError(4, "Too many sessions", 429)
"""Of one address. The reference server has no such limit; to its clients this is a handshake that failed."""
SERVER_FULL: Final = RequestError(4, "Too many sessions", 503)


def request_error(query: dict[str, str], method: str, *, upgrade: bool) -> RequestError | None:
    """Return what is invalid about a request, whichever session it belongs to."""
    transport = query.get("transport")
    if transport not in {"polling", "websocket"}:
        return UNKNOWN_TRANSPORT
    if query.get("EIO") != "4":
        return UNSUPPORTED_VERSION
    if upgrade is not (transport == "websocket"):
        return BAD_REQUEST
    if method != "GET" and (upgrade or method != "POST" or "sid" not in query):
        return BAD_METHOD
    return None
