"""Requests for another worker: a Socket.IO session lives where it began, and its requests come anywhere."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

SEPARATOR: Final = "~"
"""Stands between the name of a worker and the rest of a session's id."""
PATIENCE: Final = 60.0
"""Seconds that an answer may take: a poll waits for the next ping, and that long for its answer."""
JOINING: Final = 5.0
_TOLD: Final = frozenset({b"content-type", b"cache-control", b"vary"})
_CORS: Final = b"access-control-"
_HOP: Final = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"upgrade", b"expect"})


class Address(NamedTuple):
    """Where a worker listens for the others."""

    host: str
    port: int


class SessionForwarding:
    """Knows whose a session is; `where` returns the address of a worker that is alive."""

    def __init__(self, worker: str, where: Callable[[str], Awaitable[Address | None]]) -> None:
        self.worker = worker
        self.where = where

    def owner(self, query: str) -> str:
        """Return the worker whose session a request is for, empty if it is none or our own."""
        try:
            sid = dict(parse_qsl(query, max_num_fields=20)).get("sid", "")
        except ValueError:
            return ""
        worker, mark, _ = sid.partition(SEPARATOR)
        return "" if not mark or worker == self.worker else worker


async def forward(address: Address, scope: Scope, receive: Receive, send: Send, limit: int) -> bool:
    """Let another worker answer a request of at most `limit` bytes; False if it cannot be asked."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(*address)
            try:
                # Whoever breaks off here breaks off there as well.
                if not await _ask(writer, scope, receive, limit):
                    return True
                head = await _until_gone(reader.readuntil(b"\r\n\r\n"), receive)
                if head is None:
                    return True
                status, headers, length = _response(head)
                answer = await reader.readexactly(length)
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError, EOFError, ValueError, IndexError, asyncio.LimitOverrunError):
        return False
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
    return True


async def _ask(writer: asyncio.StreamWriter, scope: Scope, receive: Receive, limit: int) -> bool:
    """Pass a request on as it comes; tell whether all of it came."""
    path = scope.get("raw_path") or scope["path"].encode()
    lines = [b"%s %s?%s HTTP/1.1" % (scope["method"].encode(), path, scope["query_string"])]
    lines += [name + b": " + value for name, value in scope["headers"] if name not in _HOP]
    posted = scope["method"] == "POST"
    chunked = posted and not any(name == b"content-length" for name, _ in scope["headers"])
    lines += [b"connection: close", *([b"transfer-encoding: chunked"] if chunked else [])]
    writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
    declared = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
    # What is too large is refused by its head: an answer to what is not read to its end may get lost.
    size, more = 0, posted and declared <= limit
    while more and size <= limit:
        message = await receive()
        if message["type"] == "http.disconnect":
            return False
        part, more = message.get("body", b""), message.get("more_body", False)
        size += len(part)
        if chunked and part:
            part = b"%x\r\n%s\r\n" % (len(part), part)
        writer.write(part + (b"0\r\n\r\n" if chunked and not more else b""))
        await writer.drain()
    return True


async def _until_gone(answer: Any, receive: Receive) -> bytes | None:
    """Return the answer, or None if nobody waits for it any more."""
    asked, leaving = asyncio.ensure_future(answer), asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait((asked, leaving), return_when=asyncio.FIRST_COMPLETED)
        return await asked if asked.done() else None
    finally:
        asked.cancel()
        leaving.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _response(head: bytes) -> tuple[int, list[tuple[bytes, bytes]], int]:
    """Return the status, the headers that are the owner's to choose, and the length of the body."""
    first, *lines = head.rstrip().split(b"\r\n")
    pairs = (line.partition(b":") for line in lines)
    headers = [(name.strip().lower(), value.strip()) for name, _, value in pairs]
    length = next(int(value) for name, value in headers if name == b"content-length")
    told = [(name, value) for name, value in headers if name in _TOLD or name.startswith(_CORS)]
    return int(first.split()[1]), [*told, (b"content-length", b"%d" % length)], length


class Tunnel(asyncio.Protocol):
    """Passes the bytes of a WebSocket on to the worker whose session it takes over, and back."""

    def __init__(self, near: asyncio.Transport, address: Awaitable[Address | None], request: bytes) -> None:
        self._near = near
        self._far: asyncio.Transport | None = None
        self._request = request
        near.pause_reading()
        self._joining = asyncio.get_running_loop().create_task(self._join(address))

    async def _join(self, finding: Awaitable[Address | None]) -> None:
        try:
            async with asyncio.timeout(JOINING):
                address = await finding
                if address is None:
                    self._near.abort()
                    return
                loop = asyncio.get_running_loop()
                self._far, _ = await loop.create_connection(lambda: _FarEnd(self._near), *address)
        except (OSError, TimeoutError):
            # The client stays with polling, and learns there that its session is gone.
            self._near.abort()
            return
        self._far.write(self._request)
        self._near.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Pass on what the client says."""
        if self._far is not None:
            self._far.write(data)

    def pause_writing(self) -> None:
        """The client reads slower than the other worker writes."""
        if self._far is not None:
            self._far.pause_reading()

    def resume_writing(self) -> None:
        """The client has caught up."""
        if self._far is not None:
            self._far.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """The client is gone."""
        self._joining.cancel()
        if self._far is not None:
            self._far.close()


class _FarEnd(asyncio.Protocol):
    """The other worker's end of a tunnel."""

    def __init__(self, near: asyncio.Transport) -> None:
        self._near = near

    def data_received(self, data: bytes) -> None:
        """Pass on what the other worker says."""
        self._near.write(data)

    def pause_writing(self) -> None:
        """The other worker reads slower than the client writes."""
        self._near.pause_reading()

    def resume_writing(self) -> None:
        """The other worker has caught up."""
        self._near.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """The other worker has ended it, or is gone."""
        self._near.close()
