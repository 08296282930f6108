"""Requests that are wrong, with the numbers and words that Engine.IO clients know them by."""

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
        """Return the JSON that is answered."""
        return msgspec.json.encode({"code": self.code, "message": self.message})


TRANSPORT: Final = RequestError(0, "Transport unknown")
SESSION: Final = RequestError(1, "Session ID unknown")
METHOD: Final = RequestError(2, "Bad handshake method")
REQUEST: Final = RequestError(3, "Bad request")
FORBIDDEN: Final = RequestError(4, "Forbidden", 403)
VERSION: Final = RequestError(5, "Unsupported protocol version")
TOO_LARGE: Final = RequestError(3, "Payload too large", 413)


def wrong(query: dict[str, str], method: str, *, upgrade: bool) -> RequestError | None:
    """Return what is wrong with a request, whichever session it belongs to."""
    transport = query.get("transport")
    if transport not in {"polling", "websocket"}:
        return TRANSPORT
    if query.get("EIO") != "4":
        return VERSION
    if upgrade is not (transport == "websocket"):
        return REQUEST
    if method != "GET" and (upgrade or method != "POST" or "sid" not in query):
        return METHOD
    return None
