"""Copies the tables of accounts and moderation of a damaged SQLite archive into the file that replaces it.

Their rows have no checksums. So they are copied only if SQLite finds no damage in any of these tables.
"""

from collections.abc import Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any, Final

from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.stores.moderation import moderation_tables
from qipai.stores.sql.sql_database import Query
from qipai.stores.sql.sqlite_database import SqliteDatabase
from qipai.stores.sqlite_log import page_sizes, read_log
from qipai.stores.sqlite_pages import PageFile

from . import account_tables
from .account_registry import ALL_TABLES

NAMES: Final = (*account_tables.NAMES, *moderation_tables.NAMES)
_COLUMNS: Final = "select name from pragma_table_info(?) order by cid"
Rows = dict[str, tuple[Sequence[str], Sequence[tuple[Any, ...]]]]
"""Columns and rows of each table."""


def copy_accounts(path: Path, new: Path) -> None:
    """Copy all tables of accounts and moderation; raise `StoreError` if they cannot be read."""
    try:
        rows = _read(path)
    except StoreError as error:
        if not _has_accounts(path):
            return
        raise StoreError(
            f"{path} was not repaired, because the accounts in it cannot be read ({error}): "
            "restore a backup with `qipai restore FILE`"
        ) from error
    with closing(SqliteDatabase(new, *ALL_TABLES)) as database:
        database.transaction(lambda query: _write(query, rows))


def _read(path: Path) -> Rows:
    if damage := read_log(path).damage:
        raise Damaged(damage)
    with closing(SqliteDatabase(path, account_tables.TABLES, update_schema=False)) as database:
        return database.transaction(
            lambda query: {table: _read_table(query, table) for table in NAMES if _exists(query, table)}
        )


def _exists(query: Query, table: str) -> bool:
    # An earlier release had no moderation.
    return bool(query("select 1 from sqlite_master where type = 'table' and name = ?", (table,)))


def _read_table(query: Query, table: str) -> tuple[Sequence[str], Sequence[tuple[Any, ...]]]:
    ((damage,), *_) = query("select * from pragma_integrity_check(?)", (table,))
    if damage != "ok":
        raise Damaged(f"{table}: {damage}")
    columns = [str(name) for (name,) in query(_COLUMNS, (table,))]
    return columns, query(f"select {', '.join(columns)} from {table}", ())  # noqa: S608 - the names are ours


def _write(query: Query, rows: Rows) -> None:
    for table, (columns, found) in rows.items():
        query(f"delete from {table}", ())  # noqa: S608 - a new database has a row in `account_counter`
        values = ", ".join("?" * len(columns))
        for row in found:
            query(f"insert into {table} ({', '.join(columns)}) values ({values})", row)  # noqa: S608


def _has_accounts(path: Path) -> bool:
    """Tell whether a file that SQLite cannot read has tables or rows of accounts."""
    for row in chain.from_iterable(PageFile(path, size).rows() for size in page_sizes(path)):
        if row.rowid is None:
            continue
        match row.values:
            case ("table", str(table), *_) if table in NAMES:
                return True
            case (str(), str(), str(), int(), int() | None, str()):  # `accounts`
                return True
            case (bytes(), str(), str(), str(), int(), int(), int()):  # `sessions`
                return True
            case (bytes(), str(), bytes(), int(), str(), int(), int()):  # `passkeys`
                return True
    return False
