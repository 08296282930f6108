"""Every store, by name."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from qipai.hall.ports import Store

from .memory import Memory
from .sqlite import Durability, Sqlite

STORES: Final[Mapping[str, Callable[[Path, Durability], Store]]] = MappingProxyType(
    {
        "memory": lambda _folder, _durability: Memory(),
        "sqlite": lambda folder, durability: Sqlite(folder / FILE, durability),
    }
)
FILE: Final = "qipai.db"
