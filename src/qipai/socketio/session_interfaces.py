"""Interfaces between an Engine.IO session, its WebSocket and its listener; the handshake."""

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from .request_errors import RequestError


class Handshake(Struct, frozen=True):
    """What the first request of a session says, as `socket.handshake` in Socket.IO.

    `address`: that of the client, as the server in front of this endpoint says.
    """

    query: dict[str, str]
    host: str = ""
    origin: str | None = None
    cookie: str = ""
    """The cookies of the browser, with those that the response sets."""
    address: str = ""
    new_cookie: str = ""
    """The cookie that the response sets, with its attributes; empty for none."""


class SessionLimits(Protocol):
    """Limits how many polling sessions each address has. A WebSocket is a connection, which others count."""

    def enter(self, address: str) -> RequestError | None:
        """Count a polling session of an address; return why it must be refused, if so."""

    def leave(self, address: str) -> None:
        """Uncount a polling session that `enter` has counted: it is closed, or has a WebSocket now."""


class Unlimited:
    """Refuses no session."""

    def enter(self, address: str) -> RequestError | None:
        """Accept the session."""
        return None

    def leave(self, address: str) -> None:
        """Do nothing."""


class WebSocketLink(Protocol):
    """A WebSocket as a session uses it."""

    @property
    def send(self) -> Callable[[bytes], None]:
        """Send a text frame; never blocks."""

    def send_binary(self, data: bytes) -> None:
        """Send a binary frame; never blocks."""

    def close(self) -> None:
        """Close with a close frame."""

    def abort(self) -> None:
        """Drop the connection at once."""


class SessionListener(Protocol):
    """Receives the messages of a session."""

    def on_text(self, text: bytes) -> None:
        """Receive a text message including its packet type, or raise `Malformed`."""

    def on_binary(self, data: bytes) -> None:
        """Receive a binary message, or raise `Malformed`."""

    def on_pong(self) -> None:
        """Everything that was sent before the last ping has arrived."""

    def on_close(self, reason: str) -> None:
        """The session is closed."""
