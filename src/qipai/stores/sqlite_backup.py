"""Copies SQLite files while a server writes to them, and checks what was copied."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from qipai.hall.journal.store_interface import StoreError

from .checksums import head_checksum
from .sqlite_files import (
    SIDE_FILES,
    SQLITE_ERRORS,
    SqliteError,
    error_code,
    find_damage,
    primary_code,
    reading,
    store_error,
)
from .sqlite_reader import JournalReader
from .sqlite_schema import SCHEMA, check_tables, read_schema, write_meta

_FAILED_READS: Final = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)


def copy_file(path: Path, target: Path) -> None:
    """Write a consistent copy of a SQLite file into a new one; raise `StoreError` if it is damaged."""
    try:
        # The file holds secrets: only its owner may read the copy.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise StoreError(f"{target}: {error.strerror}") from error
    try:
        with reading(path) as source:
            try:
                with closing(sqlite3.connect(target)) as copy:
                    source.backup(copy)
                    damage = find_damage(copy)
                    copy.execute("pragma journal_mode = delete")
            except SQLITE_ERRORS as error:
                raise _copy_error(path, target, error) from error
    except StoreError:
        _remove(target)
        raise
    if damage:
        _remove(target)
        raise StoreError(f"{path}: is damaged: {damage}")


def copy_journal(path: Path, target: Path) -> None:
    """Write a consistent copy of a journal, as if its server had stopped at this moment."""
    copy_file(path, target)
    try:
        with closing(sqlite3.connect(target, isolation_level=None)) as copy:
            if read_schema(copy, target) == SCHEMA.number:
                check_tables(copy)
                _close_journal(copy)
    except SQLITE_ERRORS as error:
        _remove(target)
        raise _copy_error(path, target, error) from error
    except StoreError:
        _remove(target)
        raise


def _close_journal(copy: sqlite3.Connection) -> None:
    """Write a check point, so that damage of the copy is noticed by the room."""
    reader = JournalReader(copy)
    if reader.lost_group:
        return
    copy.execute("begin")
    for room, (version, group) in reader.heads.items():
        copy.execute(
            "update rooms set version = ?, last_group = ?, head_checksum = ? where room = ? and is_open",
            (version, group, head_checksum(room, True, group, version, None), room),
        )
    write_meta(copy, "checkpoint", reader.last_group)
    write_meta(copy, "sessions", (reader.number("sessions") | 1) + 1)
    copy.execute("commit")


def _copy_error(path: Path, target: Path, error: SqliteError) -> StoreError:
    """Return an error with the name of the file that it concerns: only the copy is written."""
    full = primary_code(error) == sqlite3.SQLITE_FULL
    failed = primary_code(error) == sqlite3.SQLITE_IOERR and error_code(error) not in _FAILED_READS
    return store_error(target if full or failed else path, error)


def _remove(target: Path) -> None:
    for suffix in ("", *SIDE_FILES, "-journal"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
