"""Chess in previews of shared links."""

from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.kernel.game_interface.game_preview import SIDE, GamePreview, Rectangle, Shape, Sprite

_SHEET: Final = files(__package__).joinpath("sprites.png").read_bytes()
_ORDER: Final = "KQRBNP"
"""Pieces on the sheet, white above black."""
_CELL: Final = 64
_SQUARE: Final = SIDE // 8
_LIGHT: Final = "#f0e4cc"
_DARK: Final = "#ab8d66"
_MOVED: Final = "#d6a01e"
_FOG: Final = ("#55524a", "#4b4841")
_MINE: Final = "#a8322a"
_START: Final = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
_HIDDEN: Final = "?"

_NAMES: Final = MappingProxyType({"en": "Chess", "zh-hant": "西洋棋", "zh-hans": "国际象棋"})
_TAGS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "en": {
        "sequential": "dice in order", "free": "dice in any order", "fog": "fog of war", "mines": "{} mines",
    },
    "zh-hant": {"sequential": "骰子依序", "free": "骰子不限順序", "fog": "戰爭迷霧", "mines": "{} 顆地雷"},
    "zh-hans": {"sequential": "骰子依次", "free": "骰子不限顺序", "fog": "战争迷雾", "mines": "{} 颗地雷"},
})  # fmt: skip


class _Options(Struct):
    dice: str = ""
    fog: bool = False
    mines: int = 0


class _Mines(Struct):
    all: tuple[str, ...] = ()


class _Position(Struct):
    """What is drawn of a position; in a running game in fog there is only `board`."""

    fen: str = ""
    board: str = ""
    moves: tuple[str, ...] = ()
    minefield: _Mines | None = None


def _tags(options: Any, language: str) -> Sequence[str]:
    chosen, words = msgspec.convert(options, _Options), _TAGS[language]
    return (
        *((words[chosen.dice],) if chosen.dice in words else ()),
        *((words["fog"],) if chosen.fog else ()),
        *((words["mines"].format(chosen.mines),) if chosen.mines else ()),
    )


def _draw(options: Any, position: Any) -> Sequence[Shape]:
    shown = _Position(_START) if position is None else msgspec.convert(position, _Position)
    squares = _placement(shown.fen) if shown.fen else shown.board
    if position is None and msgspec.convert(options, _Options).fog:
        squares = _HIDDEN * 32 + squares[32:]
    last = shown.moves[-1] if shown.moves else ""
    marked = {last[:2], last[2:4]}
    mines = () if shown.minefield is None else shown.minefield.all
    return [*_board(squares, marked, mines), *_pieces(squares)]


def _placement(fen: str) -> str:
    """Return the 64 squares of a FEN from a8 to h1: a piece, or a dot."""
    ranks = fen.split(" ")[0].replace("/", "")
    return "".join("." * int(sign) if sign.isdigit() else sign for sign in ranks)


def _board(squares: str, marked: set[str], mines: Sequence[str]) -> Iterator[Shape]:
    for number, content in enumerate(squares):
        column, row = number % 8, number // 8
        x, y, odd = column * _SQUARE, row * _SQUARE, (column + row) % 2
        name = f"{'abcdefgh'[column]}{8 - row}"
        colour = _FOG[odd] if content == _HIDDEN else (_LIGHT, _DARK)[odd]
        yield Rectangle(x, y, _SQUARE, _SQUARE, colour)
        if name in marked and content != _HIDDEN:
            yield Rectangle(x, y, _SQUARE, _SQUARE, _MOVED, 45)
        if name in mines:
            yield Rectangle(x, y, _SQUARE, _SQUARE, _MINE, 40)


def _pieces(squares: str) -> Iterator[Shape]:
    for number, content in enumerate(squares):
        if content.upper() in _ORDER:
            part = (_ORDER.index(content.upper()) * _CELL, _CELL * content.islower(), _CELL, _CELL)
            x, y = number % 8 * _SQUARE, number // 8 * _SQUARE
            yield Sprite(_SHEET, part, x, y, _SQUARE, _SQUARE)


PREVIEW: Final = GamePreview(_NAMES, _tags, _draw)
