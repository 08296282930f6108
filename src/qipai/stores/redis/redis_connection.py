"""One connection to Redis on the event loop: words out, answers in their order, no task per question."""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

import hiredis

from qipai.hall.journal.store_interface import StoreError

from .redis_address import read

PATIENCE: Final = 2.0
"""Seconds without an answer after which the connection is given up."""
SILENT: Final = 8
"""Times that a line which only listens is asked in vain whether it is still one."""

Done = Callable[[Any], None]
"""Called with the answer, or with a `StoreError`."""


class RedisConnection(asyncio.Protocol):
    """`broke` is called once when the connection ends, by whoever's wish."""

    def __init__(self, broke: Callable[[], None]) -> None:
        self._broke = broke
        self._push: Callable[[Any], None] | None = None
        self._reader = hiredis.Reader()
        self._waiting: deque[tuple[float, Done]] = deque()
        self._transport: asyncio.Transport | None = None
        self._loop = asyncio.get_running_loop()
        self._watch: asyncio.TimerHandle | None = None
        self._silent = 0

    @property
    def open(self) -> bool:
        """Tell whether questions can be asked."""
        return self._transport is not None

    def ask(self, words: tuple[Any, ...], done: Done) -> None:
        """Send a command; its answer comes later, a failure too."""
        if self._transport is None:
            self._loop.call_soon(done, StoreError("Redis is out of reach"))
            return
        self._waiting.append((self._loop.time(), done))
        self._transport.write(hiredis.pack_command(words))

    def say(self, words: tuple[Any, ...]) -> None:
        """Send a command whose answers are heard by `push`."""
        if self._transport is not None:
            self._transport.write(hiredis.pack_command(words))

    def hear(self, push: Callable[[Any], None] | None) -> None:
        """Pass everything that comes from now on to `push`: this line is for listening."""
        self._push = push

    def close(self) -> None:
        """Hang up; whoever waits learns that there is no answer."""
        if self._transport is not None:
            self._transport.abort()
            self.connection_lost(None)

    # What the loop calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin to watch how long answers take."""
        self._transport = cast(asyncio.Transport, transport)
        self._watch = self._loop.call_later(PATIENCE / 4, self._look)

    def data_received(self, data: bytes) -> None:
        """Pass answers on."""
        self._silent = 0
        self._reader.feed(data)
        while (answer := self._reader.gets()) is not False:
            if self._push is not None:
                self._push(answer)
            elif self._waiting:
                _, done = self._waiting.popleft()
                if isinstance(answer, hiredis.ReplyError):
                    self._refused(done, str(answer))
                else:
                    done(answer)

    def _refused(self, done: Done, why: str) -> None:
        done(StoreError(f"Redis: {why}"))
        if why.startswith("NOSCRIPT"):
            # It was told to forget all scripts; whoever connects loads them.
            self.close()

    def connection_lost(self, error: Exception | None) -> None:
        """Tell everybody who waits that there is no answer."""
        if self._transport is None:
            return
        self._transport = None
        if self._watch is not None:
            self._watch.cancel()
        waiting, self._waiting = self._waiting, deque()
        # First it is known to be broken: whoever tries again at once must not wait for ever.
        self._broke()
        for _, done in waiting:
            done(StoreError("Redis: the connection broke"))

    def _look(self) -> None:
        if self._push is not None:
            # Nobody waits for anything here, so a cut would never be noticed.
            self._silent += 1
            self.say(("PING",))
        late = self._waiting and self._loop.time() - self._waiting[0][0] > PATIENCE
        if late or self._silent > SILENT:
            self.close()
        elif self._transport is not None:
            self._watch = self._loop.call_later(PATIENCE / 4, self._look)


async def connect(
    address: str, broke: Callable[[], None], push: Callable[[Any], None] | None = None
) -> RedisConnection:
    """Return a connection that is logged in, or raise `StoreError`."""
    place = read(address)
    loop = asyncio.get_running_loop()
    line = RedisConnection(broke)
    try:
        async with asyncio.timeout(PATIENCE):
            if place.path:
                await loop.create_unix_connection(lambda: line, place.path)
            else:
                secure = None if place.security is None else place.security.context()
                await loop.create_connection(lambda: line, place.host, place.port, ssl=secure)
            if place.username or place.password:
                user = (place.username,) if place.username else ()
                await answer(line, "AUTH", *user, place.password)
            if place.db:
                await answer(line, "SELECT", place.db)
    except (OSError, TimeoutError, StoreError, ValueError) as error:
        line.close()
        raise StoreError(f"Redis: {error or 'no answer'}") from error
    line.hear(push)
    return line


async def listen(
    address: str, broke: Callable[[], None], push: Callable[[Any], None], channels: tuple[str, ...]
) -> RedisConnection:
    """Return a connection by which all that is published is heard from now on, or raise `StoreError`."""
    line, left = await connect(address, broke), len(channels)
    agreed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def heard(told: Any) -> None:
        nonlocal left
        if isinstance(told, hiredis.ReplyError) and not agreed.done():
            agreed.set_exception(StoreError(f"Redis: {told}"))
        elif isinstance(told, list) and told[0] == b"subscribe":
            left -= 1
            if not left and not agreed.done():
                agreed.set_result(None)
        else:
            push(told)

    line.hear(heard)
    line.say(("SUBSCRIBE", *channels))
    try:
        async with asyncio.timeout(PATIENCE):
            await agreed
    except (TimeoutError, StoreError) as error:
        line.close()
        raise StoreError(f"{error}" if isinstance(error, StoreError) else "Redis: no answer") from error
    line.hear(push)
    return line


async def answer(line: RedisConnection, *words: Any) -> Any:
    """Return the answer to a command, or raise `StoreError`."""
    found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

    def done(told: Any) -> None:
        if not found.done():
            found.set_result(told)

    line.ask(words, done)
    told = await found
    if isinstance(told, StoreError):
        raise told
    return told
