"""One client in one namespace; it outlives its connection for a while and knows what was missed."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from .engineio_session import Session
from .socketio_packets import EncodedEvent, Event, Kind, control, ending, offset_of, write

MAX_KEPT: Final = 512
MAX_KEPT_BYTES: Final = 256 * 1024

Answer = Callable[[list[Any]], None]


class Namespace(Protocol):
    """What an application does in one namespace."""

    def admit(self, socket: "Socket", auth: dict[str, Any]) -> None:
        """Let a client in, or raise `Refused`."""

    def connected(self, socket: "Socket", auth: dict[str, Any]) -> None:
        """A client has been told that it is in."""

    def heard(self, socket: "Socket", said: Event, raw: bytes, number: int | None) -> None:
        """A client sent an event: its name, then its arguments; `raw` is their JSON.

        With a number it waits for `socket.acknowledge(number, ...)`.
        """

    def cut(self, socket: "Socket") -> None:
        """The connection broke; the client may be back."""

    def back(self, socket: "Socket") -> None:
        """The client is back and has been sent what it missed."""

    def gone(self, socket: "Socket", reason: str) -> None:
        """The client has left for good."""


class Refused(Exception):
    """A client may not enter a namespace; it is told the message and the details."""

    def __init__(self, message: str, details: Any = None) -> None:
        super().__init__(message)
        self.message = message
        self.details = details


class SocketConnection(Protocol):
    """The connection that a socket is on."""

    @property
    def session(self) -> Session:
        """Return the session that packets go out on."""

    def remove(self, socket: "Socket", *, close: bool) -> None:
        """The socket is no longer on this connection."""


class EventEncoder(Protocol):
    """Makes events ready to be sent, each once for all its receivers."""

    def encode(self, event: str, *args: Any, namespace: str = "/") -> EncodedEvent:
        """Return an event for any number of receivers."""

    @property
    def marked(self) -> bytes:
        """Return the mark of what was stamped last."""

    @property
    def stamped(self) -> tuple[bytes, str, EncodedEvent]:
        """Return what was stamped last, where, and what became of it."""

    def stamp(self, payload: bytes, namespace: str) -> EncodedEvent:
        """Return an event whose JSON array is known."""

    def stamp_at(self, payload: bytes, namespace: str, mark: bytes) -> EncodedEvent:
        """Return an event whose JSON array is known and whose offset ends with a mark."""

    def give_up(self, socket: "Socket", reason: str) -> None:
        """The socket will not come back."""


class Socket:
    """A client in a namespace. Events are kept until it is known that they arrived."""

    __slots__ = (
        "__weakref__", "_acks", "_asked", "_base", "_kept", "_last", "_maker", "_marked", "_size", "carrier",
        "data", "entered", "namespace", "over", "path", "pid", "request", "session", "sid",
    )  # fmt: skip

    def __init__(
        self,
        maker: EventEncoder,
        namespace: Namespace,
        path: str,
        carrier: SocketConnection,
        sid: str,
        pid: str,
    ) -> None:
        self.namespace = namespace
        self.path = path
        self.sid = sid
        self.pid = pid
        """Secret of the client and the server; empty without recovery."""
        self.data: Any = None
        """Whatever the application wants to remember."""
        self.entered = False
        self.over = False
        self.request = carrier.session.request
        self.carrier: SocketConnection | None = carrier
        self.session: Session | None = carrier.session
        self._maker = maker
        self._kept: list[EncodedEvent] = []
        self._size = 0
        self._base = ""
        self._last: EncodedEvent | None = None
        self._marked = 0
        self._asked = 0
        self._acks: dict[int, Answer] | None = None

    # Sending

    def tell(self, payload: bytes) -> None:
        """Send an event whose JSON array is given; the same bytes told to others are encoded once."""
        maker = self._maker
        known, path, event = maker.stamped
        # The same words said twice to one client are two events, and each has its own offset.
        if known is not payload or path != self.path or event is self._last:
            event = maker.stamp(payload, self.path)
        self.send(event)

    def tell_at(self, payload: bytes, mark: bytes) -> None:
        """Send such an event with a mark in its offset, which the client returns with."""
        maker = self._maker
        known, path, event = maker.stamped
        if known is not payload or path != self.path or event is self._last or mark != maker.marked:
            event = maker.stamp_at(payload, self.path, mark)
        self.send(event)

    def send(self, event: EncodedEvent) -> None:
        """Send an event that may be on its way to others too."""
        text = event.text
        if self.pid:
            self._last = event
            self._kept.append(event)
            self._size += len(text)
            if self._size > MAX_KEPT_BYTES or len(self._kept) > MAX_KEPT:
                self._overflow()
        session = self.session
        if session is not None:
            session.send(text)
        if event.blobs:
            self._send_blobs(event)

    def emit(self, event: str, *args: Any) -> None:
        """Send an event to this client alone."""
        self.send(self._maker.encode(event, *args, namespace=self.path))

    def ask(self, event: str, *args: Any, answer: Answer) -> None:
        """Send an event and call `answer` with what the client acknowledges it with, if it does.

        Such an event is not repeated after a cut: it could be answered twice.
        """
        if self.session is not None:
            self._asked += 1
            self._acks = self._acks or {}
            self._acks[self._asked] = answer
            self._transmit(Kind.EVENT, [event, *args], self._asked)

    def acknowledge(self, number: int, *args: Any) -> None:
        """Answer an event that the client sent with this number."""
        self._transmit(Kind.ACK, list(args), number)

    def answered(self, number: int, args: list[Any]) -> None:
        """Take the client's acknowledgement; one that nobody asked for is nothing."""
        answer = (self._acks or {}).pop(number, None)
        if answer is not None:
            answer(args)

    def disconnect(self, *, close: bool = False) -> None:
        """Tell the client to go, and with `close` end its whole connection."""
        if self.session is not None:
            self.session.send(control(Kind.DISCONNECT, self.path))
        self.drop("server namespace disconnect", close=close)

    def drop(self, reason: str = "forced close", *, close: bool = True) -> None:
        """Forget the client: it cannot come back to this socket."""
        if self.carrier is not None:
            carrier, self.carrier, self.session = self.carrier, None, None
            carrier.remove(self, close=close)
        self._maker.give_up(self, reason)

    def _transmit(self, kind: Kind, value: list[Any], number: int) -> None:
        if self.session is not None:
            text, blobs = write(kind, value, self.path, number)
            self.session.send(text)
            for blob in blobs:
                self.session.send_blob(blob)

    def _send_blobs(self, event: EncodedEvent) -> None:
        for blob in event.blobs:
            self._size += len(blob)
            if self.session is not None:
                self.session.send_blob(blob)

    # Coming back

    def begin(self, offset: str) -> None:
        """Go on where a client has come to at another server."""
        self._base = offset

    def board(self, carrier: SocketConnection) -> None:
        """Go on with another connection."""
        self.carrier, self.session = carrier, carrier.session
        self._marked = 0

    def part(self) -> None:
        """The connection is gone; so is whoever waited for an answer on it."""
        self.carrier = self.session = None
        self._acks = None

    def mark(self) -> None:
        """A ping follows everything that was sent so far."""
        self._marked = len(self._kept)

    def arrived(self) -> None:
        """The ping was answered: what was sent before it need not be kept."""
        if self._marked:
            self._shed(self._marked)

    def missed(self, offset: str) -> list[EncodedEvent] | None:
        """Return what was sent after this offset, or None if that is not known any more."""
        if offset == self._base:
            return list(self._kept)
        end = ending(offset)
        for index in range(len(self._kept) - 1, -1, -1):
            if self._kept[index].text.endswith(end):
                return self._kept[index + 1 :]
        return None

    def replay(self, events: list[EncodedEvent]) -> None:
        """Send again what was missed."""
        for event in events:
            if self.session is not None:
                self.session.send(event.text)
                for blob in event.blobs:
                    self.session.send_blob(blob)

    def _overflow(self) -> None:
        if self.carrier is None:
            self.drop("overflow")
        else:
            self._shed(len(self._kept) // 2 or 1)

    def _shed(self, count: int) -> None:
        for event in self._kept[:count]:
            self._size -= event.size if event.blobs else len(event.text)
        self._base = offset_of(self._kept[count - 1])
        self._marked = max(0, self._marked - count)
        del self._kept[:count]
