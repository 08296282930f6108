"""Measures the lag of one client: the time from a ping to its answer, as the server sees it."""

from secrets import token_bytes
from typing import Final

from qipai.kernel.ids import Millis

SAMPLES: Final = 3
"""Last answers of which the quickest counts: a busy moment of either side is no lag of the network."""
MAX_WAIT: Final = 10_000
"""Milliseconds for which a ping is measured; those that are sent meanwhile repeat its payload."""
_PAYLOAD_BYTES: Final = 4


class LagMeter:
    """Sends payloads that cannot be guessed, so that no client can answer a ping before it has arrived."""

    __slots__ = ("_payload", "_samples", "_sent")

    def __init__(self) -> None:
        self._payload = b""
        self._sent = Millis(0)
        self._samples: tuple[int, ...] = ()

    @property
    def is_settled(self) -> bool:
        """Tell whether enough answers were measured."""
        return len(self._samples) == SAMPLES

    def ping(self, now: Millis) -> bytes:
        """Return the payload of a ping that is sent now."""
        if not self._payload or now - self._sent >= MAX_WAIT:
            self._payload, self._sent = token_bytes(_PAYLOAD_BYTES), now
        return self._payload

    def pong(self, payload: bytes, now: Millis) -> int | None:
        """Return the lag in milliseconds after a pong with this payload, or None if none was measured yet."""
        if self._payload and payload == self._payload:
            self._payload = b""
            self._samples = (*self._samples, max(0, now - self._sent))[-SAMPLES:]
        return min(self._samples, default=None)
