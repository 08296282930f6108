"""Every archive, by the beginning of its address."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import StoreError

from .sqlite_archive import SqliteArchive

FILE: Final = "archive.db"


def _postgres(_folder: Path, address: str) -> Archive:
    try:
        found: Archive = import_module("qipai.stores.archives.postgres_archive").PostgresArchive(address)
    except ImportError as error:
        raise StoreError("an archive in PostgreSQL needs the extra `archive`: qipai[archive]") from error
    return found


ARCHIVES: Final[Mapping[str, Callable[[Path, str], Archive]]] = MappingProxyType(
    {"sqlite": lambda folder, _address: SqliteArchive(folder / FILE), "postgresql": _postgres}
)


def open_archive(folder: Path, address: str) -> Archive:
    """Return the archive at an address, or raise `StoreError`; without one a file in the folder."""
    kind = address.partition("://")[0] if address else "sqlite"
    if kind not in ARCHIVES:
        raise StoreError(f"archive {kind!r}: expected an address that begins with postgresql://")
    return ARCHIVES[kind](folder, address)
