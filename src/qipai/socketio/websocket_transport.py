"""The pump for WebSockets: a picows listener for each, whether it began the session or takes it over."""

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
from .engineio_session import Request, Session
from .polling_transport import request_of
from .request_errors import FORBIDDEN, REQUEST, SESSION, RequestError, wrong
from .websocket_upgrade import MessageFragments, Route, bound_sending

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_MORE: Final = WSMsgType.CONTINUATION
_PING: Final = WSMsgType.PING
_GOODBYE: Final = 1.0
"""Seconds a peer has to answer our close; closing at once could destroy the close frame."""


class Link(WSListener):
    """Pumps frames between one WebSocket and one session."""

    def __init__(self, endpoint: SocketIO, request: Request, session: Session | None) -> None:
        super().__init__()
        self._endpoint = endpoint
        self._request = request
        self._session = session
        self._carries = session is None
        self._transport: WSTransport | None = None
        self._parts: MessageFragments | None = None
        self._paused = False
        self._text: Callable[[bytes], None] = self._probe
        self.send: Callable[[bytes], None]

    # What picows calls

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Begin a session, or offer to take one over."""
        self._transport = transport
        bound_sending(transport)
        self.send = partial(transport.send, _TEXT)
        if self._session is None:
            self._session = self._endpoint.open(self._request, self)
            self._text = self._session.receive
        elif not self._session.probe(self):
            self._session = None
            self.close()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a whole message on."""
        kind = frame.msg_type
        if kind == _TEXT and frame.fin and self._parts is None:
            self._text(frame.get_payload_as_bytes())
        elif kind == _CLOSE:
            transport.send_close(frame.get_close_code() or WSCloseCode.OK, b"")
            transport.disconnect()
        elif kind == _PING:
            # Who does not read our answers gets no more of them.
            if not self._paused:
                transport.send_pong(frame.get_payload_as_bytes())
        elif kind in {_TEXT, _BINARY, _MORE}:
            self._gather(frame)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell the session that its WebSocket is gone."""
        self._transport = None
        if self._session is not None:
            session, self._session = self._session, None
            session.lost(self)

    def pause_writing(self) -> None:
        """The peer reads slower than we write."""
        self._paused = True
        if self._session is not None and self._carries:
            self._session.pause()

    def resume_writing(self) -> None:
        """The peer has caught up."""
        self._paused = False
        if self._session is not None and self._carries:
            self._session.resume()

    # What the session calls

    def send_blob(self, blob: bytes) -> None:
        """Send a binary frame."""
        if self._transport is not None:
            self._transport.send(_BINARY, blob)

    def close(self) -> None:
        """Send a close frame, and close the socket a moment later."""
        self._session = None
        if self._transport is not None:
            self._transport.send_close(WSCloseCode.OK, b"")
            # A polite end would wait for somebody who does not read.
            end = partial(self._transport.disconnect, graceful=False)
            asyncio.get_running_loop().call_later(_GOODBYE, end)

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _probe(self, packet: bytes) -> None:
        session = self._session
        if session is not None and session.probed(self, packet):
            self._carries = True
            self._text = session.receive

    def _gather(self, frame: WSFrame) -> None:
        """Put a message together that is binary or came in several frames."""
        session = self._session
        if session is None:
            return
        if (frame.msg_type == _MORE) is (self._parts is None):
            session.close("transport error")
            return
        if self._parts is None:
            self._parts = MessageFragments(frame, self._endpoint.max_payload)
        else:
            self._parts.add(frame)
        if self._parts.too_long:
            session.close("transport error")
        elif frame.fin:
            parts, self._parts = self._parts, None
            if parts.kind == _TEXT:
                self._text(parts.whole())
            elif self._carries:
                session.receive_blob(parts.whole())
            else:
                self.close()


def route(endpoint: SocketIO) -> Route:
    """Return what listens to the WebSockets of this endpoint.

    Their frames must not be allowed to be longer than its `max_payload`; only messages of several
    frames are measured here.
    """

    def listener(upgrade: WSUpgradeRequest) -> WSListener | WSUpgradeResponseWithListener:
        query = upgrade.path.partition(b"?")[2].decode("latin-1")
        headers = {name.lower(): value for name, value in upgrade.headers.items()}
        request = request_of(query, headers)
        if not endpoint.origins.allows(request.origin, request.host):
            return _refusal(FORBIDDEN)
        if (problem := wrong(request.query, upgrade.method.decode("latin-1"), upgrade=True)) is not None:
            return _refusal(problem)
        if "sid" not in request.query:
            return Link(endpoint, request, None)
        session = endpoint.sessions.get(request.query["sid"])
        if session is None:
            return _refusal(SESSION)
        return _refusal(REQUEST) if session.upgraded else Link(endpoint, request, session)

    return listener


def _refusal(problem: RequestError) -> WSUpgradeResponseWithListener:
    response = WSUpgradeResponse.create_error_response(
        problem.status, problem.body, {"Content-Type": "application/json"}
    )
    return WSUpgradeResponseWithListener(response, None)
