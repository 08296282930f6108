"""Registry of archives, by URL scheme.

A new archive is one module that implements `Archive`, and one entry in `ARCHIVES`. The contract tests in
tests/stores/test_archives.py run over every entry.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final

from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import StoreError

from .sqlite_archive import SqliteArchive

ARCHIVE_FILE: Final = "archive.db"
DEFAULT: Final = "sqlite"


def open_archive(folder: Path, url: str) -> Archive:
    """Return the archive at a URL, or raise `StoreError`; an empty URL names a file in the data folder."""
    scheme = url.partition("://")[0] if url else DEFAULT
    if scheme not in ARCHIVES:
        others = " or ".join(f"{name}://" for name in ARCHIVES if name != DEFAULT)
        raise StoreError(f"archive {scheme!r}: expected a URL that begins with {others}")
    return ARCHIVES[scheme](folder, url)


def _open_postgres(_folder: Path, url: str) -> Archive:
    try:
        # Installed only with the extra `archive`.
        archive: Archive = import_module("qipai.stores.archives.postgres_archive").PostgresArchive(url)
    except ImportError as error:
        raise StoreError("an archive in PostgreSQL needs the extra `archive`: qipai[archive]") from error
    return archive


ARCHIVES: Final[Mapping[str, Callable[[Path, str], Archive]]] = MappingProxyType(
    {
        DEFAULT: lambda folder, _url: SqliteArchive(folder / ARCHIVE_FILE),
        "postgresql": _open_postgres,
    }
)
