"""Upgrades connections of uvicorn to picows WebSockets, by path."""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import Any, Final, cast

from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined] # its stubs leave it out

from .session_forwarding import WORKER_TOKEN, SessionForwarding, Tunnel

SEND_BUFFER: Final = 64 * 1024
"""Bytes of the kernel's send buffer; by default it grows to megabytes for a client that does not read."""
_MAX_FRAGMENTS: Final = 64
READ_TOGETHER: Final = 64
"""Frames of a socket that may be read at once; after more, reading pauses."""
READ_FLOOD: Final = 500
"""Frames above which a socket is closed; a thousand a second are forgiven."""
_READ_STEP: Final = 0.001
"""Seconds for which reading pauses per frame."""
_PROTOCOL_ERROR: Final = 1002
_ABNORMAL_CLOSURE: Final = 1006

Route = Callable[[WSUpgradeRequest], WSListener | WSUpgradeResponseWithListener | None]
"""Accepts an upgrade request with a listener, or refuses it with a response."""


class FaultLog(logging.LoggerAdapter[logging.Logger]):
    """Logs faults of the server that picows reports, and drops protocol errors of clients.

    One object serves all connections: with a plain logger picows would make one for each.
    """

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 - logging's name
        """Tell that errors are logged."""
        return level >= logging.ERROR

    def error(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Log an error, unless the parser reports it."""
        if not str(msg).startswith("WS parser error"):
            super().error(msg, *args, **kwargs)


_fault_log: Final = FaultLog(logging.getLogger("qipai.websocket"), {})


class MessageFragments:
    """A message of several frames (RFC 6455, 5.4)."""

    __slots__ = ("_fragments", "_limit", "_size", "message_type")

    def __init__(self, frame: WSFrame, limit: int) -> None:
        self.message_type = frame.msg_type
        self._limit = limit
        self._fragments = [frame.get_payload_as_bytes()]
        self._size = len(self._fragments[0])

    def add(self, frame: WSFrame) -> None:
        """Add the next fragment."""
        self._fragments.append(frame.get_payload_as_bytes())
        self._size += len(self._fragments[-1])

    @property
    def exceeds_limit(self) -> bool:
        """Tell whether the message has too many bytes or fragments."""
        return self._size > self._limit or len(self._fragments) > _MAX_FRAGMENTS

    def join(self) -> bytes:
        """Return the whole message."""
        return b"".join(self._fragments)


class ReadLimit:
    """Pauses a socket that sends many frames at once, and tells when it is a flood.

    Only frames that were read together with a later one count. A paused socket may still deliver what was
    read already: all frames of one read buffer. A socket that sent a flood is never read again.
    """

    __slots__ = ("_due", "_paused", "_timer", "_transport", "flooded")

    def __init__(self, transport: WSTransport) -> None:
        self._transport = transport
        self._due = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._paused = False
        self.flooded = False

    def count(self) -> bool:
        """Count a frame; tell whether there are too many."""
        if self.flooded:
            return True
        now = monotonic()
        self._due = max(self._due, now) + _READ_STEP
        waiting = self._due - now
        if waiting > READ_TOGETHER * _READ_STEP and self._timer is None:
            self._stop()
            self._wait(waiting)
        self.flooded = waiting > READ_FLOOD * _READ_STEP
        return self.flooded

    def pause(self) -> None:
        """Read nothing more until `resume`."""
        self._paused = True
        self._stop()

    def resume(self) -> None:
        """Read again, unless too many frames were read at once."""
        self._paused = False
        if self._timer is None and not self.flooded and not self._transport.is_disconnected:
            self._transport.underlying_transport.resume_reading()

    def _stop(self) -> None:
        if not self._transport.is_disconnected:
            self._transport.underlying_transport.pause_reading()

    def _wait(self, waiting: float) -> None:
        seconds = waiting - READ_TOGETHER * _READ_STEP
        self._timer = asyncio.get_running_loop().call_later(seconds, self._waited)

    def _waited(self) -> None:
        self._timer = None
        waiting = self._due - monotonic()
        if self.flooded or self._transport.is_disconnected:
            return
        if waiting > READ_TOGETHER * _READ_STEP:
            self._wait(waiting)
        elif not self._paused:
            self.resume()


def close_reply(frame: WSFrame) -> WSCloseCode:
    """Return the code that answers a close frame: its own, or 1002 if it may not be sent (RFC 6455, 7.4)."""
    payload = frame.get_payload_as_bytes()
    code = int.from_bytes(payload[:2])
    valid = 1000 <= code < 5000 and code != _ABNORMAL_CLOSURE
    return cast(WSCloseCode, code if valid else _PROTOCOL_ERROR) if payload else WSCloseCode.OK


class WholeWrites:
    """A transport that writes the parts of a frame as one.

    Of a frame above 8 kB picows passes header and message, and uses the memory of the header for the next
    frame, although uvloop may not have sent it yet. A client that reads late would receive broken frames.
    """

    __slots__ = ("_transport",)

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport

    def writelines(self, parts: Iterable[bytes | memoryview]) -> None:
        """Write a copy of the parts."""
        self._transport.write(b"".join(parts))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


def _do_nothing() -> None:
    pass


def forget_headers(transport: WSTransport) -> None:
    """Drop the headers of the upgrade, which the library would keep as long as the connection."""
    transport.request.headers.clear()
    transport.response.headers.clear()


def limit_send_buffer(transport: WSTransport) -> None:
    """Limit the kernel's send buffer of a connection."""
    socket_: socket.socket = transport.underlying_transport.get_extra_info("socket")
    socket_.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def protocol_class(
    routes: Mapping[str, Route], max_frame: int, forwarding: SessionForwarding | None = None
) -> type:
    """Return the class that uvicorn upgrades a connection to; sessions of other workers are forwarded."""

    def listener(request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener | None:
        route = routes.get(request.path.split(b"?", 1)[0].decode("latin-1"))
        return None if route is None else route(request)

    class UpgradedProtocol(WSProtocol):  # type: ignore[misc] # untyped, see the import
        """The protocol of picows with the constructor and the entry point that uvicorn expects."""

        def __init__(
            self,
            config: Any,
            server_state: Any,
            app_state: Any,
            _loop: Any = None,
            on_lost: Callable[[], None] = _do_nothing,
        ) -> None:
            self._on_lost = on_lost
            super().__init__(
                None,  # host and port
                None,  # path
                False,  # client side
                listener,
                _fault_log,
                True,  # disconnect on an exception
                5,  # seconds for the handshake
                False,  # automatic pings: the hall pings all connections from one timer
                20,
                20,
                WSAutoPingStrategy.PING_WHEN_IDLE,
                False,  # automatic pongs: they would be neither counted nor bounded
                max_frame,
                None,  # extra headers
                2048,  # first read buffer
            )

        def connection_made(self, transport: asyncio.Transport) -> None:
            """Take the connection."""
            super().connection_made(WholeWrites(transport))

        def data_received(self, data: bytes) -> None:
            """Parse the upgrade request, which uvicorn has read already."""
            while data:
                room = self.get_buffer(len(data))
                size = min(len(room), len(data))
                room[:size] = data[:size]
                self.buffer_updated(size)
                data = data[size:]

        def connection_lost(self, error: Exception | None) -> None:
            """Tell those who count connections, too."""
            self._on_lost()
            super().connection_lost(error)

        def shutdown(self) -> None:
            """Do nothing when uvicorn stops: the hall has closed the connections already."""

    return UpgradedProtocol if forwarding is None else _with_forwarding(UpgradedProtocol, forwarding)


def _with_forwarding(upgraded: Any, forwarding: SessionForwarding) -> type:
    class Forwarding(upgraded):  # type: ignore[misc] # a class made at run time
        """Forwards a WebSocket that upgrades a session to the worker that owns the session."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            """Wait for the upgrade request."""
            self._waiting: asyncio.Transport | None = transport

        def data_received(self, data: bytes) -> None:
            """Keep the connection, or forward it."""
            transport, self._waiting = self._waiting, None
            if transport is None:
                super().data_received(data)
                return
            line, _, rest = data.partition(b"\r\n")
            query = line.partition(b"?")[2].split(b" ")[0].decode("latin-1")
            if owner := forwarding.owner(query):
                request = b"%b\r\n%b: %b\r\n%b" % (line, WORKER_TOKEN, forwarding.token, rest)
                tunnel = Tunnel(transport, forwarding.find_address(owner), request, self._on_lost)
                # Uvicorn makes this object the protocol when it returns from here.
                asyncio.get_running_loop().call_soon(transport.set_protocol, tunnel)
            else:
                super().connection_made(transport)
                super().data_received(data)

    return Forwarding
