"""One peer: who it is, where it sits, and how its frames come in and go out."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol

from qipai.kernel.codec import Malformed
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import AnyIntent, AnyNotice, Dialect
from qipai.protocol.notices import Refused

from .outbox import Outbox
from .rate_limit import STEP, RateLimit
from .transport_interface import Transport

MALFORMED = 4400
OVERLOAD = 4429
RESTARTING = 4503
BROKEN = 4500


Handlers = Mapping[type, Callable[["Connection", Any, Millis], None]]


class ConnectionEvents(Protocol):
    """What a connection calls: the handlers of its intents, and what happens to it."""

    @property
    def handlers(self) -> "Handlers":
        """Return the handlers for connections that were admitted."""

    @property
    def handlers_before_hello(self) -> "Handlers":
        """Return the handlers for connections that were not."""

    def disconnected(self, connection: "Connection") -> None:
        """The peer is no longer connected."""

    def has_pending_intents(self, connection: "Connection") -> None:
        """The peer's dialect has wishes."""

    def failed(self, connection: "Connection", error: Exception) -> None:
        """Hearing the peer failed, and not by its fault."""


class Connection:
    """A peer: its frames come in by `receive`, everything it is told goes out by `tell`.

    `deeds` says what each kind of intent does; it is another table before and after `hello`.
    `handle` is what other peers of its transport may know it by. While it is `absent` its
    transport is broken and what it is told is kept for it.
    """

    __slots__ = (
        "__weakref__",
        "_ear",
        "detached",
        "dialect",
        "handle",
        "handlers",
        "heard",
        "name",
        "outbox",
        "person",
        "rate_limit",
        "rooms",
        "root",
    )  # fmt: skip

    def __init__(
        self, wire: Transport, dialect: Dialect, ear: ConnectionEvents, pace: RateLimit | None = None
    ) -> None:
        self._ear = ear
        self.handlers: Handlers = ear.handlers_before_hello
        self.dialect = dialect
        self.outbox = Outbox(wire)
        self.rate_limit = pace or RateLimit()
        self.handle = ""
        self.detached = False
        self.person: Person | None = None
        self.root: Person | None = None
        """Who this is if nobody says otherwise; None for somebody new."""
        self.name = ""
        self.rooms: dict[RoomId, Seat] = {}
        self.heard = True

    def admitted(self, person: Person, name: str) -> None:
        """Belong to this person from now on, with every handler."""
        if self.person != person:
            self.handlers = self._ear.handlers
        self.person, self.name = person, name

    def receive(self, frame: bytes | None, now: Millis) -> None:
        """Take one text frame that was read at this moment; None means that the socket is gone."""
        try:
            if frame is None:
                self.closed()
            elif not self.outbox.dismissed and self.counted(now):
                for intent in self.dialect.decode(frame):
                    self.handlers[type(intent)](self, intent, now)
        except Malformed as error:
            self.malformed(str(error), error.room, error.nonce)
        except Exception as error:  # noqa: BLE001 - one peer must not take the server down
            self._ear.failed(self, error)

    def counted(self, now: Millis) -> bool:
        """Count a frame of any kind; tell whether it is within the limit."""
        self.heard = True
        pace = self.rate_limit
        due = pace.due
        if due <= now:
            pace.due = now + STEP
        elif due <= now + pace.slack:
            pace.due = due + STEP
        else:
            self._too_fast(now)
            return False
        return True

    def malformed(self, why: str, room: str = "", nonce: str = "") -> None:
        """Answer a frame that is no message; too many of them end the connection."""
        if self.rate_limit.strike():
            self.send_notice(Refused(Refusal.MALFORMED, room, nonce, why[:200]))
        else:
            self.outbox.close(MALFORMED, "too many malformed frames")

    def send_notice(self, notice: AnyNotice) -> None:
        """Send a notice in this peer's dialect."""
        for frame in self.dialect.encode(notice):
            self.outbox.send(frame)
        if self.dialect.pending_intents:
            self._ear.has_pending_intents(self)

    def wish(self) -> None:
        """Say that the dialect has wishes, after it was told something by another way than `tell`."""
        self._ear.has_pending_intents(self)

    def run_intents(self, wishes: Iterable[AnyIntent], now: Millis) -> None:
        """Do what the dialect wants by itself."""
        try:
            for intent in wishes:
                self.handlers[type(intent)](self, intent, now)
        except Exception as error:  # noqa: BLE001 - as in `receive`
            self._ear.failed(self, error)

    def closed(self) -> None:
        """The socket is gone."""
        self.outbox.shut()
        self._ear.disconnected(self)

    def _too_fast(self, now: Millis) -> None:
        if self.rate_limit.flood(now):
            self.outbox.close(OVERLOAD, "too many frames")
        elif self.rate_limit.warn(now):
            self.send_notice(Refused(Refusal.RATE_LIMITED))
