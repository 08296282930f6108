"""Every wire protocol, by the path its WebSocket is opened at."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from qipai.kernel.talk import Dialect

from .native import Native

PATHS: Final[Mapping[str, Callable[[], Dialect]]] = MappingProxyType({"/play": Native})
