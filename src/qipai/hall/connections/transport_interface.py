"""The Transport interface: send, ping, close and abort of one connection."""

from collections.abc import Callable
from typing import Protocol


class Transport(Protocol):
    """The transport of one connection."""

    @property
    def send(self) -> Callable[[bytes], None]:
        """Return what writes a frame to the socket, without waiting."""

    def close(self, code: int, reason: str) -> None:
        """Send a close frame and close."""

    def ping(self, payload: bytes) -> None:
        """Send a ping that the client answers with the same payload."""

    def abort(self) -> None:
        """Close at once, without a close frame."""

    def pause_reading(self) -> None:
        """Read nothing more from the socket, so that the client has to wait; little may still arrive."""

    def resume_reading(self) -> None:
        """Read from the socket again."""
