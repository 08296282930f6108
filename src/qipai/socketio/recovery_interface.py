"""Interface for recovering a socket that was connected to another server."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from .socket import Socket
from .socketio_packets import EncodedEvent

MAX_PID_LENGTH: Final = 64


class RecoveredSocket(NamedTuple):
    """A socket of another server, with the events its client has missed.

    `on_recovered` is called when its client has been connected and sent the missed events.
    """

    sid: str
    missed_events: Sequence[EncodedEvent]
    on_recovered: Callable[[Socket], None]


class RecoveryUnavailable(Exception):
    """It cannot be known now whether a socket can be recovered."""


class RecoveryStore(Protocol):
    """The sockets of one namespace on all servers."""

    async def recover(self, pid: str, offset: str) -> RecoveredSocket | None:
        """Take a socket over from the server that has it; None if it cannot be recovered.

        Raise `RecoveryUnavailable` if that cannot be known now.
        """

    def extend(self, socket: Socket) -> None:
        """Extend the time that a socket is stored: its client is connected."""
