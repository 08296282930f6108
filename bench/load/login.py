"""Login form of the Socket.IO clients."""

import asyncio
from typing import Final
from urllib.parse import urlencode

from bench.failure import Failure
from bench.servers import HOST

ANSWER_LIMIT: Final = 20.0
ICON: Final = "🐼"
COOKIE: Final = "session="


async def log_in(port: int, name: str) -> str:
    """Submit the form and return the session cookie of a new person."""
    form = urlencode({"username": name, "icon": ICON})
    async with asyncio.timeout(ANSWER_LIMIT):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(
                f"POST /login HTTP/1.1\r\nHost: {HOST}:{port}\r\nConnection: close\r\n"
                f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(form)}\r\n\r\n"
                f"{form}".encode()
            )
            response = await reader.read()
        finally:
            writer.close()
    return cookie(response.partition(b"\r\n\r\n")[0].decode("latin-1"))


def cookie(head: str) -> str:
    """Return the session cookie that a response sets; raise `Failure` if the form was not accepted."""
    status, *fields = head.split("\r\n")
    if status.split()[1:2] != ["302"]:
        raise Failure(f"/login answered {status or 'nothing'}")
    for field in fields:
        name, _, value = field.partition(":")
        if name.lower() == "set-cookie" and value.strip().startswith(COOKIE):
            return value.strip().partition(";")[0]
    raise Failure("/login set no session")
