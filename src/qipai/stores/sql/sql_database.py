"""The SqlDatabase interface, and how its tables are created and migrated."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.stores.schema_number import Schema

T = TypeVar("T")
Query = Callable[[str, Sequence[Any]], Sequence[tuple[Any, ...]]]
"""Runs a statement with the placeholder `?`; returns its rows, none for a statement that has no result."""


class NotUnique(StoreError):
    """A row has a key that another row has already."""


class Tables(NamedTuple):
    """The tables of one part of the database. `name` is that of the table with their schema number.

    In `create` and in migrations `{bytes}` stands for a type of columns.
    """

    name: str
    schema: Schema[Query]
    create: Sequence[str]


class SqlDatabase(Protocol):
    """A database that stores rows. Every method may wait, and may raise `StoreError`."""

    @property
    def columns_of(self) -> str:
        """Return the query for the names of the columns of a table."""

    def transaction(self, work: Callable[[Query], T]) -> T:
        """Run `work` in one transaction, perhaps twice; raise `NotUnique` if a key is not."""

    def close(self) -> None:
        """Release the database."""


def prepare(query: Query, tables: Tables, has_table: str, types: dict[str, str], *, update: bool) -> None:
    """Create the tables in an empty database, or migrate an earlier schema; the caller has a transaction.

    `has_table` is a query that has a row if a table exists. Without `update`, raise `StoreError` if tables
    are missing or must be migrated: then nothing is written.
    """

    def run(sql: str, values: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
        return query(sql.format(**types), values)

    found = tables.schema.number
    exists = bool(query(has_table, (tables.name,)))
    if exists:
        rows = query(f"select schema from {tables.name}", ())  # noqa: S608 - the name is ours
        if len(rows) != 1 or not isinstance(rows[0][0], int):
            raise Damaged(f"{tables.name}: the number of its schema is damaged")
        found = rows[0][0]
    elif not update:
        raise StoreError(f"{tables.name}: start the server once to create the tables")
    if not tables.schema.is_earlier(tables.name, found, update=update) and not update:
        return
    for _, migrate in tables.schema.steps(found):
        migrate(run)
    if exists:
        query(f"update {tables.name} set schema = ?", (tables.schema.number,))  # noqa: S608
    else:
        query(f"create table {tables.name} (schema integer not null)", ())
        query(f"insert into {tables.name} values (?)", (tables.schema.number,))  # noqa: S608
    for statement in tables.create:
        run(statement, ())
