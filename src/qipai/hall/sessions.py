"""One peer: who it is, where it sits, and how its frames come in and go out."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from qipai.kernel.codec import Malformed
from qipai.kernel.names import Millis, Person, RoomId, Seat
from qipai.kernel.rules import Refusal
from qipai.kernel.talk import Denied, Dialect, Notice

from .limits import FLOOD, FRAMES_PER_SECOND, Pace
from .outbox import Outbox
from .ports import Wire

MALFORMED = 4400
OVERLOAD = 4429
RESTARTING = 4503
BROKEN = 4500


Deeds = Mapping[type, Callable[["Connection", Any, Millis], None]]


class Ear(Protocol):
    """Whoever acts on intents."""

    @property
    def strangers(self) -> "Deeds":
        """Return what is done for a peer that has not said who it is."""

    def gone(self, peer: "Connection") -> None:
        """The peer is no longer connected."""

    def broke(self, peer: "Connection", error: Exception) -> None:
        """Hearing the peer failed, and not by its fault."""


class Connection:
    """A peer: its frames come in by `receive`, everything it is told goes out by `tell`.

    `deeds` says what each kind of intent does; it is another table before and after `hello`.
    """

    __slots__ = (
        "__weakref__", "_ear", "deeds", "dialect", "heard", "name", "outbox", "pace", "person", "places",
    )  # fmt: skip

    def __init__(self, wire: Wire, dialect: Dialect, ear: Ear) -> None:
        self._ear = ear
        self.deeds: Deeds = ear.strangers
        self.dialect = dialect
        self.outbox = Outbox(wire)
        self.pace = Pace()
        self.person: Person | None = None
        self.name = ""
        self.places: dict[RoomId, Seat] = {}
        self.heard = True

    def receive(self, frame: bytes | None, now: Millis) -> None:
        """Take one text frame that was read at this moment; None means that the socket is gone."""
        try:
            if frame is None:
                self.lost()
            elif not self.outbox.dismissed:
                self._hear(frame, now)
        except Malformed as error:
            self.malformed(str(error))
        except Exception as error:  # noqa: BLE001 - one peer must not take the server down
            self._ear.broke(self, error)

    def _hear(self, frame: bytes, now: Millis) -> None:
        if self.counted(now):
            for intent in self.dialect.hear(frame):
                self.deeds[type(intent)](self, intent, now)

    def counted(self, now: Millis) -> bool:
        """Count a frame of any kind; tell whether it is within the limit."""
        self.heard = True
        pace = self.pace
        if now >= pace.until:
            pace.turn(now)
        pace.count += 1
        if pace.count > FRAMES_PER_SECOND:
            self._too_fast()
            return False
        return True

    def malformed(self, why: str) -> None:
        """Answer a frame that is no message; too many of them end the connection."""
        if self.pace.strike():
            self.tell(Denied(Refusal.MALFORMED, about=why[:200]))
        else:
            self.outbox.close(MALFORMED, "too many malformed frames")

    def tell(self, notice: Notice) -> None:
        """Send a notice in this peer's dialect."""
        for frame in self.dialect.say(notice):
            self.outbox.send(frame)

    def lost(self) -> None:
        """The socket is gone."""
        self.outbox.shut()
        self._ear.gone(self)

    def _too_fast(self) -> None:
        if self.pace.count > FLOOD:
            self.outbox.close(OVERLOAD, "too many frames")
        elif not self.pace.warned:
            self.pace.warned = True
            self.tell(Denied(Refusal.RATE_LIMITED))
