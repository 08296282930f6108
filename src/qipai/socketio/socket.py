"""One client in one namespace: emits, acknowledgements, recovery; and what an application implements."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, Protocol

from .engineio_session import Session
from .missed_events import NO_WHOLE_STATES, MissedEvents, WholeStates
from .socketio_packets import (
    EncodedEvent,
    Event,
    PacketType,
    encode_control,
    encode_packet,
    format_offset,
    packet_head,
)

MAX_PID_LENGTH: Final = 64
_OFFSET_ENDS: Final = tuple(b'%03x"]' % low for low in range(0x1000))
"""The end of an event, with the last three digits of its offset; formatting them would be slower."""
_NOTHING_ENCODED: Final[tuple[bytes, str, EncodedEvent]] = (b"", "", EncodedEvent(0, b""))

AckCallback = Callable[[list[Any]], None]


class Namespace(Protocol):
    """What an application does in one namespace."""

    def admit(self, socket: "Socket", auth: dict[str, Any]) -> None:
        """Admit a client, or raise `ConnectError`."""

    def on_connect(self, socket: "Socket", auth: dict[str, Any]) -> None:
        """A client is connected, and has been told so."""

    def on_event(self, socket: "Socket", event: Event, raw: bytes, ack_id: int | None) -> None:
        """A client sent an event: its name, then its arguments; `raw` is their JSON.

        With an `ack_id` the client waits for `socket.acknowledge(ack_id, ...)`.
        """

    def on_connection_lost(self, socket: "Socket") -> None:
        """The connection is lost; the client may recover it."""

    def on_recover(self, socket: "Socket") -> None:
        """The client has recovered its connection and was sent the missed events."""

    def on_disconnect(self, socket: "Socket", reason: str) -> None:
        """The socket is removed for good."""


class RecoveredSocket(NamedTuple):
    """A socket of another server, with the events its client has missed.

    `on_recovered` is called when its client has been connected and sent the missed events.
    """

    sid: str
    missed_events: Sequence[EncodedEvent]
    on_recovered: Callable[["Socket"], None]


class RecoveryUnavailable(Exception):
    """It cannot be known now whether a socket can be recovered."""


class RecoveryStore(Protocol):
    """The sockets of one namespace on all servers."""

    async def recover(self, pid: str, offset: str) -> RecoveredSocket | None:
        """Take a socket over from the server that has it; None if it cannot be recovered.

        Raise `RecoveryUnavailable` if that cannot be known now.
        """

    def extend(self, socket: "Socket") -> None:
        """Extend the time that a socket is stored: its client is connected."""


class ConnectError(Exception):
    """A client may not connect to a namespace; it receives the message and the details (CONNECT_ERROR)."""

    def __init__(self, message: str, details: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class SocketConnection(Protocol):
    """The connection of a socket."""

    @property
    def session(self) -> Session:
        """Return the session that sends the packets."""

    def remove(self, socket: "Socket", *, close: bool) -> None:
        """Remove a socket from this connection; with `close` the whole session is closed."""

    def ping_early(self) -> None:
        """Send the next ping now, unless one is not answered yet."""


class EventEncoder(ABC):
    """Encodes events, each once for all its receivers.

    With offsets, which clients send back to recover; some have the name of this `worker`.
    """

    def __init__(self, worker: str, *, has_offsets: bool) -> None:
        self._worker = worker.encode()
        self._has_offsets = has_offsets
        self._last_offset = 0
        self._offset_start = b',"0'
        self._packet_heads: dict[str, bytes] = {}
        self.last_encoded = self.earlier_encoded = _NOTHING_ENCODED
        """The last two encoded payloads, each with its namespace and its event."""
        self.last_suffix = b""
        """The offset suffix of the last one."""

    @abstractmethod
    def remove_socket(self, socket: "Socket", reason: str) -> None:
        """The socket cannot be recovered."""

    def encode(self, event: str, *args: Any, namespace: str = "/") -> EncodedEvent:
        """Return an event for any number of receivers in a namespace."""
        if not self._has_offsets:
            return EncodedEvent(0, *encode_packet(PacketType.EVENT, [event, *args], namespace))
        # What was encoded must not be reused: its offset is lower than that of this event.
        self.last_encoded = self.earlier_encoded = _NOTHING_ENCODED
        offset = self._next_offset()
        return EncodedEvent(
            offset, *encode_packet(PacketType.EVENT, [event, *args, format_offset(offset)], namespace)
        )

    def encode_payload(self, payload: bytes, namespace: str) -> EncodedEvent:
        """Return an event whose JSON array is given, and keep it for further receivers."""
        head = self._packet_heads.get(namespace)
        if head is None:
            head = self._packet_heads[namespace] = packet_head(PacketType.EVENT, namespace)
        if self._has_offsets:
            offset = self._next_offset()
            text = b"".join((head, payload[:-1], self._offset_start, _OFFSET_ENDS[offset & 0xFFF]))
            encoded = EncodedEvent(offset, text)
        else:
            encoded = EncodedEvent(0, head + payload)
        self.earlier_encoded = self.last_encoded
        self.last_encoded = (payload, namespace, encoded)
        return encoded

    def encode_payload_at(self, payload: bytes, namespace: str, suffix: bytes) -> EncodedEvent:
        """Return such an event whose offset has the name of this worker and a suffix."""
        self.last_suffix = suffix
        offset = self._next_offset()
        end = b',"%s.%s.%s"]' % (format_offset(offset).encode(), self._worker, suffix)
        encoded = EncodedEvent(offset, packet_head(PacketType.EVENT, namespace) + payload[:-1] + end)
        self.last_encoded = (payload, namespace, encoded)
        return encoded

    def _next_offset(self) -> int:
        self._last_offset = offset = self._last_offset + 1
        if not offset & 0xFFF:
            self._offset_start = b',"%x' % (offset >> 12)
        return offset


class Socket:
    """A client in a namespace; with recovery, events are buffered until a pong shows that they arrived."""

    __slots__ = (
        "__weakref__", "_ack_callbacks", "_encoder", "_last_ack_id", "_last_offset", "connected",
        "connection", "data", "handshake", "missed", "namespace", "path", "pid", "removed", "session", "sid",
    )  # fmt: skip

    def __init__(
        self,
        encoder: EventEncoder,
        namespace: Namespace,
        path: str,
        connection: SocketConnection,
        sid: str,
        pid: str,
        whole_states: WholeStates = NO_WHOLE_STATES,
    ) -> None:
        self.namespace = namespace
        self.path = path
        self.sid = sid
        self.pid = pid
        """Private id, a secret of client and server for recovery; empty without recovery."""
        self.data: Any = None
        """Free for the application."""
        self.connected = False
        self.removed = False
        self.handshake = connection.session.handshake
        self.connection: SocketConnection | None = connection
        self.session: Session | None = connection.session
        self._encoder = encoder
        self.missed = MissedEvents(whole_states)
        self._last_offset = -1
        """The offset of the last event sent."""
        self._last_ack_id = 0
        self._ack_callbacks: dict[int, AckCallback] | None = None

    # Sending

    def emit_payload(self, payload: bytes) -> None:
        """Send an event whose JSON array is given; the same bytes object is encoded once for all sockets."""
        encoder = self._encoder
        last_payload, path, event = encoder.last_encoded
        if last_payload is not payload:
            # Players of a room receive the same event in turn, each followed by one of their own.
            last_payload, path, event = encoder.earlier_encoded
        # The same payload twice to one client is two events, each with its own offset. Offsets only grow.
        if last_payload is not payload or path != self.path or event.offset <= self._last_offset:
            event = encoder.encode_payload(payload, self.path)
        self.send(event)

    def emit_payload_at(self, payload: bytes, suffix: bytes) -> None:
        """Send such an event with a suffix to its offset, which the client sends back to recover."""
        encoder = self._encoder
        last_payload, path, event = encoder.last_encoded
        if (
            last_payload is not payload
            or path != self.path
            or event.offset == self._last_offset
            or suffix != encoder.last_suffix
        ):
            event = encoder.encode_payload_at(payload, self.path, suffix)
        self.send(event)

    def send(self, event: EncodedEvent) -> None:
        """Send an encoded event, which other sockets may also send."""
        text, is_long = event.text, False
        if self.pid:
            self._last_offset = event.offset
            is_long = self.missed.add(event)
            if is_long and self.missed.shorten():
                self._overflow()
        session = self.session
        if session is not None:
            session.send(text)
        if event.attachments:
            self._send_attachments(event)
        if is_long and self.connection is not None and self.missed.has_many:
            self.connection.ping_early()

    def emit(self, event: str, *args: Any) -> None:
        """Send an event to this client alone."""
        self.send(self._encoder.encode(event, *args, namespace=self.path))

    def emit_with_ack(self, event: str, *args: Any, on_ack: AckCallback) -> None:
        """Send an event and call `on_ack` with the arguments of the client's acknowledgement, if it comes.

        Such an event is not sent again on recovery: it could be acknowledged twice.
        """
        if self.session is not None:
            self._last_ack_id += 1
            self._ack_callbacks = self._ack_callbacks or {}
            self._ack_callbacks[self._last_ack_id] = on_ack
            self._transmit(PacketType.EVENT, [event, *args], self._last_ack_id)

    def acknowledge(self, ack_id: int, *args: Any) -> None:
        """Acknowledge an event of the client."""
        self._transmit(PacketType.ACK, list(args), ack_id)

    def on_ack(self, ack_id: int, args: list[Any]) -> None:
        """Receive an acknowledgement; an unknown id is ignored."""
        callback = (self._ack_callbacks or {}).pop(ack_id, None)
        if callback is not None:
            callback(args)

    def disconnect(self, *, close: bool = False) -> None:
        """Disconnect the client from the namespace, with `close` from the server."""
        if self.session is not None:
            self.session.send(encode_control(PacketType.DISCONNECT, self.path))
        self.drop("server namespace disconnect", close=close)

    def drop(self, reason: str = "forced close", *, close: bool = True) -> None:
        """Remove the socket: it cannot be recovered."""
        if self.connection is not None:
            connection, self.connection, self.session = self.connection, None, None
            connection.remove(self, close=close)
        self._encoder.remove_socket(self, reason)

    def _transmit(self, packet_type: PacketType, arguments: list[Any], ack_id: int) -> None:
        if self.session is not None:
            text, attachments = encode_packet(packet_type, arguments, self.path, ack_id)
            self.session.send(text)
            for attachment in attachments:
                self.session.send_binary(attachment)

    def _send_attachments(self, event: EncodedEvent) -> None:
        for attachment in event.attachments:
            if self.session is not None:
                self.session.send_binary(attachment)

    # Connection state recovery

    def attach(self, connection: SocketConnection) -> None:
        """Continue on another connection."""
        self.connection, self.session = connection, connection.session
        self.missed.reconnected()

    def detach(self) -> None:
        """The connection is lost, and with it all pending acknowledgements."""
        self.connection = self.session = None
        self._ack_callbacks = None

    def replay(self, events: list[EncodedEvent]) -> None:
        """Send missed events again."""
        for event in events:
            if self.session is not None:
                self.session.send(event.text)
                for attachment in event.attachments:
                    self.session.send_binary(attachment)

    def _overflow(self) -> None:
        if self.connection is None:
            self.drop("overflow")
        else:
            self.missed.drop_half()
