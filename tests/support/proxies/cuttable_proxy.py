"""A TCP proxy on 127.0.0.1, in its own thread, whose connections a test can cut or freeze."""

import asyncio
import contextlib
import socket
import struct
import threading
import time
from collections.abc import Callable, Coroutine
from typing import TypeVar

from tests.support.server import free_port

Result = TypeVar("Result")
RESET = struct.pack("ii", 1, 0)
QUIET = 0.3
"""Seconds without data after which polling clients are assumed to wait for an answer."""


class ProxySide(asyncio.Protocol):
    """One side of a connection through the proxy; data received here is sent at the other side."""

    def __init__(self, cuts: "CuttableProxy") -> None:
        self.cuts = cuts
        self.transport: asyncio.Transport | None = None
        self.other: ProxySide | None = None
        self.unsent = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.cuts.sides.add(self)
        if self.cuts.frozen:
            transport.pause_reading()
        if self.faces_server and self.other is None:  # It was cut while it was being connected.
            self.end(reset=True)
        elif self.unsent:
            transport.write(self.unsent)

    def data_received(self, data: bytes) -> None:
        self.cuts.last_data_at = time.monotonic()
        if self.other is not None:
            forwarded = self.cuts.allowed(data) if self.faces_server else data
            if self.cuts.delay:
                self.cuts.loop.call_later(self.cuts.delay, self.other.write, forwarded)
            else:
                self.other.write(forwarded)

    def connection_lost(self, exc: Exception | None) -> None:
        self.cuts.sides.discard(self)
        if self.other is not None:
            self.other.end(reset=exc is not None)

    @property
    def faces_server(self) -> bool:
        return not isinstance(self, ClientSide)

    def write(self, data: bytes) -> None:
        if self.transport is None:
            self.unsent += data
        elif data:
            self.transport.write(data)

    def end(self, *, reset: bool) -> None:
        if self.transport is None:
            return
        if not reset:
            self.transport.close()
            return
        with contextlib.suppress(OSError):
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        self.transport.abort()


class ClientSide(ProxySide):
    """The side that faces the client."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        if not self.cuts.open:  # It connected before the proxy stopped listening.
            self.end(reset=True)
            return
        self.other = ProxySide(self.cuts)
        self.other.other = self
        self.cuts.spawn(self.connect_to_target(self.other))

    async def connect_to_target(self, other: ProxySide) -> None:
        try:
            await self.cuts.loop.create_connection(lambda: other, "127.0.0.1", self.cuts.target)
        except OSError:
            self.end(reset=True)


class CuttableProxy:
    """A proxy between clients, which use `port`, and the server at `target`.

    `delay`: seconds that data takes in either direction.
    """

    def __init__(self, target: int, delay: float = 0) -> None:
        self.target, self.port, self.delay = target, free_port(), delay
        self.sides: set[ProxySide] = set()
        self.tasks: set[asyncio.Task[object]] = set()
        self.frozen = False
        self.last_data_at = time.monotonic()
        self.loop = asyncio.new_event_loop()
        self._left: int | None = None
        self._listener: socket.socket | None = None
        self._thread = threading.Thread(target=self.loop.run_forever)

    def cut(self, *, reset: bool = True, server_knows: bool = True) -> int:
        """End every live connection, by RST or FIN; return how many there were.

        Without `server_knows`, the server keeps connections whose clients are gone.
        """
        return self._call(lambda: self._cut(reset=reset, server_knows=server_knows))

    def settle(self, clients: int) -> None:
        """Wait until this many clients are connected and no data is transferred."""
        deadline = time.monotonic() + 60
        while len(self.sides) < 2 * clients or time.monotonic() - self.last_data_at < QUIET:
            assert time.monotonic() < deadline, "data is still transferred"
            time.sleep(0.02)

    def cut_after(self, count: int) -> None:
        """Forward this many more bytes of the server, then reset every connection."""
        self._call(lambda: setattr(self, "_left", count))

    def refuse(self) -> None:
        """Stop listening: new connections are refused."""
        self._call(self._stop_listening)

    def allow(self) -> None:
        """Listen for new connections."""
        self._call(self._listen)

    def freeze(self) -> None:
        """Forward nothing; connections stay open and new ones are accepted."""
        self._call(lambda: self._freeze(frozen=True))

    def unfreeze(self) -> None:
        """Forward the data that was held back, and everything after it."""
        self._call(lambda: self._freeze(frozen=False))

    def allowed(self, data: bytes) -> bytes:
        """Return the part of the data that may be forwarded, and cut after the last byte."""
        if self._left is None:
            return data
        forwarded, self._left = data[: self._left], self._left - len(data)
        if self._left <= 0:
            self._left = None
            self._freeze(frozen=True)
            self.loop.call_later(0.02, self._break)
        return forwarded

    def __enter__(self) -> "CuttableProxy":
        self._thread.start()
        self.allow()
        return self

    def __exit__(self, *_: object) -> None:
        self.refuse()
        self.cut()
        asyncio.run_coroutine_threadsafe(self._end_all(), self.loop).result(60)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(60)
        self.loop.close()

    def spawn(self, work: Coroutine[None, None, object]) -> None:
        """Start a task and keep a reference to it until it ends."""
        self.tasks.add(task := self.loop.create_task(work))
        task.add_done_callback(self.tasks.discard)

    def _listen(self) -> None:
        # Not `loop.create_server`: when it is closed it may lose a connection that it has accepted.
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self._listener.setblocking(False)
        self._listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.loop.add_reader(self._listener, self._accept, self._listener)

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(BlockingIOError, ConnectionError):
            client, _ = listener.accept()
            self.spawn(self.loop.connect_accepted_socket(lambda: ClientSide(self), client))

    async def _end_all(self) -> None:
        while self.sides or self.tasks:
            for side in list(self.sides):
                side.end(reset=True)
            await asyncio.sleep(0.01)

    @property
    def open(self) -> bool:
        """Whether new connections are accepted."""
        return self._listener is not None

    def _stop_listening(self) -> None:
        if self._listener is not None:
            self.loop.remove_reader(self._listener)
            self._listener.close()
            self._listener = None

    def _cut(self, *, reset: bool, server_knows: bool) -> int:
        clients = [side for side in self.sides if not side.faces_server]
        for client in clients:
            if client.other is not None:
                if server_knows:
                    client.other.end(reset=reset)
                client.other.other = None
                client.other = None
            client.end(reset=reset)
        return len(clients)

    def _break(self) -> None:
        self._cut(reset=True, server_knows=True)
        self._freeze(frozen=False)

    def _freeze(self, *, frozen: bool) -> None:
        self.frozen = frozen
        for side in self.sides:
            if side.transport is not None and not side.transport.is_closing():
                (side.transport.pause_reading if frozen else side.transport.resume_reading)()

    def _call(self, action: Callable[[], Result]) -> Result:
        async def run() -> Result:
            return action()

        return asyncio.run_coroutine_threadsafe(run(), self.loop).result(60)
