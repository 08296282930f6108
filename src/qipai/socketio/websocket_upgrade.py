"""WebSockets by picows on the port that uvicorn listens on: one route for each path."""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from typing import Any, Final

from picows import (
    WSAutoPingStrategy,
    WSFrame,
    WSListener,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponseWithListener,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined] # its stubs leave it out

from .session_forwarding import SessionForwarding, Tunnel

SEND_BUFFER: Final = 64 * 1024
"""Left to itself the kernel would take megabytes for a peer that does not read."""
_MAX_PARTS: Final = 64

Route = Callable[[WSUpgradeRequest], WSListener | WSUpgradeResponseWithListener | None]
"""Takes an upgrade request on, or answers it."""


class FaultLog(logging.LoggerAdapter[logging.Logger]):
    """Passes on what picows says about faults of ours; what a peer does wrong is its own affair.

    One object serves all connections: with a plain logger picows would make one for each.
    """

    def isEnabledFor(self, level: int) -> bool:  # noqa: N802 - logging's name
        """Tell that errors are of interest."""
        return level >= logging.ERROR

    def error(self, msg: object, *args: object, **kwargs: Any) -> None:
        """Forget what the parser complains about."""
        if not str(msg).startswith("WS parser error"):
            super().error(msg, *args, **kwargs)


_faults: Final = FaultLog(logging.getLogger("qipai.websocket"), {})


class MessageFragments:
    """A message that came in several frames (RFC 6455, 5.4)."""

    __slots__ = ("_limit", "_parts", "_size", "kind")

    def __init__(self, frame: WSFrame, limit: int) -> None:
        self.kind = frame.msg_type
        self._limit = limit
        self._parts = [frame.get_payload_as_bytes()]
        self._size = len(self._parts[0])

    def add(self, frame: WSFrame) -> None:
        """Take the next part."""
        self._parts.append(frame.get_payload_as_bytes())
        self._size += len(self._parts[-1])

    @property
    def too_long(self) -> bool:
        """Tell whether this is more than a peer may send."""
        return self._size > self._limit or len(self._parts) > _MAX_PARTS

    def whole(self) -> bytes:
        """Return the message."""
        return b"".join(self._parts)


def bound_sending(transport: WSTransport) -> None:
    """Let a peer that does not read cost little."""
    wire: socket.socket = transport.underlying_transport.get_extra_info("socket")
    wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)


def protocol_class(
    routes: Mapping[str, Route], max_frame: int, elsewhere: SessionForwarding | None = None
) -> type:
    """Return a class that uvicorn upgrades a connection to; what belongs elsewhere is passed on."""

    def listener(request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener | None:
        route = routes.get(request.path.split(b"?", 1)[0].decode("latin-1"))
        return None if route is None else route(request)

    class Upgraded(WSProtocol):  # type: ignore[misc] # untyped, see the import
        """picows' protocol with the constructor and the entry that uvicorn expects."""

        def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
            super().__init__(
                None,  # host and port
                None,  # path
                False,  # client side
                listener,
                _faults,
                True,  # disconnect on an exception
                5,  # seconds for the handshake
                False,  # automatic pings: one sweep in the hall serves all connections
                20,
                20,
                WSAutoPingStrategy.PING_WHEN_IDLE,
                False,  # automatic pongs: they would be neither counted nor bounded
                max_frame,
                None,  # extra headers
                2048,  # first read buffer
            )

        def data_received(self, data: bytes) -> None:
            """Feed the upgrade request, which uvicorn has read already."""
            while data:
                room = self.get_buffer(len(data))
                size = min(len(room), len(data))
                room[:size] = data[:size]
                self.buffer_updated(size)
                data = data[size:]

        def shutdown(self) -> None:
            """Uvicorn stops; the hall has said goodbye already."""

    return Upgraded if elsewhere is None else _sorting(Upgraded, elsewhere)


def _sorting(upgraded: Any, elsewhere: SessionForwarding) -> type:
    class Sorting(upgraded):  # type: ignore[misc] # made above
        """Looks first whose it is: a WebSocket that takes a session over goes where the session lives."""

        def connection_made(self, transport: asyncio.Transport) -> None:
            """Wait for the request."""
            self._waiting: asyncio.Transport | None = transport

        def data_received(self, data: bytes) -> None:
            """Keep the connection, or pass it on."""
            transport, self._waiting = self._waiting, None
            if transport is None:
                super().data_received(data)
                return
            query = data.partition(b"\r\n")[0].partition(b"?")[2].split(b" ")[0].decode("latin-1")
            if owner := elsewhere.owner(query):
                tunnel = Tunnel(transport, elsewhere.where(owner), data)
                # Uvicorn makes this object the protocol when it returns from here.
                asyncio.get_running_loop().call_soon(transport.set_protocol, tunnel)
            else:
                super().connection_made(transport)
                super().data_received(data)

    return Sorting
