"""WebSocket frames by picows, on the port that uvicorn listens on."""

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from picows import (
    WSAutoPingStrategy,
    WSCloseCode,
    WSFrame,
    WSListener,
    WSMsgType,
    WSTransport,
    WSUpgradeRequest,
)
from picows.picows import WSProtocol  # type: ignore[attr-defined]

from qipai.hall.reception import Reception
from qipai.hall.sessions import Connection
from qipai.kernel.codec import MAX_FRAME
from qipai.kernel.talk import Dialect

_TEXT: Final = WSMsgType.TEXT
_BINARY: Final = WSMsgType.BINARY
_CLOSE: Final = WSMsgType.CLOSE
_MORE: Final = WSMsgType.CONTINUATION
_quiet: Final = logging.getLogger("qipai.websocket")
_quiet.setLevel(logging.ERROR)


class Listener(WSListener):
    """Pumps frames between one socket and one connection of the hall."""

    def __init__(self, reception: Reception, dialect: Dialect) -> None:
        super().__init__()
        self._reception = reception
        self._dialect = dialect
        self._transport: WSTransport | None = None
        self._peer: Connection | None = None
        self._parts: list[bytes] = []
        self.send: Callable[[bytes], None]

    # What picows calls

    def on_ws_connected(self, transport: WSTransport) -> None:
        """Introduce the peer to the hall."""
        self._transport = transport
        self.send = partial(transport.send, _TEXT)
        self._peer = Connection(self, self._dialect, self._reception)
        self._reception.welcome(self._peer)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Pass a whole text message on; refuse everything else politely."""
        peer = self._peer
        if peer is None or peer.outbox.closed:
            return
        kind = frame.msg_type
        if kind == _TEXT and frame.fin:
            peer.receive(frame.get_payload_as_bytes())
        elif kind in (_TEXT, _MORE):
            self._gather(peer, frame)
        elif kind == _BINARY:
            peer.receive(b"")  # No dialect here understands binary; nothing is no message either.
        elif kind == _CLOSE:
            peer.outbox.shut()
            transport.send_close(frame.get_close_code(), b"")
            transport.disconnect()
        else:
            peer.heard = True

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """Tell the hall that the socket is gone."""
        if self._peer is not None:
            self._peer.lost()
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
            self._transport.send_close(WSCloseCode(code), reason.encode()[:120])
            self._transport.disconnect()

    def ping(self) -> None:
        """Send a ping frame."""
        if self._transport is not None:
            self._transport.send_ping()

    def abort(self) -> None:
        """Drop the socket."""
        if self._transport is not None:
            self._transport.disconnect(graceful=False)

    def _gather(self, peer: Connection, frame: WSFrame) -> None:
        """Put a message together that came in several frames (RFC 6455, 5.4)."""
        self._parts.append(frame.get_payload_as_bytes())
        if sum(map(len, self._parts)) > MAX_FRAME:
            self._parts = []
            peer.outbox.close(1009, "message too long")
        elif frame.fin:
            whole, self._parts = b"".join(self._parts), []
            peer.receive(whole)


def protocol_class(reception: Reception, paths: Mapping[str, Callable[[], Dialect]]) -> type:
    """Return a class that uvicorn upgrades a connection to."""

    def listener(request: WSUpgradeRequest) -> Listener | None:
        dialect = paths.get(request.path.split(b"?", 1)[0].decode("latin-1"))
        return None if dialect is None else Listener(reception, dialect())

    class Upgraded(WSProtocol):  # type: ignore[misc]
        """picows' protocol with the constructor and the entry that uvicorn expects."""

        def __init__(self, config: Any, server_state: Any, app_state: Any, _loop: Any = None) -> None:
            super().__init__(
                None,  # host and port
                None,  # path
                False,  # client side
                listener,
                _quiet,
                True,  # disconnect on an exception
                5,  # seconds for the handshake
                False,  # automatic pings: one sweep in the hall serves all connections
                20,
                20,
                WSAutoPingStrategy.PING_WHEN_IDLE,
                True,  # automatic pongs
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
