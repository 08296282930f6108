"""Reads all rows of accounts and moderation, and writes them into another database."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from qipai.hall.accounts.account_copy_interface import Binary, TableRows, Value
from qipai.hall.journal.store_interface import StoreError
from qipai.stores.moderation import moderation_tables
from qipai.stores.sql.sql_database import Query

from . import account_tables

TABLES: Final = (*account_tables.NAMES, *moderation_tables.NAMES)
_AT_ONCE: Final = 1_000
"""Rows of one part."""
_COUNTERS: Final = frozenset({"account_counter", "moderation_counters"})
"""Tables that have rows in a new database; those of the copy replace them."""


def read(query: Query, columns_of: str) -> Sequence[TableRows]:
    """Return the rows of all tables, in parts; `columns_of` is the query for the columns of a table."""
    return [part for table in TABLES for part in _read_table(query, table, columns_of)]


def _read_table(query: Query, table: str, columns_of: str) -> Iterator[TableRows]:
    columns = tuple(str(name) for (name,) in query(columns_of, (table,)))
    rows = query(f"select {', '.join(columns)} from {table}", ())  # noqa: S608 - the names are ours
    for first in range(0, len(rows), _AT_ONCE):
        part = rows[first : first + _AT_ONCE]
        yield TableRows(table, columns, tuple(tuple(map(_plain, row)) for row in part))


def write(query: Query, part: TableRows, columns_of: str) -> None:
    """Write rows into a table; raise `StoreError` if it is not one of ours, or has no such columns."""
    known = {str(name) for (name,) in query(columns_of, (part.table,))} if part.table in TABLES else set()
    if not part.columns or not set(part.columns) <= known:
        raise StoreError(f"the table {part.table!r} has other columns in this release")
    if part.table in _COUNTERS:
        query(f"delete from {part.table}", ())  # noqa: S608 - one of ours
    values = ", ".join("?" * len(part.columns))
    insert = f"insert into {part.table} ({', '.join(part.columns)}) values ({values})"  # noqa: S608 - ours
    for row in part.rows:
        if len(row) != len(part.columns):
            raise StoreError(f"a row of the table {part.table!r} is not complete")
        query(insert, tuple(each.content if isinstance(each, Binary) else each for each in row))


def is_empty(query: Query) -> bool:
    """Tell whether there are neither accounts nor acts of operators."""
    return not any(
        query(f"select 1 from {table} limit 1", ())  # noqa: S608 - the names are ours
        for table in ("accounts", "deleted_persons", "operator_log", "reports")
    )


def _plain(value: Any) -> Value:
    return Binary(bytes(value)) if isinstance(value, bytes | memoryview) else value
