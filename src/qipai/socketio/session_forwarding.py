"""Forwards requests and WebSockets to the worker that owns a Socket.IO session."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

SEPARATOR: Final = "~"
"""Between the name of the worker and the rest of a session id."""
WORKER_TOKEN: Final = b"x-worker-token"
"""Header that proves to the worker that a request is forwarded to it by another one."""
RESPONSE_TIMEOUT: Final = 60.0
"""Seconds a response may take: a poll waits until the next ping, and that long for the pong."""
CONNECT_TIMEOUT: Final = 5.0
_FORWARDED_HEADERS: Final = frozenset({b"content-type", b"cache-control", b"vary"})
_CORS_PREFIX: Final = b"access-control-"
_DROPPED_HEADERS: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"transfer-encoding",
        b"upgrade",
        b"expect",
        b"x-forwarded-for",
        WORKER_TOKEN,
    }
)
"""Headers that are not forwarded: hop by hop, and those by which a client could pretend to be another."""


class Address(NamedTuple):
    """Where a worker listens for other workers."""

    host: str
    port: int


class SessionForwarding:
    """Tells which worker owns a session; `find_address` returns the address of a live worker.

    `tokens` returns secrets that only workers know; the first goes with each forwarded request, and each of
    them is accepted.
    """

    def __init__(
        self,
        worker: str,
        find_address: Callable[[str], Awaitable[Address | None]],
        tokens: Callable[[], Sequence[bytes]],
    ) -> None:
        self.worker = worker
        self.find_address = find_address
        self.tokens = tokens

    @property
    def token(self) -> bytes:
        """Return what goes with a request that is forwarded now."""
        return self.tokens()[0]

    def owner(self, query: str) -> str:
        """Return the worker that owns the session of a request; empty for none, or for this worker."""
        try:
            sid = dict(parse_qsl(query, max_num_fields=20)).get("sid", "")
        except ValueError:
            return ""
        worker, separator, _ = sid.partition(SEPARATOR)
        return "" if not separator or worker == self.worker else worker


async def forward(
    address: Address, token: bytes, scope: Scope, receive: Receive, send: Send, limit: int
) -> bool:
    """Let another worker respond to a request of at most `limit` bytes; False if it cannot be reached."""
    try:
        async with asyncio.timeout(RESPONSE_TIMEOUT):
            reader, writer = await asyncio.open_connection(*address)
            try:
                # A client that disconnects here disconnects from the other worker as well.
                if not await _send_request(writer, token, scope, receive, limit):
                    return True
                head = await _read_until_disconnect(reader.readuntil(b"\r\n\r\n"), receive)
                if head is None:
                    return True
                status, headers, length = _parse_response(head)
                body = await reader.readexactly(length)
            finally:
                writer.close()
                with suppress(OSError):
                    await writer.wait_closed()
    except (OSError, TimeoutError, EOFError, ValueError, IndexError, asyncio.LimitOverrunError):
        return False
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    return True


async def _send_request(
    writer: asyncio.StreamWriter, token: bytes, scope: Scope, receive: Receive, limit: int
) -> bool:
    """Forward a request as it arrives; tell whether it arrived whole."""
    path = scope.get("raw_path") or scope["path"].encode()
    lines = [b"%s %s?%s HTTP/1.1" % (scope["method"].encode(), path, scope["query_string"])]
    lines += [name + b": " + value for name, value in scope["headers"] if name not in _DROPPED_HEADERS]
    is_post = scope["method"] == "POST"
    chunked = is_post and not any(name == b"content-length" for name, _ in scope["headers"])
    lines += [
        WORKER_TOKEN + b": " + token,
        b"connection: close",
        *([b"transfer-encoding: chunked"] if chunked else []),
    ]
    writer.write(b"\r\n".join(lines) + b"\r\n\r\n")
    declared = next((int(value) for name, value in scope["headers"] if name == b"content-length"), 0)
    # The owner refuses a body that is too large by its head: a response to an unread body may be lost.
    size, more = 0, is_post and declared <= limit
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


async def _read_until_disconnect(response: Any, receive: Receive) -> bytes | None:
    """Return the response head, or None if the client disconnects first."""
    reading, disconnecting = asyncio.ensure_future(response), asyncio.ensure_future(_disconnected(receive))
    try:
        await asyncio.wait((reading, disconnecting), return_when=asyncio.FIRST_COMPLETED)
        return await reading if reading.done() else None
    finally:
        reading.cancel()
        disconnecting.cancel()


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _parse_response(head: bytes) -> tuple[int, list[tuple[bytes, bytes]], int]:
    """Return the status, the headers to forward, and the length of the body."""
    first, *lines = head.rstrip().split(b"\r\n")
    pairs = (line.partition(b":") for line in lines)
    headers = [(name.strip().lower(), value.strip()) for name, _, value in pairs]
    length = next(int(value) for name, value in headers if name == b"content-length")
    forwarded = [
        (name, value)
        for name, value in headers
        if name in _FORWARDED_HEADERS or name.startswith(_CORS_PREFIX)
    ]
    return int(first.split()[1]), [*forwarded, (b"content-length", b"%d" % length)], length


class Tunnel(asyncio.Protocol):
    """Forwards the bytes of a WebSocket to the worker whose session it upgrades, and back."""

    def __init__(
        self,
        client: asyncio.Transport,
        address: Awaitable[Address | None],
        request: bytes,
        on_lost: Callable[[], None],
    ) -> None:
        self._client = client
        self._on_lost = on_lost
        self._worker: asyncio.Transport | None = None
        self._request = request
        client.pause_reading()
        self._connect_task = asyncio.get_running_loop().create_task(self._connect(address))

    async def _connect(self, address_lookup: Awaitable[Address | None]) -> None:
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                address = await address_lookup
                if address is None:
                    self._client.abort()
                    return
                loop = asyncio.get_running_loop()
                self._worker, _ = await loop.create_connection(lambda: _WorkerEnd(self._client), *address)
        except (OSError, TimeoutError):
            # The client stays with polling, whose response tells that the session is unknown.
            self._client.abort()
            return
        self._worker.write(self._request)
        self._client.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Forward bytes of the client."""
        if self._worker is not None:
            self._worker.write(data)

    def pause_writing(self) -> None:
        """The write buffer of the client is full."""
        if self._worker is not None:
            self._worker.pause_reading()

    def resume_writing(self) -> None:
        """The write buffer of the client has drained."""
        if self._worker is not None:
            self._worker.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """The client has disconnected."""
        self._on_lost()
        self._connect_task.cancel()
        if self._worker is not None:
            self._worker.close()


class _WorkerEnd(asyncio.Protocol):
    """The other worker's end of a tunnel."""

    def __init__(self, client: asyncio.Transport) -> None:
        self._client = client

    def data_received(self, data: bytes) -> None:
        """Forward bytes of the other worker."""
        self._client.write(data)

    def pause_writing(self) -> None:
        """The write buffer of the other worker is full."""
        self._client.pause_reading()

    def resume_writing(self) -> None:
        """The write buffer of the other worker has drained."""
        self._client.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        """The other worker has closed the connection."""
        self._client.close()
