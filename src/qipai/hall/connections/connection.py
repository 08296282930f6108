"""One client connection: its person, its rooms, its incoming and outgoing frames."""

from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from typing import Any, Protocol

from qipai.hall.failure_isolation import FailureIsolation
from qipai.kernel.codec import Malformed
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice, Dialect
from qipai.protocol.notices import Refused

from .lag_meter import LagMeter
from .outbox import Outbox
from .rate_limit import RateLimit
from .transport_interface import Transport

MALFORMED = 4400
SIGNED_OUT = 4401
BANNED = 4403
OVERLOAD = 4429
RESTARTING = 4503
BROKEN = 4500


Handlers = Mapping[type, Callable[["Connection", Any, Millis], None]]
"""What each type of intent does."""


class ConnectionEvents(Protocol):
    """What a connection calls: the handlers of its intents, and what happens to it."""

    @property
    def handlers(self) -> "Handlers":
        """Return the handlers for connections that were admitted."""

    @property
    def handlers_before_hello(self) -> "Handlers":
        """Return the handlers for connections that were not."""

    def disconnected(self, connection: "Connection") -> None:
        """The connection is closed."""

    def has_pending_intents(self, connection: "Connection") -> None:
        """The dialect of the connection has pending intents."""

    def slow_down(self, connection: "Connection", message: bytes) -> None:
        """A message is above the rate limit: handle it later, and read nothing meanwhile."""

    def failed(self, connection: "Connection", error: Exception) -> None:
        """An intent of the connection failed by a fault of the server."""


class Connection:
    """Turns frames into intents and runs their handlers; turns notices into frames.

    `handle` is the name by which other clients of the same transport may know it. While it is `detached`
    its transport is broken, and what is sent is kept for it. A failure ends this connection and no other.
    """

    __slots__ = (
        "__weakref__",
        "_events",
        "address",
        "answers_pings",
        "away",
        "bot",
        "detached",
        "dialect",
        "handle",
        "handlers",
        "lag",
        "lag_meter",
        "name",
        "outbox",
        "person",
        "rate_limit",
        "received",
        "rooms",
        "root",
        "session_key",
        "session_token",
        "silent_checks",
        "transport",
    )  # fmt: skip

    def __init__(
        self,
        transport: Transport,
        dialect: Dialect,
        events: ConnectionEvents,
        rate_limit: RateLimit | None = None,
        address: str = "",
        session_token: str = "",
    ) -> None:
        self._events = events
        self.session_token = session_token
        """The secret of the session of an account, as the browser sent it; not checked yet."""
        self.session_key = b""
        """The key of the session or API token that the connection was admitted with; empty for guests."""
        self.bot = False
        """Whether it was admitted with an API token: a program plays for a bot account."""
        self.address = address
        """The address of the client, as limits count it; empty if it is not known."""
        self.handlers: Handlers = events.handlers_before_hello
        self.dialect = dialect
        self.transport = transport
        self.outbox = Outbox(transport)
        self.rate_limit = rate_limit or RateLimit()
        self.handle = ""
        self.detached = False
        self.person: Person | None = None
        self.root: Person | None = None
        """The person that the transport proves; None for a new one."""
        self.name = ""
        self.rooms: dict[RoomId, Seat] = {}
        self.received = True
        """Whether anything was received since the last check of `KeepAlive`."""
        self.silent_checks = -1
        """Checks since then; -1 before the first."""
        self.answers_pings = False
        self.lag_meter = LagMeter()
        self.lag: int | None = None
        """Milliseconds from a ping to its answer; None until it is measured."""
        self.away = False
        """Whether its rooms were told that it is disconnected, because it does not answer."""

    @property
    def signed_in(self) -> bool:
        """Tell whether the connection belongs to an account."""
        return bool(self.session_key)

    def admitted(self, person: Person, name: str) -> None:
        """Belong to this person from now on, with every handler."""
        if self.person != person:
            self.handlers = self._events.handlers
        self.person, self.name = person, name

    # Incoming

    def receive(self, frame: bytes | None, now: Millis) -> None:
        """Handle one text frame that was read at this time; None means that the socket is closed."""
        try:
            if frame is None:
                self.closed()
            elif not self.outbox.closed_by_server and self.counted(now, frame):
                for intent in self.decode(frame, now):
                    self.handlers[type(intent)](self, intent, now)
        except Exception as error:  # noqa: BLE001 - one connection must not take the server down
            self.failed(error)

    def run_intents(self, intents: Iterable[AnyIntent], now: Millis) -> None:
        """Run the handlers of these intents."""
        with FailureIsolation(self.failed):
            for intent in intents:
                self.handlers[type(intent)](self, intent, now)

    async def guard(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a coroutine of this connection."""
        with FailureIsolation(self.failed):
            await work

    def decode(self, frame: bytes, _now: Millis) -> Sequence[AnyIntent]:
        """Return the intents of a frame that is within the rate limit, or raise `Malformed`."""
        return self.dialect.decode(frame)

    def counted(self, now: Millis, message: bytes | None = None) -> bool:
        """Count a frame of any kind; tell whether it is within the rate limit.

        If not, a `message` may be handled later.
        """
        self.received = True
        limit = self.rate_limit
        due = limit.due
        if due <= now:
            limit.due = now + limit.step
        elif due <= now + limit.slack:
            limit.due = due + limit.step
        else:
            self._too_fast(now, message)
            return False
        return True

    def ping(self, now: Millis) -> None:
        """Send a ping; the answer tells that the client is there, and its lag."""
        self.outbox.ping(self.lag_meter.ping(now))

    def pong(self, payload: bytes, now: Millis) -> None:
        """The client sent a pong."""
        self.answers_pings = True
        self.lag = self.lag_meter.pong(payload, now)

    def malformed(self, why: str, room: str = "", nonce: str = "") -> None:
        """Refuse a frame that is no message; too many of them close the connection."""
        if self.rate_limit.strike():
            self.send_notice(Refused(Refusal.MALFORMED, room, nonce, why[:200]))
        else:
            self.outbox.close(MALFORMED, "too many malformed frames")

    def closed(self) -> None:
        """The socket is closed."""
        self.outbox.stop()
        self._events.disconnected(self)

    def failed(self, error: Exception) -> None:
        """Report a fault of the server, or refuse a malformed frame."""
        if isinstance(error, Malformed):
            self.malformed(str(error), error.room, error.nonce)
        else:
            self._events.failed(self, error)

    def too_many_waiting(self) -> None:
        """Close the connection: its messages wait, and it has not stopped sending."""
        self.outbox.close(OVERLOAD, "too many frames")

    def _too_fast(self, now: Millis, message: bytes | None) -> None:
        if message is not None and self.rate_limit.slows:
            self.rate_limit.delayed += 1
            self._events.slow_down(self, message)
        elif self.rate_limit.flood(now):
            self.outbox.close(OVERLOAD, "too many frames")
        elif not self.rate_limit.slows and self.rate_limit.warn(now):
            self.send_notice(Refused(Refusal.RATE_LIMITED))

    # Outgoing

    def send_notice(self, notice: AnyNotice) -> None:
        """Send a notice in this connection's dialect."""
        for frame in self.dialect.encode(notice):
            self.outbox.send(frame)
        if self.dialect.pending_intents:
            self._events.has_pending_intents(self)

    def schedule_pending_intents(self) -> None:
        """Run the dialect's pending intents, after it encoded a notice by another way than `send_notice`."""
        self._events.has_pending_intents(self)
