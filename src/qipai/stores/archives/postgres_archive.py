"""Archive in PostgreSQL, for several machines."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

from qipai.stores.sql.postgres_database import HAS_TABLE, TYPES, PostgresDatabase
from qipai.stores.sql.sql_database import Query

from . import archive_tables
from .sql_archive import SqlArchive

T = TypeVar("T")


class PostgresArchive(SqlArchive):
    """Reconnects when the database was away."""

    def __init__(self, url: str, *, update_schema: bool = True) -> None:
        super().__init__()
        self._database = PostgresDatabase(url, partial(_prepare, update_schema=update_schema))

    def check(self) -> None:
        """Raise `StoreError` if the database cannot be reached."""
        self._query("select 1", ())

    def server_version(self) -> str:
        """Return the version of PostgreSQL."""
        return str(self._query("show server_version", ())[0][0])

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    def _transaction(self, work: Callable[[Query], T]) -> T:
        return self._database.transaction(work)

    def _query(self, sql: str, values: Sequence[Any]) -> list[tuple[Any, ...]]:
        return list(self._database.transaction(lambda query: query(sql, values)))


def _prepare(query: Query, *, update_schema: bool) -> None:
    archive_tables.prepare(
        query,
        HAS_TABLE,
        "the archive",
        bytes_type=TYPES["bytes"],
        flag_type=TYPES["flag"],
        keyed=TYPES["keyed"],
        update_schema=update_schema,
    )
