"""Rows of the tables of accounts and moderation, as they move from one database to another."""

from msgspec import Struct


class Binary(Struct, frozen=True):
    """Bytes in a column, such as the hash of a secret."""

    content: bytes


Value = str | int | float | Binary | None


class TableRows(Struct, frozen=True, tag_field="line", tag="rows"):
    """Rows of one table, with the names of their columns."""

    table: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
