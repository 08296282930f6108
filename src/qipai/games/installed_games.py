"""Finds games in other installed packages, through the entry point group `qipai.games`."""

import re
from collections.abc import Collection, Iterable
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NamedTuple

from .game import INTERFACE, Game

GROUP: Final = "qipai.games"
_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,20}")


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
    return load_games(entry_points(group=GROUP), taken)


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
            rejected.append(RejectedGame(entry_point.name, package, version, _one_line(str(rejection))))
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
    except (Exception, SystemExit) as error:
        raise _Rejection(f"{type(error).__name__}: {error}") from error
    if not isinstance(game, Game):
        raise _Rejection(f"{entry_point.value} is {type(game).__name__}, not Game")
    if game.interface != INTERFACE:
        raise _Rejection(f"written for interface {game.interface}, this server has {INTERFACE}")
    if game.name != name:
        raise _Rejection(f"its rules call it {game.name!r}")
    if game.web is None:
        raise _Rejection("it has no web module")
    return game


def _package(entry_point: EntryPoint) -> tuple[str, str]:
    distribution = entry_point.dist
    return ("?", "?") if distribution is None else (distribution.name, distribution.version)


def _one_line(reason: str) -> str:
    return " ".join(reason.split())[:300]
