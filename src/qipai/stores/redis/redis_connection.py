"""One pipelined RESP connection to Redis on the event loop, without tasks."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

import hiredis

from qipai.hall.journal.store_interface import StoreError

from .redis_address import parse_redis_url

REPLY_TIMEOUT: Final = 2.0
"""Seconds without a reply after which the connection is closed."""
MISSED_PINGS: Final = 8
"""Missed pings before an idle subscription is dropped."""

OnReply = Callable[[Any], None]
"""Called with the reply, or with a `StoreError`."""


class RedisConnection(asyncio.Protocol):
    """Replies arrive in the order of the requests; `on_close` is called once when the connection ends."""

    def __init__(self, on_close: Callable[[], None]) -> None:
        self._on_close = on_close
        self._on_push: Callable[[Any], None] | None = None
        self._reader = hiredis.Reader()
        self._pending: deque[tuple[float, OnReply]] = deque()
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._unanswered_pings = 0

    @property
    def open(self) -> bool:
        """Tell whether requests can be sent."""
        return self._transport is not None

    def request(self, words: tuple[Any, ...], on_reply: OnReply) -> None:
        """Send a command; its reply, or a `StoreError`, arrives later."""
        if self._transport is None:
            self._loop.call_soon(on_reply, StoreError("Redis is not connected"))
            return
        self._pending.append((self._loop.time(), on_reply))
        self._transport.write(hiredis.pack_command(words))

    def send(self, words: tuple[Any, ...]) -> None:
        """Send a command whose replies are pushed."""
        if self._transport is not None:
            self._transport.write(hiredis.pack_command(words))

    def receive_pushes(self, on_push: Callable[[Any], None]) -> None:
        """Pass everything that arrives from now on to `on_push`: the connection is a subscription."""
        self._on_push = on_push

    def close(self) -> None:
        """Close the connection; every pending request gets a `StoreError`."""
        if self._transport is not None:
            self._transport.abort()
            self.connection_lost(None)

    # Called by the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the timer of the time-outs."""
        self._transport = cast(asyncio.Transport, transport)
        self._timer = self._loop.call_later(REPLY_TIMEOUT / 4, self._check_timeouts)

    def data_received(self, data: bytes) -> None:
        """Pass replies to their requests."""
        self._unanswered_pings = 0
        self._reader.feed(data)
        while (reply := self._reader.gets()) is not False:
            if self._on_push is not None:
                self._on_push(reply)
            elif self._pending:
                _, on_reply = self._pending.popleft()
                if isinstance(reply, hiredis.ReplyError):
                    self._reply_error(on_reply, str(reply))
                else:
                    on_reply(reply)

    def _reply_error(self, on_reply: OnReply, reason: str) -> None:
        on_reply(StoreError(f"Redis: {reason}"))
        if reason.startswith("NOSCRIPT"):
            # Redis has flushed its scripts; the next connection loads them.
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Fail every pending request."""
        if self._transport is None:
            return
        self._transport = None
        if self._timer is not None:
            self._timer.cancel()
        pending, self._pending = self._pending, deque()
        # First the owner learns of it: a request that is retried at once must not go to this connection.
        self._on_close()
        for _, on_reply in pending:
            on_reply(StoreError("Redis: the connection was lost"))

    def _check_timeouts(self) -> None:
        if self._on_push is not None:
            # A subscription has no pending requests, so only a ping shows that it is lost.
            self._unanswered_pings += 1
            self.send(("PING",))
        late = self._pending and self._loop.time() - self._pending[0][0] > REPLY_TIMEOUT
        if late or self._unanswered_pings > MISSED_PINGS:
            self.close()
        elif self._transport is not None:
            self._timer = self._loop.call_later(REPLY_TIMEOUT / 4, self._check_timeouts)


async def connect(url: str, on_close: Callable[[], None]) -> RedisConnection:
    """Return a connection that is authenticated, or raise `StoreError`."""
    address = parse_redis_url(url)
    loop = asyncio.get_running_loop()
    connection = RedisConnection(on_close)
    try:
        async with asyncio.timeout(REPLY_TIMEOUT):
            if address.path:
                await loop.create_unix_connection(lambda: connection, address.path)
            else:
                tls = None if address.tls is None else address.tls.context()
                await loop.create_connection(lambda: connection, address.host, address.port, ssl=tls)
            if address.username or address.password:
                user = (address.username,) if address.username else ()
                await call(connection, "AUTH", *user, address.password)
            if address.db:
                await call(connection, "SELECT", address.db)
    except (OSError, TimeoutError, StoreError, ValueError) as error:
        connection.close()
        raise StoreError(f"Redis: {error or 'no reply'}") from error
    return connection


async def subscribe(
    url: str, on_close: Callable[[], None], on_push: Callable[[Any], None], channels: tuple[str, ...]
) -> RedisConnection:
    """Return a connection that is subscribed to the channels, or raise `StoreError`."""
    connection, pending = await connect(url, on_close), len(channels)
    subscribed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def until_subscribed(push: Any) -> None:
        nonlocal pending
        if isinstance(push, hiredis.ReplyError) and not subscribed.done():
            subscribed.set_exception(StoreError(f"Redis: {push}"))
        elif isinstance(push, list) and push[0] == b"subscribe":
            pending -= 1
            if not pending and not subscribed.done():
                subscribed.set_result(None)
        else:
            on_push(push)

    connection.receive_pushes(until_subscribed)
    connection.send(("SUBSCRIBE", *channels))
    try:
        async with asyncio.timeout(REPLY_TIMEOUT):
            await subscribed
    except (TimeoutError, StoreError) as error:
        connection.close()
        raise StoreError(f"{error}" if isinstance(error, StoreError) else "Redis: no reply") from error
    connection.receive_pushes(on_push)
    return connection


async def call(connection: RedisConnection, *words: Any) -> Any:
    """Return the reply to a command, or raise `StoreError`."""
    received: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def on_reply(reply: Any) -> None:
        if not received.done():
            received.set_result(reply)

    connection.request(words, on_reply)
    reply = await received
    if isinstance(reply, StoreError):
        raise reply
    return reply
