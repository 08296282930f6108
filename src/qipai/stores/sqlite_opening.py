"""Prepares the file of a SQLite journal: creates its tables, migrates an earlier schema, repairs damage."""

import os
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

import structlog

from qipai.hall.journal.store_interface import StoreError

from . import sqlite_schema
from .sqlite_files import SIDE_FILES, SQLITE_ERRORS, connect, find_damage, shows_damage, transaction
from .sqlite_log import log_file, read_log
from .sqlite_repair import repair
from .sqlite_schema import SELECT_META, check_tables, create_tables, is_sound_meta, read_schema, write_meta

_log = structlog.get_logger("qipai.stores")


def prepare_file(path: Path, *, update: bool) -> None:
    """Make a file ready for a server, or raise `StoreError`; without `update` only a new file is changed."""
    for side in SIDE_FILES:
        beside = path.with_name(path.name + side)
        if beside.exists() and not os.access(beside, os.W_OK):
            # SQLite would call the file itself read-only, as if its header were damaged.
            raise StoreError(f"{beside}: is not writable for this user")
    # SQLite would read a damaged log up to the damage, and delete it.
    log = read_log(path)
    if log.missing:
        _log.error(
            "journal cut short",
            cause=log.damage,
            effect="the last moments of some tables are lost, as after a power failure",
        )
    damage = log.damage if log.is_damaged else _prepare(path, update=update)
    del log
    if not damage:
        return
    if not update:
        raise StoreError(
            f"{path}: is damaged ({damage}): start the server, which sets the damaged tables aside, "
            "or restore a backup with `qipai restore FILE`"
        )
    report = repair(path, datetime.now(UTC).strftime("%Y%m%d-%H%M%S"))
    _log.error(
        "journal repaired",
        damage=damage,
        damaged_file=str(report.damaged_file),
        rooms=report.rooms,
        set_aside=len(report.quarantined),
    )
    if report.secret_lost:
        _log.error("signing key lost", effect="players get new identities and lose their seats")
    if damage := _prepare(path, update=update):
        raise StoreError(f"{path}: is damaged and cannot be repaired: {damage}")


def is_empty(path: Path) -> bool:
    """Tell whether a file exists and has nothing in it, not even in its write-ahead log."""
    wal = log_file(path)
    return path.is_file() and not path.stat().st_size and not (wal.is_file() and wal.stat().st_size)


def _prepare(path: Path, *, update: bool) -> str:
    """Prepare a file and return an empty text, or what is damaged in it."""
    try:
        with closing(connect(path)) as connection:
            (tables,) = connection.execute("select count(*) from sqlite_master").fetchone()
            (pages,) = connection.execute("pragma page_count").fetchone()
            if not tables and pages <= 1:
                connection.execute("pragma auto_vacuum = incremental")
                with transaction(connection):
                    create_tables(connection)
                    write_meta(connection, "schema", sqlite_schema.SCHEMA.number)
                return ""
            # A damaged header may forbid to write: SQLite says so when something is written.
            connection.execute("begin")
            connection.execute("pragma user_version = 0")
            connection.execute("rollback")
            return find_damage(connection) or _prepare_schema(connection, path, update=update)
    except SQLITE_ERRORS as error:
        if shows_damage(error):
            return str(error)
        raise StoreError(f"{path}: {error}") from error


def _prepare_schema(connection: sqlite3.Connection, path: Path, *, update: bool) -> str:
    """Migrate a file of an earlier schema; return what is damaged, or an empty text."""
    found = _stored_schema(connection, path)
    if found is None:
        return "the number of its schema"
    schema = sqlite_schema.SCHEMA
    if schema.is_earlier(str(path), found, update=update):
        try:
            with transaction(connection):
                for _, migrate in schema.steps(found):
                    migrate(connection)
                write_meta(connection, "schema", schema.number)
        except SQLITE_ERRORS as error:
            raise StoreError(f"{path}: {error}") from error
    check_tables(connection)
    if update and connection.execute("pragma auto_vacuum").fetchone() != (2,):
        # If there is no space for it, the file works, and does not shrink.
        with suppress(sqlite3.OperationalError):
            connection.execute("pragma auto_vacuum = incremental")
            connection.execute("vacuum")
    return ""


def _stored_schema(connection: sqlite3.Connection, path: Path) -> int | None:
    """Return the schema number of a file; None if it is damaged."""
    columns = [row[1] for row in connection.execute("pragma table_info(meta)")]
    if "checksum" not in columns:
        return read_schema(connection, path)
    rows = [row for select in SELECT_META.values() for row in connection.execute(select, ("schema",))]
    return max((row[1] for row in rows if is_sound_meta(*row) and isinstance(row[1], int)), default=None)
