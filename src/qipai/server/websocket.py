"""Frames of one WebSocket for one connection of the hall."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final, cast

from picows import WSCloseCode, WSFrame, WSListener, WSMsgType, WSTransport

from qipai.hall.client_interface import WebSocketPath
from qipai.hall.connections.connection import Connection
from qipai.hall.hall import Hall
from qipai.kernel.codec import MAX_FRAME
from qipai.protocol.native import Native
from qipai.socketio.websocket_upgrade import MessageFragments, Route, limit_send_buffer

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_MORE: Final = WSMsgType.CONTINUATION
_PING: Final = WSMsgType.PING
_PONG: Final = WSMsgType.PONG
_PROTOCOL_ERROR: Final = 1002
_TOO_LONG: Final = 1009
NATIVE_PATH: Final = "/play"
_NOTHING: Final = b"{}"
"""What a message that is too long is taken for, where that must not end anything."""
_GOODBYE: Final = 1.0
"""Seconds a peer has to answer our close; closing at once could destroy the close frame."""


class Listener(WSListener):
    """Pumps frames between one socket and one connection of the hall."""

    def __init__(self, reception: Hall, path: WebSocketPath) -> None:
        super().__init__()
        self._reception = reception
        self._path = path
        self._transport: WSTransport | None = None
        self._peer: Connection | None = None
        self._parts: MessageFragments | None = None
        self.send: Callable[[bytes], None]

    # What picows calls

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Introduce the peer to the hall."""
        self._transport = transport
        limit_send_buffer(transport)
        self.send = partial(transport.send, _TEXT)
        self._peer = self._path.connect(self)
        self._reception.connected(self._peer)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a whole text message on; everything else is counted and answered."""
        connection, kind = self._peer, frame.msg_type
        if connection is None:
            return
        if kind == _TEXT and frame.fin and self._parts is None:
            self._whole(connection, frame.get_payload_as_bytes())
        elif kind == _CLOSE:
            self._answer_close(connection, transport, frame)
        elif not connection.outbox.closed and connection.counted(self._reception.now()):
            self._odd(connection, transport, frame)

    def _odd(self, connection: Connection, transport: WSTransport, frame: WSFrame) -> None:
        """Take a frame that is no whole text message."""
        kind = frame.msg_type
        if kind == _PING:
            # Who does not read our answers gets no more of them.
            if not connection.outbox.paused:
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind == _BINARY and frame.fin:
            connection.malformed("binary frames are not understood")
        elif kind == _TEXT or (kind == _MORE and self._parts is not None):
            self._gather(connection, frame)
        elif kind != _PONG:
            connection.outbox.close(_PROTOCOL_ERROR, "a frame out of place")

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
            # A polite end would wait for somebody who does not read.
            end = partial(self._transport.disconnect, graceful=False)
            asyncio.get_running_loop().call_later(_GOODBYE, end)

    def ping(self) -> None:
        """Send a ping frame."""
        if self._transport is not None:
            self._transport.send_ping()

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _answer_close(self, connection: Connection, transport: WSTransport, frame: WSFrame) -> None:
        if not connection.outbox.closed:
            connection.outbox.shut()
            transport.send_close(frame.get_close_code() or WSCloseCode.OK, b"")
        transport.disconnect()

    def _gather(self, connection: Connection, frame: WSFrame) -> None:
        if frame.msg_type == _TEXT:
            if self._parts is not None:
                connection.outbox.close(_PROTOCOL_ERROR, "a frame out of place")
                return
            self._parts = MessageFragments(frame, MAX_FRAME)
        elif self._parts is not None:
            self._parts.add(frame)
        assert self._parts is not None
        if self._parts.exceeds_limit:
            self._parts = None
            connection.outbox.close(_TOO_LONG, "message too long")
        elif frame.fin:
            whole, self._parts = self._parts.join(), None
            self._reception.arrived(connection, whole)

    def _whole(self, connection: Connection, message: bytes) -> None:
        if len(message) <= MAX_FRAME:
            self._reception.arrived(connection, message)
        elif self._path.skip_long_messages:
            self._reception.arrived(connection, _NOTHING)
        else:
            connection.outbox.close(_TOO_LONG, "message too long")


def native_path(hall: Hall) -> WebSocketPath:
    """Return how native clients connect."""
    return WebSocketPath(lambda transport: Connection(transport, Native(), hall))


def route(hall: Hall, path: WebSocketPath) -> Route:
    """Return the route of a WebSocket path."""
    return lambda _request: Listener(hall, path)
