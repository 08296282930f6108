"""WebSocket transport for Engine.IO sessions, on picows."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Final

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

from .endpoint import SocketIO
from .engineio_session import Session
from .polling_transport import parse_handshake
from .request_errors import FORBIDDEN, UNKNOWN_SESSION, RequestError, request_error
from .session_interfaces import Handshake
from .uvicorn_picows import MessageFragments, ReadLimit, Route, close_reply, forget_headers, limit_send_buffer

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_CONTINUATION: Final = WSMsgType.CONTINUATION
_PING: Final = WSMsgType.PING
CLOSE_TIMEOUT: Final = 1.0
"""Seconds a client has to answer a close frame; closing at once could destroy the frame."""


class WebSocketConnection(WSListener):
    """Passes frames between one WebSocket and one session, which it opened or upgrades."""

    def __init__(self, endpoint: SocketIO, handshake: Handshake, session: Session | None) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._handshake = handshake
        self._session = session
        self._in_use = session is None
        self._transport: WSTransport | None = None
        self._fragments: MessageFragments | None = None
        self._paused = False
        self._on_text: Callable[[bytes], None] = self._on_probe
        self.send: Callable[[bytes], None]
        self._read_limit: ReadLimit

    # Called by picows

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Open a session, or probe for the upgrade of one."""
        self._transport = transport
        limit_send_buffer(transport)
        forget_headers(transport)
        self.send = partial(transport.send, _TEXT)
        self._read_limit = ReadLimit(transport)
        if self._session is None:
            self._session = self._endpoint.open_session(self._handshake, self)
            self._on_text = self._session.receive
        elif not self._session.start_probe(self):
            self._session = None
            self.close()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a whole message to the session."""
        kind = frame.msg_type
        if not frame.last_in_buffer and self._read_limit.count():
            if self._session is not None:
                self._session.close("transport error")
        elif frame.rsv1 or frame.rsv2 or frame.rsv3:
            self._on_reserved_bits(transport)
        elif kind == _TEXT and frame.fin and self._fragments is None:
            self._on_text(frame.get_payload_as_bytes())
        elif kind == _CLOSE:
            transport.send_close(close_reply(frame), b"")
            transport.disconnect()
        elif kind == _PING:
            # A client that does not read receives no further pongs.
            if not self._paused:
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind in {_TEXT, _BINARY, _CONTINUATION}:
            self._collect_fragments(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell the session that its WebSocket is closed."""
        self._transport = None
        if self._session is not None:
            session, self._session = self._session, None
            session.websocket_closed(self)

    def pause_writing(self) -> None:
        """The write buffer is full."""
        self._paused = True
        if self._session is not None and self._in_use:
            self._session.pause()

    def resume_writing(self) -> None:
        """The write buffer has drained."""
        self._paused = False
        if self._session is not None and self._in_use:
            self._session.resume()

    # Called by the session

    def send_binary(self, data: bytes) -> None:
        """Send a binary frame."""
        if self._transport is not None:
            self._transport.send(_BINARY, data)

    def close(self) -> None:
        """Send a close frame, and close the socket a moment later."""
        self._session = None
        if self._transport is not None:
            self._transport.send_close(WSCloseCode.OK, b"")
            # A graceful close would wait for a client that does not read.
            end = partial(self._transport.disconnect, graceful=False)
            asyncio.get_running_loop().call_later(CLOSE_TIMEOUT, end)

    def abort(self) -> None:
        """Drop the connection at once."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _on_reserved_bits(self, transport: WSTransport) -> None:
        """Close: no extension that uses these bits was negotiated (RFC 6455, 5.2)."""
        transport.send_close(WSCloseCode.PROTOCOL_ERROR, b"reserved bits")
        transport.disconnect()

    def _on_probe(self, packet: bytes) -> None:
        session = self._session
        if session is not None and session.receive_probe(self, packet):
            self._in_use = True
            self._on_text = session.receive

    def _collect_fragments(self, frame: WSFrame) -> None:
        """Collect a message that is binary or has several frames."""
        session = self._session
        if session is None:
            return
        if (frame.msg_type == _CONTINUATION) is (self._fragments is None):
            session.close("transport error")
            return
        if self._fragments is None:
            self._fragments = MessageFragments(frame, self._endpoint.max_payload)
        else:
            self._fragments.add(frame)
        if self._fragments.exceeds_limit:
            session.close("transport error")
        elif frame.fin:
            message, self._fragments = self._fragments, None
            if message.message_type == _TEXT:
                self._on_text(message.join())
            elif self._in_use:
                session.receive_binary(message.join())
            else:
                self.close()


def route(endpoint: SocketIO) -> Route:
    """Return the listener factory for the WebSockets of this endpoint.

    Frames above its `max_payload` must be refused before; only messages of several frames are measured here.
    """

    def listener(upgrade: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        query = upgrade.path.partition(b"?")[2].decode("latin-1")
        headers = {name.lower(): value for name, value in upgrade.headers.items()}
        # The server in front replaces this header in every upgrade request.
        address = headers.get("x-forwarded-for", "")
        handshake = parse_handshake(query, headers, address, endpoint.browser_cookie)
        if not endpoint.origins.allows(handshake.origin, handshake.host):
            return _refusal(FORBIDDEN)
        if (
            error := request_error(handshake.query, upgrade.method.decode("latin-1"), upgrade=True)
        ) is not None:
            return _refusal(error)
        if "sid" not in handshake.query:
            opened = WebSocketConnection(endpoint, handshake, None)
            if not handshake.new_cookie:
                return opened
            response = WSUpgradeResponse.create_101_response({"Set-Cookie": handshake.new_cookie})
            return WSUpgradeResponseWithListener(response, opened)
        session = endpoint.sessions.get(handshake.query["sid"])
        if session is None:
            return _refusal(UNKNOWN_SESSION)
        # A second WebSocket of an upgraded session is accepted and closed, as by the reference server.
        return WebSocketConnection(endpoint, handshake, session)

    return listener


def _refusal(error: RequestError) -> WSUpgradeResponseWithListener:
    response = WSUpgradeResponse.create_error_response(
        error.status, error.body, {"Content-Type": "application/json"}
    )
    return WSUpgradeResponseWithListener(response, None)
