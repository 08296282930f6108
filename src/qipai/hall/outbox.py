"""What waits to be read by one peer: bounded, and a reader that does not read is dropped."""

from typing import Final

from .ports import Wire

MAX_BEHIND: Final = 256 * 1024
SLOW_READER: Final = 4408


class Outbox:
    """Sends straight through while the peer keeps up; counts what piles up when it does not."""

    __slots__ = ("_behind", "_paused", "_wire", "closed")

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._paused = False
        self._behind = 0
        self.closed = False

    def send(self, frame: bytes) -> None:
        """Send a frame, or drop the peer when it is too far behind."""
        if self.closed:
            return
        if self._paused:
            self._behind += len(frame)
            if self._behind > MAX_BEHIND:
                self.abort()
                return
        self._wire.send(frame)

    def pause(self) -> None:
        """The socket's buffer is full."""
        self._paused = True

    def resume(self) -> None:
        """The socket's buffer has room again."""
        self._paused = False
        self._behind = 0

    def close(self, code: int, reason: str) -> None:
        """Say goodbye, once."""
        if not self.closed:
            self.closed = True
            self._wire.close(code, reason)

    def abort(self) -> None:
        """Drop the peer without a word."""
        self.closed = True
        self._wire.abort()

    def ping(self) -> None:
        """Ask the peer for a sign of life."""
        if not self.closed:
            self._wire.ping()
