"""Peers whose frames are counted by whole seconds: noise is free, and nobody is shut out for too much."""

from typing import Final, Protocol

from qipai.hall.connections.connection import Connection, ConnectionEvents
from qipai.hall.connections.rate_limit import FRAMES_PER_SECOND, RateLimit
from qipai.hall.connections.transport_interface import Transport
from qipai.kernel.codec import Malformed
from qipai.kernel.ids import Millis
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import Dialect
from qipai.protocol.notices import Refused

WINDOW: Final = 1_000
MOST: Final = 1_000
"""Frames of any kind in a second; what is beyond is not even looked at."""


class FiltersNoise(Dialect, Protocol):
    """A dialect whose clients make noise."""

    def counts_for_rate_limit(self, frame: bytes) -> bool:
        """Tell whether the frame would be answered, or do anything."""


class RateWindow(Connection):
    """A peer with a fixed number of frames in each second, which begins with the first that counts."""

    __slots__ = ("_busy", "_counted", "_ends", "_patient", "_seen")

    def __init__(self, wire: Transport, dialect: FiltersNoise, ear: ConnectionEvents) -> None:
        super().__init__(wire, dialect, ear, RateLimit(quiet=True))
        self._patient = dialect
        self._ends = self._busy = 0
        self._counted = self._seen = 0

    def receive(self, frame: bytes | None, now: Millis) -> None:
        """Take one text frame, as any connection does."""
        try:
            if frame is None:
                self.closed()
            elif not self.outbox.dismissed and self.counted(now):
                if now < self._ends and self._counted >= FRAMES_PER_SECOND:
                    self._refuse(frame, now)
                    return
                wishes = self.dialect.decode(frame)
                if not wishes:
                    return
                if now < self._ends:
                    self._counted += 1
                else:
                    self._ends = now + WINDOW
                    self._counted = 1
                for intent in wishes:
                    self.handlers[type(intent)](self, intent, now)
        except Malformed as error:
            self.malformed(str(error))
        except Exception as error:  # noqa: BLE001 - one peer must not take the server down
            self._ear.failed(self, error)

    def counted(self, now: Millis) -> bool:
        """Count a frame of any kind; tell whether it is looked at."""
        self.heard = True
        if now >= self._busy:
            self._busy = now + WINDOW
            self._seen = 0
        self._seen += 1
        return self._seen <= MOST

    def malformed(self, why: str, room: str = "", nonce: str = "") -> None:
        """Ignore what is no text: the dialect answers for the rest."""

    def _refuse(self, frame: bytes, now: Millis) -> None:
        if self._patient.counts_for_rate_limit(frame) and self.rate_limit.warn(now):
            self.send_notice(Refused(Refusal.RATE_LIMITED))
