"""How a game appears in the preview of a shared link: its name, its options in words, and its board."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

LANGUAGES: Final = ("en", "zh-hant", "zh-hans")
"""Languages of previews; the first is the default."""
SIDE: Final = 512
"""Pixels of a side of the square on which a board is drawn."""


class Rectangle(NamedTuple):
    """A filled rectangle; the colour is `#rrggbb`, with an opacity in percent."""

    x: float
    y: float
    width: float
    height: float
    colour: str
    opacity: int = 100


class Sprite(NamedTuple):
    """A part of a PNG file: its left, top, width and height there, drawn at a place in a size."""

    sheet: bytes
    part: tuple[int, int, int, int]
    x: float
    y: float
    width: float
    height: float
    opacity: int = 100


Shape = Rectangle | Sprite


class GamePreview(NamedTuple):
    """What a game gives for previews.

    `names`: of the game, by language. `tags` returns the options that differ from the default, in words of a
    language. `draw` returns the shapes of the board, the lowest first; without a position, those of a table
    that has not started. Options and position are plain JSON values, and the position may be of earlier
    rules: `draw` may raise any error, and then the table is drawn without it.
    """

    names: Mapping[str, str]
    tags: Callable[[Any, str], Sequence[str]]
    draw: Callable[[Any, Any], Sequence[Shape]]
