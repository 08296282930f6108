"""WebSocket frames by picows, on the port that uvicorn listens on."""

import asyncio
import logging
import socket
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, cast

from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined] # its stubs leave it out

from qipai.hall.reception import Reception
from qipai.hall.sessions import Connection
from qipai.kernel.codec import MAX_FRAME
from qipai.kernel.talk import Dialect

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_MORE: Final = WSMsgType.CONTINUATION
_PING: Final = WSMsgType.PING
_PONG: Final = WSMsgType.PONG
_PROTOCOL_ERROR: Final = 1002
_TOO_LONG: Final = 1009
_MAX_PARTS: Final = 64
_SEND_BUFFER: Final = 64 * 1024
"""Left to itself the kernel would take megabytes for a peer that does not read."""
_GOODBYE: Final = 1.0
"""Seconds a peer has to answer our close; closing at once could destroy the close frame."""


class Faults(logging.LoggerAdapter[logging.Logger]):
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


_faults: Final = Faults(logging.getLogger("qipai.websocket"), {})


class Listener(WSListener):
    """Pumps frames between one socket and one connection of the hall."""

    def __init__(self, reception: Reception, dialect: Dialect) -> None:
        super().__init__()
        self._reception = reception
        self._dialect = dialect
        self._transport: WSTransport | None = None
        self._peer: Connection | None = None
        self._parts: list[bytes] = []
        self._size = 0
        self.send: Callable[[bytes], None]

    # What picows calls

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Introduce the peer to the hall."""
        self._transport = transport
        wire: socket.socket = transport.underlying_transport.get_extra_info("socket")
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        self.send = partial(transport.send, _TEXT)
        self._peer = Connection(self, self._dialect, self._reception)
        self._reception.welcome(self._peer)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a whole text message on; everything else is counted and answered."""
        peer, kind = self._peer, frame.msg_type
        if peer is None:
            return
        if kind == _TEXT and frame.fin and not self._parts:
            self._reception.arrived(peer, frame.get_payload_as_bytes())
        elif kind == _CLOSE:
            self._answer_close(peer, transport, frame)
        elif not peer.outbox.closed and peer.counted(self._reception.now()):
            self._odd(peer, transport, frame)

    def _odd(self, peer: Connection, transport: WSTransport, frame: WSFrame) -> None:
        """Take a frame that is no whole text message."""
        kind = frame.msg_type
        if kind == _PING:
            # Who does not read our answers gets no more of them.
            if not peer.outbox.paused:
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind == _BINARY and frame.fin:
            peer.malformed("binary frames are not understood")
        elif kind == _TEXT or (kind == _MORE and self._parts):
            self._gather(peer, frame)
        elif kind != _PONG:
            peer.outbox.close(_PROTOCOL_ERROR, "a frame out of place")

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell the hall that the socket is gone."""
        if self._peer is not None:
            self._peer.outbox.shut()
            self._reception.arrived(self._peer, None)
        self._peer = None

    def pause_writing(self) -> None:
        """The peer reads slower than we write."""
        if self._peer is not None:
            self._peer.outbox.pause()

    def resume_writing(self) -> None:
        """The peer has caught up."""
        if self._peer is not None:
            self._peer.outbox.resume()

    # What the hall calls

    def close(self, code: int, reason: str) -> None:
        """Send a close frame and close the socket."""
        if self._transport is not None:
            self._transport.send_close(cast(WSCloseCode, code), reason.encode()[:120])
            asyncio.get_running_loop().call_later(_GOODBYE, self._transport.disconnect)

    def ping(self) -> None:
        """Send a ping frame."""
        if self._transport is not None:
            self._transport.send_ping()

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _answer_close(self, peer: Connection, transport: WSTransport, frame: WSFrame) -> None:
        if not peer.outbox.closed:
            peer.outbox.shut()
            transport.send_close(frame.get_close_code() or WSCloseCode.OK, b"")
        transport.disconnect()

    def _gather(self, peer: Connection, frame: WSFrame) -> None:
        """Put a message together that came in several frames (RFC 6455, 5.4)."""
        if (frame.msg_type == _TEXT) is bool(self._parts):
            peer.outbox.close(_PROTOCOL_ERROR, "a frame out of place")
            return
        part = frame.get_payload_as_bytes()
        self._parts.append(part)
        self._size += len(part)
        if self._size > MAX_FRAME or len(self._parts) > _MAX_PARTS:
            self._parts, self._size = [], 0
            peer.outbox.close(_TOO_LONG, "message too long")
        elif frame.fin:
            whole, self._parts, self._size = b"".join(self._parts), [], 0
            self._reception.arrived(peer, whole)


def protocol_class(reception: Reception, paths: Mapping[str, Callable[[], Dialect]]) -> type:
    """Return a class that uvicorn upgrades a connection to."""

    def listener(request: WSUpgradeRequest) -> Listener | None:
        dialect = paths.get(request.path.split(b"?", 1)[0].decode("latin-1"))
        return None if dialect is None else Listener(reception, dialect())

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
                MAX_FRAME,
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

    return Upgraded
