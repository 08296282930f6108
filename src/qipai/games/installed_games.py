"""Finds games in other installed packages, through the entry point group `qipai.games`."""

import re
from collections.abc import Collection, Iterable
from importlib.metadata import Distribution, EntryPoint, distributions
from typing import Final, NamedTuple

from .game import INTERFACE, Game
from .game_checks import BrokenGame, check_game
from .game_errors import GameCode, one_line

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


def installed_games(taken: Collection[str]) -> tuple[list[InstalledGame], list[RejectedGame]]:
    """Return the games of all installed packages, without those that are broken or whose name is taken."""
    found: list[EntryPoint] = []
    unreadable: list[RejectedGame] = []
    packages: set[str] = set()
    for distribution in distributions():
        try:
            with GameCode(BrokenGame, "entry_points.txt cannot be read: "):
                points = _entry_points(distribution)
        except BrokenGame as error:
            unreadable.append(RejectedGame(_UNKNOWN, *_name_and_version(distribution), str(error)))
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
        except BrokenGame as error:
            rejected.append(RejectedGame(entry_point.name, package, version, one_line(str(error))))
            continue
        names.add(game.name)
        games.append(InstalledGame(game, package, version))
    return games, rejected


def _load(entry_point: EntryPoint, taken: Collection[str]) -> Game:
    name = entry_point.name
    if not _NAME.fullmatch(name):
        raise BrokenGame("a name has 2 to 21 small letters and digits and starts with a letter")
    if name in taken:
        raise BrokenGame("there is another game of this name")
    with GameCode(BrokenGame):
        game = entry_point.load()
    if not isinstance(game, Game):
        raise BrokenGame(f"{entry_point.value} is {type(game).__name__}, not Game")
    if game.interface != INTERFACE:
        raise BrokenGame(f"written for interface {game.interface}, this server has {INTERFACE}")
    if game.name != name:
        raise BrokenGame(f"its rules call it {game.name!r}")
    with GameCode(BrokenGame):
        check_game(game)
    if game.web is None:
        raise BrokenGame("it has no web module")
    return game


def _package(entry_point: EntryPoint) -> tuple[str, str]:
    distribution = entry_point.dist
    return (_UNKNOWN, _UNKNOWN) if distribution is None else _name_and_version(distribution)


def _name_and_version(distribution: Distribution) -> tuple[str, str]:
    try:
        # What a missing or damaged file raises depends on the Python version.
        with GameCode(BrokenGame):
            # Typed as texts; None if the line is missing.
            name, version = distribution.metadata["Name"], distribution.metadata["Version"]
            return one_line(str(name or _UNKNOWN)), one_line(str(version or _UNKNOWN))
    except BrokenGame:
        return _UNKNOWN, _UNKNOWN
