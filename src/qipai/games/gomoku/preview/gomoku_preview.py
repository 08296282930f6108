"""Gomoku in previews of shared links."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.kernel.game_interface.game_preview import SIDE, GamePreview, Rectangle, Shape, Sprite

_SHEET: Final = files(__package__).joinpath("sprites.png").read_bytes()
_CELL: Final = 64
_STONE: Final = 1.08
"""Width of a stone with its shadow, in line distances."""
_WOOD: Final = "#e3bb7f"
_GRAIN: Final = "#d9ae6d"
_LINE: Final = "#5a4020"
_MARK: Final = "#a8322a"
_USUAL: Final = 15
_COVER: Final = ((7, 7), (8, 6), (8, 8), (6, 6), (6, 8), (9, 7), (7, 9), (5, 7), (8, 10), (9, 9), (6, 9))
"""Stones of a table that has not started, black and white in turn."""

_NAMES: Final = MappingProxyType({"en": "Gomoku", "zh-hant": "五子棋", "zh-hans": "五子棋"})
_TAGS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "en": {"swap2": "Swap2", "renju": "Renju", "size": "{0}×{0}"},
    "zh-hant": {"swap2": "Swap2 換色", "renju": "連珠（有禁手）", "size": "{} 路"},
    "zh-hans": {"swap2": "Swap2 换色", "renju": "连珠（有禁手）", "size": "{} 路"},
})  # fmt: skip


class _Options(Struct):
    rule: str = "free"
    size: int = _USUAL


class _Position(Struct):
    moves: tuple[int, ...] = ()
    line: tuple[int, ...] = ()
    size: int = _USUAL


def _tags(options: Any, language: str) -> Sequence[str]:
    chosen, words = msgspec.convert(options, _Options), _TAGS[language]
    return (
        *((words[chosen.rule],) if chosen.rule in words else ()),
        *((words["size"].format(chosen.size),) if chosen.size != _USUAL else ()),
    )


def _draw(options: Any, position: Any) -> Sequence[Shape]:
    if position is None:
        size = msgspec.convert(options, _Options).size
        shift = (size - _USUAL) // 2
        shown = _Position(tuple(x + shift + size * (y + shift) for x, y in _COVER), size=size)
        return [*_board(size), *_stones(shown)]
    shown = msgspec.convert(position, _Position)
    return [*_board(shown.size), *_stones(shown), *_marks(shown)]


def _board(size: int) -> Iterator[Shape]:
    pitch = SIDE / (size + 1)
    yield Rectangle(0, 0, SIDE, SIDE, _WOOD)
    for band in range(0, SIDE, 23):
        yield Rectangle(0, band + band * 7 % 5, SIDE, 2 + band % 3, _GRAIN, 45)
    length = pitch * (size - 1) + 2
    for line in range(size):
        at = pitch * (line + 1) - 1
        thick = 3 if line in {0, size - 1} else 2
        yield Rectangle(at, pitch - 1, thick, length, _LINE, 85)
        yield Rectangle(pitch - 1, at, length, thick, _LINE, 85)
    for x in (3, size // 2, size - 4):
        for y in (3, size // 2, size - 4):
            if size > _USUAL or (x == size // 2) == (y == size // 2):
                yield Rectangle(pitch * (x + 1) - 3, pitch * (y + 1) - 3, 7, 7, _LINE)


def _stones(shown: _Position) -> Iterator[Shape]:
    pitch = SIDE / (shown.size + 1)
    width = pitch * _STONE
    for number, cell in enumerate(shown.moves):
        x, y = cell % shown.size, cell // shown.size
        part = (_CELL * (number % 2), 0, _CELL, _CELL)
        yield Sprite(_SHEET, part, pitch * (x + 1) - width / 2, pitch * (y + 1) - width / 2, width, width)


def _marks(shown: _Position) -> Iterator[Shape]:
    """Mark the winning line, or the last stone."""
    pitch = SIDE / (shown.size + 1)
    mark = pitch * 0.3
    for cell in shown.line or shown.moves[-1:]:
        x, y = cell % shown.size, cell // shown.size
        yield Rectangle(pitch * (x + 1) - mark / 2, pitch * (y + 1) - mark / 2, mark, mark, _MARK)


PREVIEW: Final = GamePreview(_NAMES, _tags, _draw)
