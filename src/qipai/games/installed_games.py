"""Finds games in other installed packages, through the entry point group `qipai.games`."""

import re
from collections.abc import Collection, Iterable
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Final, NamedTuple

from .error_text import error_text, one_line
from .game import INTERFACE, Game
from .game_checks import BrokenGame, check_game

GROUP: Final = "qipai.games"
_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,20}")
_UNKNOWN: Final = "?"
"""Stands for a name or a version that a package does not have."""


class InstalledGame(NamedTuple):
    """A game and the package that it comes from."""

    game: Game
    package: str
    version: str


class RejectedGame(NamedTuple):
    """A game of an installed package that is left out, and why."""

    name: str
    package: str
    version: str
    reason: str

    def __str__(self) -> str:
        """Return one line for the operator."""
        return f"game {self.name} of package {self.package} {self.version} is left out: {self.reason}"


class _Rejection(Exception):
    """The reason why a game is left out."""


def installed_games(taken: Collection[str]) -> tuple[list[InstalledGame], list[RejectedGame]]:
    """Return the games of all installed packages, without those that are broken or whose name is taken."""
    found: list[EntryPoint] = []
    unreadable: list[RejectedGame] = []
    packages: set[str] = set()
    for distribution in distributions():
        try:
            points = _entry_points(distribution)
        except Exception as error:  # noqa: BLE001 - the files of one package must not keep the others out
            reason = one_line(f"entry_points.txt cannot be read: {error_text(error)}")
            unreadable.append(RejectedGame(_UNKNOWN, *_name_and_version(distribution), reason))
            continue
        if not points:
            continue
        package = _name_and_version(distribution)[0]
        if package == _UNKNOWN or package not in packages:
            # A second installation of a package, further back in the path, is not used.
            packages.add(package)
            found += points
    games, rejected = load_games(found, taken)
    return games, unreadable + rejected


def _entry_points(distribution: Distribution) -> list[EntryPoint]:
    """Return the games of a package; may raise anything if its files are damaged."""
    if GROUP not in (distribution.read_text("entry_points.txt") or ""):
        return []
    return list(distribution.entry_points.select(group=GROUP))


def load_games(
    found: Iterable[EntryPoint], taken: Collection[str]
) -> tuple[list[InstalledGame], list[RejectedGame]]:
    """Return the games of these entry points, and those that are left out.

    Of two packages with a game of the same name, the first in alphabetical order is used.
    """
    games: list[InstalledGame] = []
    rejected: list[RejectedGame] = []
    names = set(taken)
    for entry_point in sorted(found, key=lambda each: (*_package(each), each.name)):
        package, version = _package(entry_point)
        try:
            game = _load(entry_point, names)
        except _Rejection as rejection:
            rejected.append(RejectedGame(entry_point.name, package, version, one_line(str(rejection))))
            continue
        names.add(game.name)
        games.append(InstalledGame(game, package, version))
    return games, rejected


def _load(entry_point: EntryPoint, taken: Collection[str]) -> Game:
    name = entry_point.name
    if not _NAME.fullmatch(name):
        raise _Rejection("a name has 2 to 21 small letters and digits and starts with a letter")
    if name in taken:
        raise _Rejection("there is another game of this name")
    try:
        game = entry_point.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise _Rejection(error_text(error)) from error
    if not isinstance(game, Game):
        raise _Rejection(f"{entry_point.value} is {type(game).__name__}, not Game")
    if game.interface != INTERFACE:
        raise _Rejection(f"written for interface {game.interface}, this server has {INTERFACE}")
    if game.name != name:
        raise _Rejection(f"its rules call it {game.name!r}")
    try:
        check_game(game)
    except BrokenGame as error:
        raise _Rejection(str(error)) from error
    except Exception as error:
        raise _Rejection(error_text(error)) from error
    if game.web is None:
        raise _Rejection("it has no web module")
    return game


def _package(entry_point: EntryPoint) -> tuple[str, str]:
    distribution = entry_point.dist
    return (_UNKNOWN, _UNKNOWN) if distribution is None else _name_and_version(distribution)


def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    try:
        # Typed as texts; None if the line is missing.
        name, version = distribution.metadata["Name"], distribution.metadata["Version"]
    except Exception:  # noqa: BLE001 - what a missing or damaged file raises depends on the Python version
        return _UNKNOWN, _UNKNOWN
    return one_line(str(name or _UNKNOWN)), one_line(str(version or _UNKNOWN))
