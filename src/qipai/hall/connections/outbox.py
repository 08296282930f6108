"""What waits to be read by one peer: bounded, and a reader that does not read is dropped."""

from collections.abc import Callable
from typing import Final

from .transport_interface import Transport

MAX_BEHIND: Final = 256 * 1024


class Outbox:
    """Sends straight through while the peer keeps up; counts what piles up when it does not.

    `send` is the present way to send: the wire's own while all is well, so that the common case
    costs nothing.
    """

    __slots__ = ("_behind", "_wire", "closed", "dismissed", "paused", "send")

    def __init__(self, wire: Transport) -> None:
        self._wire = wire
        self._behind = 0
        self.paused = False
        self.closed = False
        """Nothing more can be sent."""
        self.dismissed = False
        """It was we who ended it."""
        self.send: Callable[[bytes], None] = wire.send

    def pause(self) -> None:
        """The socket's buffer is full."""
        if not self.closed:
            self.paused = True
            self.send = self._pile

    def resume(self) -> None:
        """The socket's buffer has room again."""
        if not self.closed:
            self._behind = 0
            self.paused = False
            self.send = self._wire.send

    def close(self, code: int, reason: str) -> None:
        """Say goodbye, once."""
        if not self.closed:
            self.dismissed = True
            self.shut()
            self._wire.close(code, reason)

    def abort(self) -> None:
        """Drop the peer without a word."""
        if not self.closed:
            self.dismissed = True
            self.shut()
            self._wire.abort()

    def ping(self) -> None:
        """Ask the peer for a sign of life."""
        if not self.closed:
            self._wire.ping()

    def shut(self) -> None:
        """Send nothing more: the socket is gone or going."""
        self.closed = True
        self.send = _forget

    def _pile(self, frame: bytes) -> None:
        self._behind += len(frame)
        if self._behind > MAX_BEHIND:
            self.abort()
        else:
            self._wire.send(frame)


def _forget(_frame: bytes) -> None:
    """Nobody is there to read."""
