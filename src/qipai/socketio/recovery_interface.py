"""Where servers that share their clients leave what another one needs to go on with a socket."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, Protocol

from .socket import Socket
from .socketio_packets import EncodedEvent

MAX_PID: Final = 64


class RecoveredSocket(NamedTuple):
    """A socket that was at another server: what its client has missed, and how it goes on here.

    `revive` is called once its client has been told that it is back and been sent what it missed.
    """

    sid: str
    missed: Sequence[EncodedEvent]
    revive: Callable[[Socket], None]


class RecoveryStore(Protocol):
    """All sockets of all servers."""

    def seek(
        self,
        pid: str,
        path: str,
        offset: str,
        then: Callable[[RecoveredSocket | None], None],
        sorry: Callable[[], None],
    ) -> None:
        """Take a socket over from wherever it was; None if it cannot be gone on with.

        `sorry` is called if nothing can be known now.
        """

    def prolong(self, socket: Socket) -> None:
        """The socket is alive."""
