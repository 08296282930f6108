"""Registry of archives, by URL scheme.

A new archive is one module that implements `Archive`, and one entry in `ARCHIVES`. The contract tests in
tests/stores/test_archives.py run over every entry.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Final, Protocol

from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import StoreError

from .sqlite_archive import SqliteArchive

ARCHIVE_FILE: Final = "archive.db"
DEFAULT: Final = "sqlite"


class OpenArchive(Protocol):
    """Opens one kind of archive."""

    def __call__(self, folder: Path, url: str, *, update_schema: bool) -> Archive:
        """Return the archive at a URL, or raise `StoreError`."""


def open_archive(folder: Path, url: str, *, update_schema: bool = True) -> Archive:
    """Return the archive at a URL, or raise `StoreError`; an empty URL names a file in the data folder.

    With `update_schema` an archive of an earlier schema is migrated, without it is refused.
    """
    scheme = url.partition("://")[0] if url else DEFAULT
    if scheme not in ARCHIVES:
        others = " or ".join(f"{name}://" for name in ARCHIVES if name != DEFAULT)
        raise StoreError(f"archive {scheme!r}: expected a URL that begins with {others}")
    return ARCHIVES[scheme](folder, url, update_schema=update_schema)


def _open_sqlite(folder: Path, url: str, *, update_schema: bool) -> Archive:
    del url
    return SqliteArchive(folder / ARCHIVE_FILE, update_schema=update_schema)


def _open_postgres(folder: Path, url: str, *, update_schema: bool) -> Archive:
    del folder
    try:
        # Installed only with the extra `archive`.
        module = import_module("qipai.stores.archives.postgres_archive")
        archive: Archive = module.PostgresArchive(url, update_schema=update_schema)
    except ImportError as error:
        raise StoreError("an archive in PostgreSQL needs the extra `archive`: qipai[archive]") from error
    return archive


ARCHIVES: Final[Mapping[str, OpenArchive]] = MappingProxyType(
    {DEFAULT: _open_sqlite, "postgresql": _open_postgres}
)
