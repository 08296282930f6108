"""Every wire protocol, by where its connections arrive."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qipai.kernel.talk import Dialect

from .native import Native
from .older import older

PATHS: Final[Mapping[str, Callable[[], Dialect]]] = MappingProxyType({"/play": Native})
"""By the path that a WebSocket is opened at."""
SOCKETS: Final[Mapping[str, Callable[[], Callable[[str], Dialect]]]] = MappingProxyType({"/": older})
"""By the namespace of a Socket.IO socket: what a server calls once, to have one made by a socket's id."""
