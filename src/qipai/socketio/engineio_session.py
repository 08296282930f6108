"""One Engine.IO session: a state machine over polling, WebSocket and the upgrade."""

from collections.abc import Callable
from typing import Final, Protocol

from .engineio_packets import (
    CLOSE,
    MESSAGE,
    NOOP,
    PING_PROBE,
    PONG,
    PONG_PROBE,
    UPGRADE,
    BinaryMessage,
    Malformed,
    Packet,
    decode_payload,
    encode_payload,
)
from .session_interfaces import Handshake, SessionListener, WebSocketLink

MAX_BUFFERED: Final = 512 * 1024
"""Bytes that may wait to be read by the client; a session above that is closed."""


MAX_PACKETS_PER_PAYLOAD: Final = 16
"""Packets in the response to one poll; python-engineio's client refuses more."""
PARSE_ERROR: Final = "parse error"
FORCED_CLOSE: Final = "forced close"


class SessionTimers(Protocol):
    """Keeps the time-outs of sessions, and finds sessions by their ids."""

    def flush_soon(self, session: "Session") -> None:
        """Call `flush` at the end of this turn of the event loop."""

    def upgrade_started(self, session: "Session") -> None:
        """A WebSocket probes: call `cancel_probe` after the upgrade time-out."""

    def probe_succeeded(self, session: "Session") -> None:
        """The probe was answered: call `release_poll` until the upgrade is complete."""

    def upgrade_ended(self, session: "Session") -> None:
        """No WebSocket probes any more."""

    def session_closed(self, session: "Session") -> None:
        """The session is closed; if it `has_last_packets` a poll may still fetch them."""

    def remove_session(self, session: "Session") -> None:
        """The session need not be found any more."""


PollReply = Callable[[bytes | None], None]
"""Responds to a poll with a payload; None: the request was invalid."""


class Session:
    """A state machine without sockets and clocks.

    `send` is the present way to send a packet: into the buffer for the next poll, or directly to the
    WebSocket while that is writable.
    """

    __slots__ = (
        "__weakref__", "_buffer", "_buffered_bytes", "_post_in_progress", "_probing_websocket", "_timers",
        "_waiting_poll", "_websocket", "handshake", "listener", "send", "sid",
    )  # fmt: skip

    def __init__(
        self,
        sid: str,
        handshake: Handshake,
        timers: SessionTimers,
        listener: Callable[["Session"], SessionListener],
        websocket: WebSocketLink | None = None,
    ) -> None:
        self.sid = sid
        self.handshake = handshake
        self._timers = timers
        self._buffer: list[Packet] | None = None
        self._buffered_bytes = 0
        self._waiting_poll: PollReply | None = None
        self._post_in_progress = False
        self._probing_websocket: WebSocketLink | None = None
        self._websocket = websocket
        self.send: Callable[[bytes], None] = self._buffer_text if websocket is None else websocket.send
        self.listener: SessionListener | None = listener(self)

    @property
    def closed(self) -> bool:
        """Tell whether the session is closed."""
        return self.send is _discard

    @property
    def is_upgraded(self) -> bool:
        """Tell whether the session uses a WebSocket."""
        return self._websocket is not None

    @property
    def has_last_packets(self) -> bool:
        """Tell whether a closed session has packets that a poll may still fetch."""
        return self.closed and self._buffer is not None

    def send_binary(self, data: bytes) -> None:
        """Send a binary message."""
        if self.closed:
            return
        if self._websocket is None:
            self._buffer_packet(BinaryMessage(data))
        elif self.send == self._websocket.send or self._count_buffered(len(data)):
            self._websocket.send_binary(data)

    def close(self, reason: str, last_packet: bytes = CLOSE) -> None:
        """Close the session.

        A waiting poll receives `last_packet`, after all buffered packets if the server closes the session.
        """
        if self.closed:
            return
        self.send = _discard
        has_last_packets = self._websocket is None and reason == FORCED_CLOSE
        self._buffer = [*(self._buffer or ()), last_packet] if has_last_packets else None
        self._timers.session_closed(self)
        if has_last_packets:
            self.flush()
        else:
            self._answer_poll(last_packet)
        for websocket in (self._probing_websocket, self._websocket):
            if websocket is not None:
                websocket.close()
        self._probing_websocket = self._websocket = None
        if self.listener is not None:
            listener, self.listener = self.listener, None
            listener.on_close(reason)

    def receive(self, packet: bytes) -> None:
        """Receive one packet over the transport in use."""
        try:
            if self.listener is not None and packet.startswith(MESSAGE):
                self.listener.on_text(packet)
            else:
                self._dispatch(packet)
        except Malformed:
            self.close(PARSE_ERROR)

    def receive_binary(self, data: bytes) -> None:
        """Receive one binary message."""
        try:
            self._dispatch_binary(data)
        except Malformed:
            self.close(PARSE_ERROR)

    def _dispatch(self, packet: bytes) -> None:
        if self.listener is None:
            return
        if packet.startswith(MESSAGE):
            self.listener.on_text(packet)
        elif packet == PONG:
            self.listener.on_pong()
        elif packet == CLOSE:
            self.close("transport close", NOOP)
        elif packet != NOOP:
            raise Malformed("not a packet for a server")

    def _dispatch_binary(self, data: bytes) -> None:
        if self.listener is not None:
            self.listener.on_binary(data)

    # Long polling

    def poll(self, reply: PollReply) -> None:
        """Respond as soon as packets are buffered; a second poll closes the session."""
        if self._websocket is not None:
            reply(None)
        elif self._waiting_poll is not None:
            reply(None)
            self.close("transport error")
        else:
            self._waiting_poll = reply
            self.flush()

    def flush(self) -> None:
        """Respond to the waiting poll, if packets are buffered."""
        if self._buffer and self._waiting_poll is not None:
            packets, rest = self._buffer[:MAX_PACKETS_PER_PAYLOAD], self._buffer[MAX_PACKETS_PER_PAYLOAD:]
            self._buffer = rest or None
            self._buffered_bytes = sum(map(_packet_size, rest))
            self._answer_poll(encode_payload(packets))
            if self.closed and not rest:
                self._timers.remove_session(self)

    def poll_aborted(self, reply: PollReply) -> None:
        """The client has aborted a poll before its response."""
        if self._waiting_poll is reply:
            self._waiting_poll = None
            self.close("transport error")

    def start_post(self) -> bool:
        """Tell whether a payload may be read; a second concurrent POST closes the session."""
        if self._websocket is not None or self.closed:
            return False
        if self._post_in_progress:
            self.close("transport error")
            return False
        self._post_in_progress = True
        return True

    def finish_post(self, payload: bytes | None) -> bool:
        """Receive a payload, None if reading it failed; tell whether it was valid."""
        self._post_in_progress = False
        if payload is None or self.closed:
            self.close("transport error")
            return False
        try:
            for packet in decode_payload(payload):
                if isinstance(packet, BinaryMessage):
                    self._dispatch_binary(packet.body)
                else:
                    self._dispatch(packet)
        except Malformed:
            self.close(PARSE_ERROR)
            return False
        return True

    def _answer_poll(self, payload: bytes) -> None:
        reply, self._waiting_poll = self._waiting_poll, None
        if reply is not None:
            reply(payload)

    # WebSocket

    def start_probe(self, websocket: WebSocketLink) -> bool:
        """Let a WebSocket probe for the upgrade; tell whether it may."""
        if self.closed or self._websocket is not None or self._probing_websocket is not None:
            return False
        self._probing_websocket = websocket
        self._timers.upgrade_started(self)
        return True

    def receive_probe(self, websocket: WebSocketLink, packet: bytes) -> bool:
        """Receive a packet of a probing WebSocket; tell whether the upgrade is complete."""
        if self._probing_websocket is not websocket:
            websocket.close()
        elif packet == PING_PROBE:
            websocket.send(PONG_PROBE)
            self._timers.probe_succeeded(self)
            self.release_poll()
        elif packet == UPGRADE:
            self._probing_websocket, self._websocket = None, websocket
            self._timers.upgrade_ended(self)
            buffered, self._buffer, self._buffered_bytes = self._buffer or [], None, 0
            self._answer_poll(NOOP)
            self.send = websocket.send
            for each in buffered:
                if isinstance(each, BinaryMessage):
                    websocket.send_binary(each.body)
                else:
                    websocket.send(each)
            return True
        else:
            self.cancel_probe()
        return False

    def release_poll(self) -> None:
        """Respond to the waiting poll with a noop: the client upgrades only when no poll is waiting."""
        if self._probing_websocket is not None and not self._buffer:
            self._answer_poll(NOOP)

    def cancel_probe(self) -> None:
        """Stay with polling."""
        if self._probing_websocket is not None:
            websocket, self._probing_websocket = self._probing_websocket, None
            self._timers.upgrade_ended(self)
            websocket.close()

    def websocket_closed(self, websocket: WebSocketLink) -> None:
        """A WebSocket of this session is closed."""
        if self._probing_websocket is websocket:
            self._probing_websocket = None
            self._timers.upgrade_ended(self)
        elif self._websocket is websocket:
            self.close("transport close")

    def pause(self) -> None:
        """The write buffer of the WebSocket is full."""
        if self._websocket is not None:
            self.send = self._send_counted

    def resume(self) -> None:
        """The write buffer of the WebSocket has drained."""
        if self._websocket is not None:
            self._buffered_bytes = 0
            self.send = self._websocket.send

    def _send_counted(self, packet: bytes) -> None:
        if self._websocket is not None and self._count_buffered(len(packet)):
            self._websocket.send(packet)

    def _buffer_text(self, packet: bytes) -> None:
        self._buffer_packet(packet)

    def _buffer_packet(self, packet: Packet) -> None:
        if self._count_buffered(_packet_size(packet)):
            if self._buffer is None:
                self._buffer = []
                if self._waiting_poll is not None:
                    self._timers.flush_soon(self)
            self._buffer.append(packet)

    def _count_buffered(self, size: int) -> bool:
        """Count buffered bytes; close the session above the limit.

        A packet fits into an empty buffer, however large it is.
        """
        self._buffered_bytes += size
        if self._buffered_bytes <= MAX_BUFFERED or self._buffered_bytes == size:
            return True
        if self._websocket is not None:
            self._websocket.abort()
        self.close("transport error")
        return False


def _discard(_packet: bytes) -> None:
    """Discard a packet of a closed session."""


def _packet_size(packet: Packet) -> int:
    return len(packet.body) * 4 // 3 if isinstance(packet, BinaryMessage) else len(packet)
