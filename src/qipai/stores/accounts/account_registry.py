"""Opens the database of accounts: the one of the archive, which is in SQLite or PostgreSQL."""

from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.journal.store_interface import Now, StoreError
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.moderation import moderation_tables
from qipai.stores.sql.sql_database import Query, SqlDatabase, prepare
from qipai.stores.sql.sqlite_database import MEMORY, SqliteDatabase

from . import account_tables
from .sql_accounts import SqlAccounts

POSTGRES: Final = "postgresql://"
ALL_TABLES: Final = (account_tables.TABLES, moderation_tables.TABLES)


def open_accounts(folder: Path | None, url: str, now: Now, *, update: bool = True) -> AccountStore:
    """Return the accounts at the URL of the archive, or raise `StoreError`.

    An empty URL names a file in the data folder. Without a folder the accounts are in memory.
    Without `update` tables are neither created nor migrated.
    """
    database: SqlDatabase
    if url.startswith(POSTGRES):
        try:
            # Installed only with the extra `archive`.
            module = import_module("qipai.stores.sql.postgres_database")
            prepared = partial(_prepare, has_table=module.HAS_TABLE, types=module.TYPES, update=update)
            database = module.PostgresDatabase(url, prepared)
        except ImportError as error:
            raise StoreError("accounts in PostgreSQL need the extra `archive`: qipai[archive]") from error
    else:
        path = MEMORY if folder is None else folder / ARCHIVE_FILE
        database = SqliteDatabase(path, *ALL_TABLES, update_schema=update)
    return SqlAccounts(database, now, has_archive=bool(url) or folder is not None)


def _prepare(query: Query, has_table: str, types: dict[str, str], *, update: bool) -> None:
    for tables in ALL_TABLES:
        prepare(query, tables, has_table, types, update=update)
