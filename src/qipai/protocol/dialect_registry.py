"""Every wire protocol, by where its connections arrive."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, Protocol

from qipai.clients.client_detection import older
from qipai.clients.mahjong import mahjong
from qipai.clients.qtchess import qtchess

from .dialect_interface import Dialect
from .native import Native


class PathDialect(NamedTuple):
    """How the connections of a path are spoken with.

    A server calls `speak` once, to have a dialect made for each socket. `windows`: frames are counted
    by whole seconds, noise is not, and nobody is shut out for it; its dialects are `Patient`.
    """

    speak: Callable[[], Callable[[], Dialect]]
    windows: bool = False


class NamespaceDialects(Protocol):
    """Makes the dialect of each socket of a Socket.IO namespace."""

    def __call__(self, sid: str) -> Dialect:
        """Return the dialect of a new socket."""

    def game(self, dialect: Dialect) -> str:
        """Return the game that a socket has turned to."""

    def again(self, sid: str, game: str, number: int = 0, *, apart: bool = False) -> Dialect:
        """Return the dialect of a socket that was at another server."""


PATHS: Final[Mapping[str, PathDialect]] = MappingProxyType(
    {
        "/play": PathDialect(lambda: Native),
        "/": PathDialect(qtchess, windows=True),
        "/ws": PathDialect(mahjong, windows=True),
    }
)
"""By the path that a WebSocket is opened at."""
SOCKETS: Final[Mapping[str, Callable[[], NamespaceDialects]]] = MappingProxyType({"/": older})
"""By the namespace of a Socket.IO socket: what a server calls once, to have one made by a socket's id."""
