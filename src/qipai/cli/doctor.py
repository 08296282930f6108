"""What an operator does beside the running server: replay, backup, export, import, doctor."""

import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from errno import EADDRINUSE
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import msgspec

from qipai.app import open_archive, open_store
from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.room_rebuilding import encode, read_record, restore
from qipai.hall.journal.store_interface import Store, StoreError
from qipai.kernel.ids import SYSTEM
from qipai.server.http_app import PAGE
from qipai.server.listen_addresses import LOCAL
from qipai.settings import ConfigurationError, Settings, engine, shared
from qipai.stores.archives.archive_registry import FILE as ARCHIVE
from qipai.stores.sqlite_store import SqliteStore, StoreLocked, copy, open_book
from qipai.stores.store_registry import FILE, alone, worries

from . import export_format
from .journal_reader import Failure, history, journal, steps


def replay(settings: Settings, room: str) -> int:
    """Print every step of a table: version, time, who, what, and what was told."""
    _, entries = history(settings, room)
    for entry, step in zip(entries, steps(entries), strict=True):
        record = read_record(entry)
        at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        who = "system" if step.actor == SYSTEM else "watcher" if step.actor < 0 else f"seat {step.actor}"
        print(f"{entry.version:5}  {at}  {who:8} {encode(record.command).decode()}")
        for told in step.events:
            to = "" if told.to is None else f" (to {', '.join(map(str, told.to))})"
            print(f"{'':43}→ {encode(told.event).decode()}{to}")
    return 0


def backup(settings: Settings, target: Path) -> int:
    """Copy the journal; the server may go on meanwhile."""
    if settings.store != "sqlite":
        raise Failure(
            "this copies the file of an embedded server; with Redis copy its own files (`redis-cli BGSAVE`), "
            "or stop all workers and use `qipai export FILE`"
            if shared(settings)
            else "a store in memory leaves nothing to copy"
        )
    if target.exists():
        raise Failure(f"{target} exists already")
    try:
        copy(journal(settings), target)
    except StoreError as error:
        raise Failure(str(error)) from error
    print(f"{target}: {target.stat().st_size} bytes")
    return 0


def export(settings: Settings, target: Path) -> int:
    """Write every table and every finished game into one file; the server must be stopped."""
    tail: export_format.Tail | None = None
    try:
        with _whole(settings) as (store, archive):
            tail = export_format.write(store, archive, target)
    except Failure:
        if tail is not None:
            target.unlink(missing_ok=True)
        raise
    print(f"{target}: {tail.rooms} tables, {tail.kept} finished")
    return 0


def take_in(settings: Settings, source: Path) -> int:
    """Read such a file into an empty store; the server must be stopped."""
    with _whole(settings) as (store, archive):
        tail = export_format.read(store, archive, source)
    print(f"{tail.rooms} tables, {tail.kept} finished")
    return 0


@contextmanager
def _whole(settings: Settings) -> Iterator[tuple[Store, Archive | None]]:
    try:
        with closing(open_store(settings)) as store, alone(store):
            archive = open_archive(settings)
            try:
                if archive is not None:
                    archive.check()
                yield store, archive
            finally:
                if archive is not None:
                    archive.close()
    except StoreError as error:
        raise Failure(str(error)) from error


def doctor(settings: Settings) -> int:
    """Say in one line each what is in order and what is not; return 1 if anything is not."""
    wrong = 0
    for good, line in _examine(settings):
        print(f"{'ok   ' if good else 'WRONG'} {line}")
        wrong += not good
    return 1 if wrong else 0


def _examine(settings: Settings) -> Iterator[tuple[bool, str]]:
    yield sys.version_info >= (3, 11), f"Python {platform.python_version()} (3.11 or later is needed)"
    yield sqlite3.sqlite_version_info >= (3, 24), f"SQLite {sqlite3.sqlite_version} (3.24 or later is needed)"
    built = (PAGE / "index.html").is_file()
    yield built, "web client is built" if built else "web client is not built: run `make web`"
    try:
        found = engine(settings)
        yield True, f"chess bots ask {found}" if found else "chess bots think for themselves: no engine found"
    except ConfigurationError as error:
        yield False, str(error)
    folder = Path(settings.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        yield True, f"data folder {folder.resolve()} can be written"
        free = shutil.disk_usage(folder).free // 2**20
        yield free >= 100, f"{free} MiB free in the data folder (100 or more are needed)"
        if settings.store == "sqlite":
            yield _examine_journal(folder / FILE)
    except (OSError, ValueError) as error:
        yield False, f"data folder {str(folder)!r}: {getattr(error, 'strerror', None) or error}"
    if shared(settings):
        yield from _examine_redis(settings)
    if settings.archive:
        yield _examine_archive(settings)
    elif shared(settings):
        yield True, f"finished games stay in {folder / ARCHIVE}: workers on other machines need `archive`"
    yield _examine_port(settings.host, settings.port)


def _examine_port(host: str, port: int) -> tuple[bool, str]:
    place = f"port {port} on {host}"
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((host, port), family=family):
            return True, f"{place} is free"
    except (OSError, UnicodeError) as error:
        ready = _ready(host, port) if getattr(error, "errno", None) == EADDRINUSE else None
        if ready is None:
            return False, f"{place}: {getattr(error, 'strerror', None) or error}"
        return ready, f"{place}: a running server {'takes' if ready else 'answers, but cannot take'} moves"


def _ready(host: str, port: int) -> bool | None:
    """Return whether the server at this address can take a move; None if it is none of ours."""
    try:
        with closing(HTTPConnection(LOCAL.get(host, host), port, timeout=3)) as asking:
            asking.request("GET", "/ready")
            status = msgspec.json.decode(asking.getresponse().read(100), type=dict[str, str])["status"]
    except (OSError, HTTPException, msgspec.MsgspecError, KeyError):
        return None
    return status == "ready"


def _examine_redis(settings: Settings) -> Iterator[tuple[bool, str]]:
    try:
        with closing(open_store(settings)) as store:
            living = store.open_rooms()
            for room in living:
                if (saved := store.load(room)) is not None:
                    restore(GAMES, saved)
            yield True, f"Redis is readable, {len(living)} living tables"
            for worry in worries(store):
                yield False, f"Redis: {worry}"
    except (StoreError, ConfigurationError) as error:
        yield False, str(error)


def _examine_archive(settings: Settings) -> tuple[bool, str]:
    try:
        archive = open_archive(settings)
        if archive is not None:
            with closing(archive):
                archive.check()
    except (ConfigurationError, StoreError) as error:
        return False, f"archive: {error}"
    return True, "the archive can be reached"


def _examine_journal(file: Path) -> tuple[bool, str]:
    if not file.exists():
        return True, "no journal yet"
    try:
        SqliteStore(file).close()
    except StoreLocked:
        return True, f"{file} is in use by a running server"
    except StoreError as error:
        return False, str(error)
    try:
        with open_book(file) as book:
            living = book.open_rooms()
            for room in living:
                if (saved := book.load(room)) is not None:
                    restore(GAMES, saved)
    except StoreError as error:
        return False, str(error)
    return True, f"{file} is readable, {len(living)} living tables"
