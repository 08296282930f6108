"""Every wire protocol, by where its connections arrive."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qipai.kernel.talk import Dialect

from .native import Native
from .tictactoe import TicTacToe

PATHS: Final[Mapping[str, Callable[[], Dialect]]] = MappingProxyType({"/play": Native})
"""By the path that a WebSocket is opened at."""
SOCKETS: Final[Mapping[str, Callable[[str], Dialect]]] = MappingProxyType({"/": TicTacToe})
"""By the namespace of a Socket.IO socket; each is made with the socket's id."""
