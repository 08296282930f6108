"""Versions of everything that a server runs with."""

import platform
import re
import sqlite3
from contextlib import closing
from importlib import metadata
from typing import Final

from qipai import __version__
from qipai.app import open_archive, open_store
from qipai.games.game_registry import INSTALLED
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Store, StoreError
from qipai.settings import ConfigurationError, Settings
from qipai.stores.store_registry import ServerOfItsOwn

UNKNOWN: Final = "unknown"
_NAME: Final = re.compile(r"[\w.-]+")
_FOR_TESTS: Final = re.compile("extra == .(dev|test|testing)\\b")
_NUMBERS: Final = re.compile(r"\d+(\.\d+)*")


def versions(settings: Settings) -> dict[str, str]:
    """Return the versions of the server, Python, the system, the databases, and games from outside."""
    found = {
        "qipai": __version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        # Only the numbers: the name of a kernel may be chosen by the operator.
        "system": f"{platform.system()} {_numbers(platform.release())} {platform.machine()}",
        "sqlite": sqlite3.sqlite_version,
    }
    if "://" in settings.store:
        found["store"] = _server_version(settings, archive=False)
    if settings.archive:
        found["archive"] = _server_version(settings, archive=True)
    return found | {f"game {game.name}": f"{package} {version}" for game, package, version in INSTALLED}


def libraries() -> dict[str, str]:
    """Return the installed versions of the libraries that the server may use."""
    required = [line for line in metadata.requires("qipai") or () if not _FOR_TESTS.search(line)]
    names = sorted(name[0] for name in map(_NAME.match, required) if name is not None)
    found = {}
    for name in names:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue  # Of an extra that is not installed.
    return found


def _server_version(settings: Settings, *, archive: bool) -> str:
    """Return the version of the server of the store or the archive."""
    try:
        opened: Store | Archive | None = (open_archive if archive else open_store)(
            settings, update_schema=False
        )
        if opened is None:
            return UNKNOWN
        with closing(opened):
            return _numbers(opened.server_version()) if isinstance(opened, ServerOfItsOwn) else UNKNOWN
    except (ConfigurationError, StoreError):
        return UNKNOWN


def _numbers(version: str) -> str:
    numbers = _NUMBERS.match(version)
    return UNKNOWN if numbers is None else numbers[0]
