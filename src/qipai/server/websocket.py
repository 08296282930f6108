"""WebSockets: passes the frames of one socket to one connection of the hall."""

import asyncio
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Final, cast

from picows import (
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
    WSUpgradeResponse,
    WSUpgradeResponseWithListener,
)

from qipai.guard.client_address import upgrade_address
from qipai.guard.connection_limits import ConnectionLimits, Reason
from qipai.guard.timeouts import Timeouts
from qipai.hall.client_interface import WebSocketPath
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.connections.transport_interface import Transport
from qipai.hall.hall import Hall
from qipai.kernel.codec import MAX_FRAME
from qipai.protocol.native_codec import Native
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.uvicorn_picows import (
    MessageFragments,
    ReadLimit,
    Route,
    close_reply,
    forget_headers,
    limit_send_buffer,
)

from .accounts.session_cookie import session_token

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_MORE: Final = WSMsgType.CONTINUATION
_PING: Final = WSMsgType.PING
_PONG: Final = WSMsgType.PONG
_PROTOCOL_ERROR: Final = 1002
_TOO_LONG: Final = 1009
_SILENT: Final = 4408
_FORBIDDEN: Final = b"Pages of this origin may not connect: see the setting `origins`\n"
NATIVE_PATH: Final = "/play"
_EMPTY_MESSAGE: Final = b"{}"
"""Stands for a message above the limit, on paths where that must not close the connection."""
_CLOSE_TIMEOUT: Final = 1.0
"""Seconds for the client to answer a close frame; closing at once could discard the frame."""


def close_reason(text: str) -> bytes:
    """Return the reason of a close frame: valid UTF-8 of at most 123 bytes (RFC 6455, 5.5)."""
    return text.encode()[:123].decode(errors="ignore").encode()


class Listener(WSListener):
    """Passes frames between one socket and one connection of the hall."""

    def __init__(
        self, hall: Hall, path: WebSocketPath, address: str, cookies: str, first_frames: "FirstFrames"
    ) -> None:
        super().__init__()
        self._hall = hall
        self._path = path
        self._address = address
        self._cookies = cookies
        self._first_frames = first_frames
        self._transport: WSTransport | None = None
        self._connection: Connection | None = None
        self._fragments: MessageFragments | None = None
        self._has_sent_text = False
        self.send: Callable[[bytes], None]
        self._read_limit: ReadLimit

    # Called by picows

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Register the connection with the hall."""
        self._transport = transport
        limit_send_buffer(transport)
        forget_headers(transport)
        self.send = partial(transport.send, _TEXT)
        self._read_limit = ReadLimit(transport)
        self._connection = self._path.connect(self, self._address, self._cookies)
        self._hall.connected(self._connection)
        self._first_frames.timeouts.add(self)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a text message in one frame on; count and answer every other frame."""
        connection, kind = self._connection, frame.msg_type
        if connection is None:
            return
        if not frame.last_in_buffer and self._read_limit.count():
            connection.too_many_waiting()
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            # No extension that uses these bits was negotiated (RFC 6455, 5.2).
            connection.outbox.close(_PROTOCOL_ERROR, "reserved bits")
        elif kind == _TEXT and frame.fin and self._fragments is None:
            self._pass_on(connection, frame.get_payload_as_bytes())
        elif kind == _CLOSE:
            self._answer_close(connection, transport, frame)
        elif not connection.outbox.closed and connection.counted(self._hall.now()):
            self._control_frame(connection, transport, frame)

    def _control_frame(self, connection: Connection, transport: WSTransport, frame: WSFrame) -> None:
        """Handle a control frame, a binary frame or a fragment."""
        kind = frame.msg_type
        if kind == _PING:
            # A client that does not read receives no more pongs.
            if not connection.outbox.paused:
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind == _BINARY and frame.fin:
            connection.malformed("binary frames are not understood")
        elif kind == _TEXT or (kind == _MORE and self._fragments is not None):
            self._add_fragment(connection, frame)
        elif kind == _PONG:
            connection.pong(frame.get_payload_as_bytes(), self._hall.now())
        else:
            connection.outbox.close(_PROTOCOL_ERROR, "a frame out of place")

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell the hall that the socket is closed."""
        self._first_frames.timeouts.drop(self)
        if self._connection is not None:
            self._connection.outbox.stop()
            self._hall.arrived(self._connection, None)
        self._connection = None

    def pause_writing(self) -> None:
        """The send buffer is full."""
        if self._connection is not None:
            self._connection.outbox.pause()

    def resume_writing(self) -> None:
        """The send buffer has space again."""
        if self._connection is not None:
            self._connection.outbox.resume()

    def close_if_silent(self) -> bool:
        """Close a connection that has sent no text; tell whether it was one.

        Control frames do not count: ordinary libraries answer pings without the client.
        """
        if self._connection is None or self._has_sent_text:
            return False
        self._connection.outbox.close(_SILENT, "no frame was received")
        return True

    # Called by the hall

    def close(self, code: int, reason: str) -> None:
        """Send a close frame, and close the socket after the timeout."""
        if self._transport is not None:
            self._transport.send_close(cast(WSCloseCode, code), close_reason(reason))
            # A graceful end would wait for a client that does not read.
            disconnect = partial(self._transport.disconnect, graceful=False)
            asyncio.get_running_loop().call_later(_CLOSE_TIMEOUT, disconnect)

    def ping(self, payload: bytes) -> None:
        """Send a ping frame."""
        if self._transport is not None:
            self._transport.send_ping(payload)

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def pause_reading(self) -> None:
        """Read nothing more: the buffers fill, and the client cannot send."""
        self._read_limit.pause()

    def resume_reading(self) -> None:
        """Read again."""
        self._read_limit.resume()

    def _answer_close(self, connection: Connection, transport: WSTransport, frame: WSFrame) -> None:
        if not connection.outbox.closed:
            connection.outbox.stop()
            transport.send_close(close_reply(frame), b"")
        transport.disconnect()

    def _add_fragment(self, connection: Connection, frame: WSFrame) -> None:
        self._has_sent_text = True
        if frame.msg_type == _TEXT:
            if self._fragments is not None:
                connection.outbox.close(_PROTOCOL_ERROR, "a frame out of place")
                return
            self._fragments = MessageFragments(frame, MAX_FRAME)
        elif self._fragments is not None:
            self._fragments.add(frame)
        assert self._fragments is not None
        if self._fragments.exceeds_limit:
            self._fragments = None
            connection.outbox.close(_TOO_LONG, "message too long")
        elif frame.fin:
            message, self._fragments = self._fragments.join(), None
            self._hall.arrived(connection, message)

    def _pass_on(self, connection: Connection, message: bytes) -> None:
        self._has_sent_text = True
        if len(message) <= MAX_FRAME:
            self._hall.arrived(connection, message)
        elif self._path.skip_long_messages:
            self._hall.arrived(connection, _EMPTY_MESSAGE)
        else:
            connection.outbox.close(_TOO_LONG, "message too long")


def native_path(hall: Hall) -> WebSocketPath:
    """Return how native clients connect."""

    def connect(transport: Transport, address: str, cookies: str) -> Connection:
        return Connection(transport, Native(), hall, RateLimit(slows=True), address, session_token(cookies))

    return WebSocketPath(connect)


class FirstFrames:
    """Closes connections that send no frame in time: at all these paths the client speaks first."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self.timeouts: Timeouts[Listener] = Timeouts(limits.settings.first_frame_seconds, self._expired)

    def _expired(self, listener: Listener) -> None:
        if listener.close_if_silent():
            self._limits.count(Reason.FIRST_FRAME_TIME)


def route(hall: Hall, path: WebSocketPath, first_frames: FirstFrames, origins: AllowedOrigins) -> Route:
    """Return the route of a WebSocket path; pages of other origins are refused."""

    def listener(request: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        headers = request.headers
        if not origins.allows(headers.get("origin"), headers.get("host", "")):
            refusal = WSUpgradeResponse.create_error_response(HTTPStatus.FORBIDDEN, _FORBIDDEN)
            return WSUpgradeResponseWithListener(refusal, None)
        return Listener(hall, path, upgrade_address(headers), headers.get("cookie", ""), first_frames)

    return listener
