"""Opens SQLite files: for writing, for reading beside a server, and on a read-only file system."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from qipai.hall.journal.store_interface import Damaged, StoreError

from .sqlite_log import PAGE_BYTES, log_file, read_log

BUSY_SECONDS: Final = 10
SIDE_FILES: Final = ("-wal", "-shm")
"""What SQLite adds to the name of a file for its own files beside it."""
REBUILDING: Final = ".rebuilding"
"""What a repair adds to the name of a file for the one that will replace it."""
RESTORING: Final = ".restoring"
"""The same for `qipai restore`."""
_DAMAGE: Final = frozenset(
    (
        sqlite3.SQLITE_ERROR,  # The definition of a table or a column is not there or makes no sense.
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_TOOBIG,  # A row says to be longer than any row can be.
        sqlite3.SQLITE_NOTADB,
    )
)
"""Primary error codes that tell that a file is damaged."""
SQLITE_ERRORS: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises. The text of an error may quote the file, and damaged bytes are no text."""
SqliteError = sqlite3.Error | UnicodeDecodeError


def connect(path: Path, page_bytes: int = PAGE_BYTES) -> sqlite3.Connection:
    """Open a file for writing; only its owner may read a new one, which gets pages of this size."""
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    return connect_again(path, page_bytes)


def connect_again(path: Path, page_bytes: int = PAGE_BYTES) -> sqlite3.Connection:
    """Open a file for writing that this process may have open already.

    Only SQLite touches it: a process that closes any other descriptor of the file loses all its locks on it,
    and another process would then delete the log that this one uses.
    """
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    connection.text_factory = _text
    try:
        connection.execute(f"pragma page_size = {page_bytes}")
        connection.execute("pragma journal_mode = wal")
        # What is deleted is overwritten: a repair must not find rows of long ago.
        connection.execute("pragma secure_delete = on")
    except SQLITE_ERRORS:
        connection.close()
        raise
    return connection


def _text(stored: bytes) -> str:
    """Return a text. Damaged bytes may be no text; then a checksum tells."""
    return stored.decode("utf-8", "replace")


def refuse_damaged_log(path: Path) -> None:
    """Raise `Damaged` if SQLite would read less of a file than was committed to its write-ahead log."""
    if damage := read_log(path).damage:
        raise Damaged(f"{path}: is damaged: {damage}: stop the server if it runs, and type `qipai repair`")


@contextmanager
def reading(path: Path, *, opened_before: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield a connection that only reads, also beside a server and on a read-only file system.

    Raise `StoreError` if the file cannot be opened, and for every error of SQLite while it is read;
    `Damaged` if it is. `opened_before`: this process has the file open, so its log was checked.
    """
    try:
        if not opened_before:
            refuse_damaged_log(path)
        with _readable(path) as uri:
            connection = sqlite3.connect(uri, uri=True, timeout=BUSY_SECONDS, check_same_thread=False)
            connection.text_factory = _text
            with closing(connection):
                yield connection
    except (*SQLITE_ERRORS, OSError) as error:
        raise store_error(path, error) from error


@contextmanager
def _readable(path: Path) -> Iterator[str]:
    """Yield the URI by which SQLite can read a file: its own, or that of a copy."""
    uri = path.resolve().as_uri()
    try:
        with closing(sqlite3.connect(f"{uri}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as trial:
            trial.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.OperationalError as error:
        # SQLite needs a file beside this one and cannot write it. `SQLITE_PROTOCOL` is its error for a log
        # that has only a header: the server was killed before it wrote the first page.
        if primary_code(error) not in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PROTOCOL):
            raise
        wal = log_file(path)
        if not wal.is_file() or not wal.stat().st_size:
            yield f"{uri}?immutable=1"
            return
        with TemporaryDirectory() as folder:  # Only the owner can read it.
            copy = Path(folder) / path.name
            shutil.copyfile(path, copy)
            shutil.copyfile(wal, copy.with_name(wal.name))
            yield copy.as_uri()
        return
    yield f"{uri}?mode=ro"


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit what the block writes; roll back if it fails."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    finally:
        if connection.in_transaction:
            connection.execute("rollback")


def primary_code(error: SqliteError) -> int:
    """Return the primary error code of SQLite."""
    return error_code(error) & 0xFF


def error_code(error: SqliteError) -> int:
    """Return the error code of SQLite, with what it was doing; 0 if it is not an error of SQLite itself."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK))


def store_error(path: Path, error: SqliteError | OSError) -> StoreError:
    """Return the error of a file with its name: `Damaged` if it shows damage."""
    if isinstance(error, OSError):
        return StoreError(f"{path}: {error.strerror or error}")
    return Damaged(f"{path}: is damaged: {error}") if shows_damage(error) else StoreError(f"{path}: {error}")


def shows_damage(error: SqliteError) -> bool:
    """Tell whether an error means that the file is damaged, not that it is locked or the disk full.

    An error that is not known to mean damage does not: then the server does not start or tries again, and
    changes nothing. The opposite mistake would rebuild a sound file and set its tables aside.

    SQLite says that a file is read-only, and not more than that, if its header is damaged: `connect` has
    opened it for writing before. A text that cannot be decoded is one of the file.
    """
    return (
        primary_code(error) in _DAMAGE
        or error_code(error) == sqlite3.SQLITE_READONLY
        or isinstance(error, UnicodeDecodeError)
    )


def find_damage(connection: sqlite3.Connection) -> str:
    """Return what is wrong with the pages and indexes of a file, or an empty text."""
    try:
        connection.execute("pragma cell_size_check = on")
        found = [str(line) for (line,) in connection.execute("pragma integrity_check(1)")]
    except SQLITE_ERRORS as error:
        if not shows_damage(error):
            raise
        return str(error)
    return "" if found == ["ok"] else found[0].split("\n")[-1] if found else "unreadable"


def unfinished(path: Path, suffix: str) -> Path:
    """Return the name under which a file is written that will replace another."""
    return path.with_name(path.name + suffix)


def refuse_unfinished(path: Path) -> None:
    """Raise `StoreError` if a repair or a restore was stopped after it had moved a file aside."""
    if path.exists():
        return
    if unfinished(path, RESTORING).exists():
        raise StoreError(f"{path} is missing, because a restore was stopped: type `qipai restore FILE` again")
    new = unfinished(path, REBUILDING)
    if new.exists():
        raise StoreError(
            f"{path} is missing, because a repair was stopped: remove {path}-wal and {path}-shm "
            f"if they exist, and rename {new} to {path}"
        )


def replace_file(path: Path, new: Path, word: str, stamp: str) -> Path:
    """Put a new file in the place of another; rename that and SQLite's files beside it, and return its name.

    The file itself is renamed first. From then on `refuse_unfinished` finds it missing: without its log, or
    with a log that is not its own, it must not be opened.
    """
    aside = path.with_name(f"{path.name}.{word}-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.{word}-{stamp}-{number}")
    for suffix in ("", *SIDE_FILES):
        beside = path.with_name(path.name + suffix)
        if beside.exists():
            beside.rename(aside.with_name(aside.name + suffix))
    new.replace(path)
    return aside
