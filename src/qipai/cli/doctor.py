"""`qipai doctor`: checks the data folder, the port, the store and the versions."""

import platform
import shutil
import socket
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from errno import EADDRINUSE
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from qipai import __version__
from qipai.app import open_archive, open_store
from qipai.games.game_registry import INSTALLED, OWN_GAMES, REJECTED
from qipai.hall.journal.store_interface import StoreError
from qipai.server.http_app import PAGE
from qipai.server.listen_addresses import LOCAL
from qipai.settings import ConfigurationError, Settings, find_engine, is_shared
from qipai.stores.archives.archive_registry import ARCHIVE_FILE
from qipai.stores.sqlite_reader import open_journal
from qipai.stores.sqlite_store import StoreLocked, lock_file
from qipai.stores.store_registry import JOURNAL_FILE, refuse_lost_files, store_warnings

from .deep_check import check_archive, check_journal, check_ratings, check_rooms

PYTHON_VERSION: Final = (3, 11)
SQLITE_VERSION: Final = (3, 24)
FREE_MEBIBYTES: Final = 100
HTTP_TIMEOUT: Final = 3


class Check(NamedTuple):
    """Result of one check, as a line."""

    passed: bool
    line: str


def doctor(settings: Settings, *, deep: bool = False) -> int:
    """Print one line per check; return 1 if a check failed. `deep` reads every table and finished game."""
    failed = 0
    for check in _run_checks(settings, deep=deep):
        print(f"{'ok  ' if check.passed else 'FAIL'} {check.line}")
        failed += not check.passed
    return 1 if failed else 0


def _run_checks(settings: Settings, *, deep: bool) -> Iterator[Check]:
    yield Check(
        sys.version_info >= PYTHON_VERSION,
        f"Python {platform.python_version()} ({_version(PYTHON_VERSION)} or later is needed)",
    )
    yield Check(
        sqlite3.sqlite_version_info >= SQLITE_VERSION,
        f"SQLite {sqlite3.sqlite_version} ({_version(SQLITE_VERSION)} or later is needed)",
    )
    built = (PAGE / "index.html").is_file()
    yield Check(built, "web client is built" if built else "web client is not built: run `make web`")
    yield from _check_games()
    yield _check_engine(settings)
    yield from _check_data_folder(settings, deep=deep)
    if is_shared(settings):
        yield from _check_redis(settings, deep=deep)
    file = Path(settings.data) / ARCHIVE_FILE
    if settings.archive or file.is_file():
        yield from _check_archive(settings, deep=deep)
    if not settings.archive and is_shared(settings):
        yield Check(True, f"finished games go to {file}: with workers on several machines, set `archive`")
    yield _check_port(settings.host, settings.port)


def _check_games() -> Iterator[Check]:
    yield Check(True, f"games of qipai {__version__}: {', '.join(OWN_GAMES)}")
    for game, package, version in INSTALLED:
        yield Check(True, f"game {game.name} of package {package} {version}")
    for rejected in REJECTED:
        yield Check(False, str(rejected))


def _check_engine(settings: Settings) -> Check:
    try:
        engine = find_engine(settings)
    except ConfigurationError as error:
        return Check(False, str(error))
    return Check(
        True, f"chess bots use {engine}" if engine else "chess bots use no engine: none is installed"
    )


def _check_data_folder(settings: Settings, *, deep: bool) -> Iterator[Check]:
    folder = Path(settings.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        yield Check(True, f"data folder {folder.resolve()} is writable")
        free = shutil.disk_usage(folder).free // 2**20
        yield Check(
            free >= FREE_MEBIBYTES,
            f"{free} MiB free in the data folder ({FREE_MEBIBYTES} or more are needed)",
        )
        if settings.store == "sqlite":
            yield from _check_journal(folder, deep=deep)
    except (OSError, ValueError) as error:
        yield Check(False, f"data folder {str(folder)!r}: {getattr(error, 'strerror', None) or error}")


def _check_port(host: str, port: int) -> Check:
    address = f"port {port} on {host}"
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((host, port), family=family):
            return Check(True, f"{address} is free")
    except (OSError, UnicodeError) as error:
        ready = _is_ready(host, port) if getattr(error, "errno", None) == EADDRINUSE else None
        if ready is None:
            return Check(False, f"{address}: {getattr(error, 'strerror', None) or error}")
        state = "accepts moves" if ready else "replies, but cannot accept moves"
        return Check(ready, f"{address}: a running server {state}")


def _is_ready(host: str, port: int) -> bool | None:
    """Tell whether the server at this address accepts moves; None if it is not a Qipai server."""
    try:
        with closing(HTTPConnection(LOCAL.get(host, host), port, timeout=HTTP_TIMEOUT)) as connection:
            connection.request("GET", "/ready")
            status = msgspec.json.decode(connection.getresponse().read(100), type=dict[str, str])["status"]
    except (OSError, HTTPException, msgspec.MsgspecError, KeyError):
        return None
    return status == "ready"


def _check_redis(settings: Settings, *, deep: bool) -> Iterator[Check]:
    try:
        with closing(open_store(settings, update_schema=False)) as store:
            faults = list(check_rooms(store, deep=deep))
            yield from (Check(False, f"Redis: {fault}") for fault in faults)
            if not faults:
                yield Check(True, f"Redis is readable, {len(store.open_rooms())} open tables")
            for warning in store_warnings(store):
                yield Check(False, f"Redis: {warning}")
    except (StoreError, ConfigurationError) as error:
        yield Check(False, str(error))


def _check_archive(settings: Settings, *, deep: bool) -> Iterator[Check]:
    faults: list[str] = []
    try:
        archive = open_archive(settings, update_schema=False)
        if archive is not None:
            with closing(archive):
                archive.check()
                if deep:
                    faults += check_archive(archive)
                    faults += [line for line in check_ratings(archive) if line not in faults]
    except (ConfigurationError, StoreError) as error:
        faults.append(str(error))
    yield from (Check(False, f"archive: {fault}") for fault in faults)
    if not faults:
        yield Check(True, "every finished game can be read" if deep else "the archive can be reached")


def _check_journal(folder: Path, *, deep: bool) -> Iterator[Check]:
    file = folder / JOURNAL_FILE
    try:
        refuse_lost_files(folder)
        if not file.exists():
            yield Check(True, "no journal yet")
            return
        with closing(lock_file(file)):
            used = False
    except StoreLocked:
        used = True
    except StoreError as error:
        yield Check(False, str(error))
        return
    if used and not deep:
        yield Check(True, f"{file} is in use by a running server")
        return
    faults = list(check_journal(file, deep=deep))
    yield from (Check(False, fault) for fault in faults)
    if not faults:
        yield Check(True, f"{file} is readable, {_count_rooms(file)} open tables")


def _count_rooms(file: Path) -> int:
    with open_journal(file) as journal:
        return len(journal.open_rooms())


def _version(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
