"""Outgoing frames of one connection: unsent bytes are limited, and a client that does not read is dropped."""

from collections.abc import Callable
from typing import Final

from .transport_interface import Transport

MAX_UNSENT: Final = 256 * 1024


class Outbox:
    """Sends directly while the client reads; counts the unsent bytes while it does not.

    `send` is the transport's own method while nothing is unsent, so that the common case costs nothing.
    """

    __slots__ = ("_transport", "_unsent", "closed", "closed_by_server", "paused", "send")

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._unsent = 0
        self.paused = False
        self.closed = False
        """Nothing more is sent."""
        self.closed_by_server = False
        """Whether the server closed it."""
        self.send: Callable[[bytes], None] = transport.send

    def pause(self) -> None:
        """The send buffer is full: count what is sent from now on."""
        if not self.closed:
            self.paused = True
            self.send = self._send_counted

    def resume(self) -> None:
        """The send buffer has space again."""
        if not self.closed:
            self._unsent = 0
            self.paused = False
            self.send = self._transport.send

    def close(self, code: int, reason: str) -> None:
        """Send a close frame and close, once."""
        if not self.closed:
            self.closed_by_server = True
            self.stop()
            self._transport.close(code, reason)

    def abort(self) -> None:
        """Close without a close frame."""
        if not self.closed:
            self.closed_by_server = True
            self.stop()
            self._transport.abort()

    def ping(self) -> None:
        """Send a ping."""
        if not self.closed:
            self._transport.ping()

    def stop(self) -> None:
        """Send nothing more: the socket is closed or closing."""
        self.closed = True
        self.send = _discard

    def _send_counted(self, frame: bytes) -> None:
        self._unsent += len(frame)
        if self._unsent > MAX_UNSENT:
            self.abort()
        else:
            self._transport.send(frame)


def _discard(_frame: bytes) -> None:
    """Discard a frame for a closed socket."""
