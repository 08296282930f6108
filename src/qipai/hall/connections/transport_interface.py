"""The Transport interface: send, ping, close and abort of one connection."""

from collections.abc import Callable
from typing import Protocol


class Transport(Protocol):
    """One peer's connection, as the transport lends it."""

    @property
    def send(self) -> Callable[[bytes], None]:
        """Hand a frame to the socket; never waits."""

    def close(self, code: int, reason: str) -> None:
        """Say goodbye and close."""

    def ping(self) -> None:
        """Ask the peer for a sign of life."""

    def abort(self) -> None:
        """Drop the connection at once."""
