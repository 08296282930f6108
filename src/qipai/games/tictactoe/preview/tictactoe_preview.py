"""Tic-tac-toe in previews of shared links."""

from collections.abc import Sequence
from importlib.resources import files
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.kernel.game_interface.game_preview import SIDE, GamePreview, Rectangle, Shape, Sprite

_SHEET: Final = files(__package__).joinpath("sprites.png").read_bytes()
_CELL: Final = 160
_SQUARE: Final = SIDE / 3
_PAPER: Final = "#fffdf6"
_LINE: Final = "#b9ab8d"
_MARGIN: Final = 20
_COVER: Final = "X.O.X...O"
_OTHERS: Final = 35
"""Opacity of the signs that are not in the winning line."""

_NAMES: Final = MappingProxyType({"en": "Tic-tac-toe", "zh-hant": "井字棋", "zh-hans": "井字棋"})


class _Position(Struct):
    board: str
    lines: tuple[tuple[int, ...], ...] = ()


def _tags(options: Any, language: str) -> Sequence[str]:
    return ()


def _draw(options: Any, position: Any) -> Sequence[Shape]:
    shown = _Position(_COVER) if position is None else msgspec.convert(position, _Position)
    won = {cell for line in shown.lines for cell in line}
    shapes: list[Shape] = [Rectangle(0, 0, SIDE, SIDE, _PAPER)]
    for at in (_SQUARE, 2 * _SQUARE):
        shapes.append(Rectangle(at - 3, _MARGIN, 6, SIDE - 2 * _MARGIN, _LINE))
        shapes.append(Rectangle(_MARGIN, at - 3, SIDE - 2 * _MARGIN, 6, _LINE))
    for number, sign in enumerate(shown.board):
        if sign in "XO":
            x, y = number % 3 * _SQUARE, number // 3 * _SQUARE
            part = (_CELL * (sign == "O"), 0, _CELL, _CELL)
            opacity = _OTHERS if won and number not in won else 100
            shapes.append(Sprite(_SHEET, part, x, y, _SQUARE, _SQUARE, opacity))
    return shapes


PREVIEW: Final = GamePreview(_NAMES, _tags, _draw)
