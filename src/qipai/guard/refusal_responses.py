"""The HTTP responses of the guard to what it refuses."""

from typing import Final

from starlette.types import Receive, Scope, Send

from .connection_limits import Reason

_STATUS: Final = {
    Reason.TOTAL: b"503 Service Unavailable",
    Reason.DESCRIPTORS: b"503 Service Unavailable",
    Reason.HANDSHAKES: b"503 Service Unavailable",
    Reason.ADDRESS: b"429 Too Many Requests",
    Reason.ADDRESS_HANDSHAKES: b"429 Too Many Requests",
    Reason.HEADER_BYTES: b"431 Request Header Fields Too Large",
    Reason.URL_BYTES: b"414 URI Too Long",
    Reason.BODY_BYTES: b"413 Content Too Large",
    Reason.HEADER_TIME: b"408 Request Timeout",
    Reason.BODY_TIME: b"408 Request Timeout",
}
RESPONSES: Final = {
    reason: b"HTTP/1.1 %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\nretry-after: 5\r\n"
    b"connection: close\r\n\r\n%s\n" % (status, len(status) - 3, status[4:])
    for reason, status in _STATUS.items()
}


async def too_many_requests(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer that there are too many requests: an ASGI application in place of the true one."""
    headers = [(b"content-type", b"text/plain"), (b"content-length", b"18"), (b"retry-after", b"5")]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": b"Too Many Requests\n"})
