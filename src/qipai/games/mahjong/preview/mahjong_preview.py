"""Mahjong in previews of shared links."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.kernel.game_interface.game_preview import SIDE, GamePreview, Rectangle, Shape, Sprite

_SHEET: Final = files(__package__).joinpath("sprites.png").read_bytes()
_COLUMNS: Final = 11
_CELL: Final = (108, 144)
_BACK: Final = 42
"""The sprite after those of the kinds."""
_FIRST_FLOWER: Final = 136
_FELT: Final = "#2c7259"
_COVER: Final = ((31, 32, 33, 27), (0, 8, 9, 17), (18, 26, 34, 38))
_MARGIN: Final = 24
_GAP: Final = 0.4
"""Between two melds, in tiles."""
_TILE: Final = 40

_NAMES: Final = MappingProxyType({"en": "Mahjong", "zh-hant": "麻將", "zh-hans": "麻将"})
_TAGS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "en": {"tiles": "{} tiles", "rounds": "{} rounds", "round": "East round only"},
    "zh-hant": {"tiles": "{} 張", "rounds": "{} 圈", "round": "東風圈"},
    "zh-hans": {"tiles": "{} 张", "rounds": "{} 圈", "round": "东风圈"},
})  # fmt: skip
_ALL_ROUNDS: Final = 4


class _Options(Struct):
    tiles: int = 13
    rounds: int = _ALL_ROUNDS


class _Meld(Struct):
    tiles: tuple[int, ...] = ()


class _Player(Struct):
    count: int = 0
    tiles: tuple[int, ...] = ()
    melds: tuple[_Meld, ...] = ()


class _Position(Struct):
    """What is drawn of a position: the hands. Tiles that the viewer may not see lie face down."""

    players: tuple[_Player, ...]


def _tags(options: Any, language: str) -> Sequence[str]:
    chosen, words = msgspec.convert(options, _Options), _TAGS[language]
    tiles = words["tiles"].format(chosen.tiles)
    rounds = words["round" if chosen.rounds == 1 else "rounds"].format(chosen.rounds)
    return (tiles, rounds) if chosen.rounds < _ALL_ROUNDS else (tiles,)


def _draw(options: Any, position: Any) -> Sequence[Shape]:
    felt = Rectangle(0, 0, SIDE, SIDE, _FELT)
    if position is None:
        return [felt, *_cover()]
    return [felt, *_hands(msgspec.convert(position, _Position).players)]


def _cover() -> Iterator[Shape]:
    width = 108.0
    left = (SIDE - width * len(_COVER[0])) / 2
    for row, kinds in enumerate(_COVER):
        for column, kind in enumerate(kinds):
            yield _tile(kind, left + column * width, 32 + row * 152, width)


def _hands(players: Sequence[_Player]) -> Iterator[Shape]:
    """Draw the tiles of each seat: the melds, then the others, in two lines if there are many."""
    height = _TILE * _CELL[1] / _CELL[0]
    for number, player in enumerate(players):
        groups = [*(_kinds(meld.tiles, 4) for meld in player.melds), _kinds(player.tiles, player.count)]
        places = list(_places(groups))
        lines = 1 + max((line for _, _, line in places), default=0)
        top = SIDE * (number + 0.5) / len(players) - height * lines / 2
        for kind, x, line in places:
            yield _tile(kind, x, top + line * height, _TILE)


def _places(groups: Sequence[Sequence[int]]) -> Iterator[tuple[int, float, int]]:
    """Yield each tile of a seat with its place: from the left, and its line."""
    x, line = float(_MARGIN), 0
    for group in groups:
        for kind in group:
            if x + _TILE > SIDE - _MARGIN:
                x, line = float(_MARGIN), line + 1
            yield kind, x, line
            x += _TILE
        x += _TILE * _GAP


def _kinds(tiles: Sequence[int], hidden: int) -> list[int]:
    """Return the kinds of tiles in order, or so many backs if they are hidden."""
    if not tiles:
        return [_BACK] * hidden
    return [tile // 4 if tile < _FIRST_FLOWER else tile - 102 for tile in sorted(tiles)]


def _tile(kind: int, x: float, y: float, width: float) -> Sprite:
    across, down = _CELL
    part = (kind % _COLUMNS * across, kind // _COLUMNS * down, across, down)
    return Sprite(_SHEET, part, x, y, width, width * down / across)


PREVIEW: Final = GamePreview(_NAMES, _tags, _draw)
