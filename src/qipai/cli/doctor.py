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
from typing import Final

import msgspec

from qipai import __version__
from qipai.app import open_archive, open_store
from qipai.games.game_registry import INSTALLED, OWN_GAMES, REJECTED
from qipai.hall.incidents.faults import faults_of
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


class Check:
    """Result of one check: a line for the operator, and a public line for a problem bundle.

    In the text, `{name}` stands for what is private: settings, paths, ids, texts of exceptions.
    """

    __slots__ = ("line", "passed", "public_line")

    def __init__(self, passed: bool, text: str, **private: object) -> None:
        self.passed = passed
        self.line = text.format(**private)
        self.public_line = text.format(**{name: _public(name, value) for name, value in private.items()})


def _public(name: str, value: object) -> str:
    """Return what a public line has instead of a private value: its name, of an exception also the class."""
    words = name.replace("_", " ")
    if isinstance(value, OSError | ValueError | StoreError | ConfigurationError):
        words += f": {' from '.join(fault.kind for fault in faults_of(value))}"
    return f"({words})"


def doctor(settings: Settings, *, deep: bool = False) -> int:
    """Print one line per check; return 1 if a check failed. `deep` reads every table and finished game."""
    failed = 0
    for check in run_checks(settings, deep=deep):
        print(f"{'ok  ' if check.passed else 'FAIL'} {check.line}")
        failed += not check.passed
    return 1 if failed else 0


def run_checks(settings: Settings, *, deep: bool = False) -> Iterator[Check]:
    """Yield the result of each check."""
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
        yield Check(
            True, "finished games go to {file}: with workers on several machines, set `archive`", file=file
        )
    yield _check_port(settings.host, settings.port)


def _check_games() -> Iterator[Check]:
    yield Check(True, f"games of qipai {__version__}: {', '.join(OWN_GAMES)}")
    for game, package, version in INSTALLED:
        yield Check(True, _escaped(f"game {game.name} of package {package} {version}"))
    for rejected in REJECTED:
        game_of_package = _escaped(f"game {rejected.name} of package {rejected.package} {rejected.version}")
        yield Check(False, f"{game_of_package} is left out: {{reason}}", reason=rejected.reason)


def _check_engine(settings: Settings) -> Check:
    try:
        engine = find_engine(settings)
    except ConfigurationError as error:
        return Check(False, "{engine_fault}", engine_fault=error)
    if not engine:
        return Check(True, "chess bots use no engine: none is installed")
    return Check(True, "chess bots use {engine}", engine=engine)


def _check_data_folder(settings: Settings, *, deep: bool) -> Iterator[Check]:
    folder = Path(settings.data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".doctor"
        probe.write_bytes(b"")
        probe.unlink()
        yield Check(True, "data folder {folder} is writable", folder=folder.resolve())
        free = shutil.disk_usage(folder).free // 2**20
        yield Check(
            free >= FREE_MEBIBYTES,
            f"{free} MiB free in the data folder ({FREE_MEBIBYTES} or more are needed)",
        )
        if settings.store == "sqlite":
            yield from _check_journal(folder, deep=deep)
    except (OSError, ValueError) as error:
        reason, name = getattr(error, "strerror", None) or error, repr(str(folder))
        yield Check(False, "data folder {folder}: {reason}", folder=name, reason=reason)


def _check_port(host: str, port: int) -> Check:
    address = f"port {port} on {{host}}"
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.create_server((host, port), family=family):
            return Check(True, f"{address} is free", host=host)
    except (OSError, UnicodeError) as error:
        ready = _is_ready(host, port) if getattr(error, "errno", None) == EADDRINUSE else None
        if ready is None:
            reason = getattr(error, "strerror", None) or error
            return Check(False, f"{address}: {{reason}}", host=host, reason=reason)
        state = "accepts moves" if ready else "replies, but cannot accept moves"
        return Check(ready, f"{address}: a running server {state}", host=host)


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
            yield from (Check(False, "Redis: {fault}", fault=fault) for fault in faults)
            if not faults:
                yield Check(True, f"Redis is readable, {len(store.open_rooms())} open tables")
            for warning in store_warnings(store):
                yield Check(False, f"Redis: {warning}")
    except (StoreError, ConfigurationError) as error:
        yield Check(False, "{Redis_fault}", Redis_fault=error)


def _check_archive(settings: Settings, *, deep: bool) -> Iterator[Check]:
    faults: list[object] = []
    try:
        archive = open_archive(settings, update_schema=False)
        if archive is not None:
            with closing(archive):
                archive.check()
                if deep:
                    faults += check_archive(archive)
                    faults += [line for line in check_ratings(archive) if line not in faults]
    except (ConfigurationError, StoreError) as error:
        faults.append(error)
    yield from (Check(False, "archive: {fault}", fault=fault) for fault in faults)
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
        yield Check(False, "{journal_fault}", journal_fault=error)
        return
    if used and not deep:
        yield Check(True, "{file} is in use by a running server", file=file)
        return
    faults = list(check_journal(file, deep=deep))
    yield from (Check(False, "{journal_fault}", journal_fault=fault) for fault in faults)
    if not faults:
        yield Check(True, f"{{file}} is readable, {_count_rooms(file)} open tables", file=file)


def _count_rooms(file: Path) -> int:
    with open_journal(file) as journal:
        return len(journal.open_rooms())


def _escaped(text: str) -> str:
    """Return a text that `Check` takes as it is."""
    return text.replace("{", "{{").replace("}", "}}")


def _version(numbers: tuple[int, ...]) -> str:
    return ".".join(map(str, numbers))
