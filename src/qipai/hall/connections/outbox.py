"""Outgoing frames of one connection: unsent bytes are limited, and a client that does not read is dropped."""

from collections.abc import Callable, Sequence
from typing import Final

from .transport_interface import Transport

MAX_UNSENT: Final = 256 * 1024
MAX_DEFERRED: Final = 1_000
"""Deferred frames of one connection; a connection with more is dropped, and its client resumes."""


class Outbox:
    """Sends directly while the client reads; counts the unsent bytes while it does not.

    `send` is the transport's own method while nothing is unsent or deferred, so that the common case costs
    nothing. Frames that are sent after deferred ones wait for them: a connection has one order.
    """

    __slots__ = (
        "_deferred",
        "_send_now",
        "_transport",
        "_unsent",
        "closed",
        "closed_by_server",
        "paused",
        "send",
    )

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self._unsent = 0
        self._deferred: list[bytes] | None = None
        self.paused = False
        self.closed = False
        """Nothing more is sent."""
        self.closed_by_server = False
        """Whether the server closed it."""
        self._send_now: Callable[[bytes], None] = transport.send
        self.send: Callable[[bytes], None] = transport.send

    def pause(self) -> None:
        """The send buffer is full: count what is sent from now on."""
        if not self.closed:
            self.paused = True
            self._set_sender(self._send_counted)

    def resume(self) -> None:
        """The send buffer has space again."""
        if not self.closed:
            self._unsent = 0
            self.paused = False
            self._set_sender(self._transport.send)

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

    def ping(self, payload: bytes) -> None:
        """Send a ping."""
        if not self.closed:
            self._transport.ping(payload)

    def stop(self) -> None:
        """Send nothing more: the socket is closed or closing."""
        self.closed = True
        self._deferred = None
        self.send = self._send_now = _discard

    # Deferred frames

    def defer(self, frames: Sequence[bytes]) -> bool:
        """Keep frames until `send_deferred`; tell whether they are the first, so that it must be called."""
        if self.closed:
            return False
        if self._deferred is None:
            if not frames:
                return False
            self._deferred = [*frames]
            self.send = self._send_deferred
            return True
        for frame in frames:
            self._send_deferred(frame)
        return False

    def send_deferred(self) -> bool:
        """Send the oldest deferred frame; tell whether there are more."""
        deferred = self._deferred
        if deferred is None:
            return False
        frame = deferred.pop(0)
        if not deferred:
            self._deferred = None
            self.send = self._send_now
        self._send_now(frame)
        return self._deferred is not None

    def _set_sender(self, send: Callable[[bytes], None]) -> None:
        self._send_now = send
        if self._deferred is None:
            self.send = send

    def _send_deferred(self, frame: bytes) -> None:
        deferred = self._deferred
        if deferred is None:
            self._send_now(frame)
        elif len(deferred) < MAX_DEFERRED:
            deferred.append(frame)
        else:
            self.abort()

    def _send_counted(self, frame: bytes) -> None:
        self._unsent += len(frame)
        if self._unsent > MAX_UNSENT:
            self.abort()
        else:
            self._transport.send(frame)


def _discard(_frame: bytes) -> None:
    """Discard a frame for a closed socket."""
