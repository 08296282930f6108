"""Draws the picture of a preview: the board of the game, the logo and a few words."""

import io
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from qipai.games.game import Game
from qipai.games.game_errors import GameCode
from qipai.kernel.game_interface.game_preview import SIDE, Rectangle, Shape

from .link_preview import BrokenPreview, PreviewPicture
from .preview_texts import SITE

WIDTH: Final = 1200
HEIGHT: Final = 630
_PAPER: Final = "#f6f2e9"
_INK: Final = "#24221d"
_SOFT: Final = "#655f53"
_LINE: Final = "#dbd2c0"
_SEAL: Final = "#a8322a"
_ON_SEAL: Final = "#fffaf2"
_STONE: Final = "#23211c"
_MARGIN: Final = (HEIGHT - SIDE) // 2
_TEXT_HEIGHT: Final = SIDE - 80 - 72 - 12
"""Between the logo and the button."""
_LEFT: Final = _MARGIN + SIDE + 56
"""Where the texts begin."""
_ROOM: Final = WIDTH - _LEFT - 48
"""Width of the texts."""
_SMOOTH: Final = 4
"""Round shapes are drawn this much larger, then reduced."""
_FONT: Final = files(__package__).joinpath("font.otf").read_bytes()
_MOST_SHAPES: Final = 4_000
_SPRITES: Final = 512
"""Sprites that stay in memory in the size in which they are drawn."""
_MISSING: Final = "\uffff"


def draw_picture(games: Mapping[str, Game], content: PreviewPicture) -> bytes:
    """Return the PNG file."""
    picture = Image.new("RGB", (WIDTH, HEIGHT), _PAPER)
    board = _board(games.get(content.game), content) if content.game else _collage(games)
    picture.paste(_LINE, (_MARGIN - 2, _MARGIN - 2), _rounded(SIDE + 4, SIDE + 4, 20))
    picture.paste(board, (_MARGIN, _MARGIN), _rounded(SIDE, SIDE, 18))
    _write_texts(picture, content)
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=6)
    return file.getvalue()


def can_write(text: str) -> bool:
    """Tell whether the font has every character of a text."""
    return all(_has_glyph(sign) for sign in text)


# The board


def _board(game: Game | None, content: PreviewPicture) -> Image.Image:
    preview = None if game is None else game.preview
    for position in (content.position, None):
        if preview is None:
            break
        try:
            with GameCode(BrokenPreview):
                return _draw_shapes(preview.draw(content.options, position))
        except BrokenPreview:  # A position of other rules, or a fault in a game from outside.
            continue
    return _logo_board()


def _collage(games: Mapping[str, Game]) -> Image.Image:
    """Return the boards of the first four games, for the site itself."""
    shown = [game for game in games.values() if game.preview is not None][:4]
    collage = Image.new("RGB", (SIDE, SIDE), _PAPER)
    half = SIDE // 2
    for number, game in enumerate(shown):
        board = _board(game, PreviewPicture(game.name, {})).resize((half, half), Image.Resampling.LANCZOS)
        collage.paste(board, (number % 2 * half, number // 2 * half))
    return collage if len(shown) == 4 else _logo_board()


def _draw_shapes(shapes: Sequence[Shape]) -> Image.Image:
    board = Image.new("RGB", (SIDE, SIDE), _PAPER)
    for shape in shapes[:_MOST_SHAPES]:
        if isinstance(shape, Rectangle):
            _draw_rectangle(board, shape)
        else:
            sprite = _sprite(
                shape.sheet, shape.part, (round(shape.width), round(shape.height)), shape.opacity
            )
            board.paste(sprite, (round(shape.x), round(shape.y)), sprite)
    return board


def _draw_rectangle(board: Image.Image, shape: Rectangle) -> None:
    left, top = round(shape.x), round(shape.y)
    box = (left, top, left + max(1, round(shape.width)), top + max(1, round(shape.height)))
    if shape.opacity >= 100:
        board.paste(shape.colour, box)
        return
    size = (box[2] - left, box[3] - top)
    board.paste(Image.new("RGB", size, shape.colour), box, Image.new("L", size, 255 * shape.opacity // 100))


@lru_cache(_SPRITES)
def _sprite(
    sheet: bytes, part: tuple[int, int, int, int], size: tuple[int, int], opacity: int
) -> Image.Image:
    left, top, width, height = part
    sprite = _sheet(sheet).crop((left, top, left + width, top + height))
    if sprite.size != size:
        sprite = sprite.resize(size, Image.Resampling.LANCZOS)
    if opacity < 100:
        sprite.putalpha(sprite.getchannel("A").point(lambda alpha: alpha * opacity // 100))
    return sprite


@lru_cache(16)
def _sheet(sheet: bytes) -> Image.Image:
    return Image.open(io.BytesIO(sheet)).convert("RGBA")


@cache
def _logo_board() -> Image.Image:
    board = Image.new("RGB", (SIDE, SIDE), _SEAL)
    logo = _logo(round(SIDE * 0.9))
    at = (SIDE - logo.width) // 2
    board.paste(logo, (at, at), logo)
    return board


@cache
def _logo(size: int) -> Image.Image:
    """Return the logo, as in `web/public/favicon.svg`."""
    unit = size * _SMOOTH / 64
    image = Image.new("RGBA", (size * _SMOOTH, size * _SMOOTH))
    draw = ImageDraw.Draw(image)

    def disc(x: float, y: float, radius: float, colour: str) -> None:
        draw.ellipse(
            [(x - radius) * unit, (y - radius) * unit, (x + radius) * unit, (y + radius) * unit], colour
        )

    draw.rounded_rectangle([4 * unit, 4 * unit, 60 * unit, 60 * unit], 13 * unit, _SEAL)
    for at in (22, 42):
        for line in ([(at, 15), (at, 49)], [(15, at), (49, at)]):
            draw.line([(x * unit, y * unit) for x, y in line], _ON_SEAL, round(3.5 * unit))
            for x, y in line:
                disc(x, y, 1.75, _ON_SEAL)
    disc(22, 42, 9.5, _ON_SEAL)
    disc(42, 22, 11, _ON_SEAL)
    disc(42, 22, 8, _STONE)
    return image.resize((size, size), Image.Resampling.LANCZOS)


@cache
def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """Return a mask of a rectangle with round corners."""
    mask = Image.new("L", (width * _SMOOTH, height * _SMOOTH))
    box = [0, 0, width * _SMOOTH - 1, height * _SMOOTH - 1]
    ImageDraw.Draw(mask).rounded_rectangle(box, radius * _SMOOTH, 255)
    return mask.resize((width, height), Image.Resampling.LANCZOS)


# The texts


def _write_texts(picture: Image.Image, content: PreviewPicture) -> None:
    draw = ImageDraw.Draw(picture)
    logo = _logo(64)
    picture.paste(logo, (_LEFT - 4, _MARGIN), logo)
    if content.name != SITE:
        draw.text((_LEFT + 72, _MARGIN + 32), SITE, _INK, _font(34), anchor="lm")
    sentence = content.sentence if can_write(content.sentence) else content.plain_sentence
    for scale in (1, 0.9, 0.8):
        parts = [
            *_lines(sentence, round(40 * scale), _SOFT, 3),
            *_lines(content.name, round(68 * scale), _INK, 2),
            *_lines(content.details, round(30 * scale), _SOFT, 2),
        ]
        height = sum(space for _, _, _, space in parts)
        if height <= _TEXT_HEIGHT:
            break
    y = max(_MARGIN + 80, (HEIGHT - height) / 2 - (0 if content.button else -20))
    for text, size, colour, space in parts:
        draw.text((_LEFT, y + space / 2), text, colour, _font(size), anchor="lm")
        y += space
    if content.button and can_write(content.button):
        font = _font(32)
        width, top = round(font.getlength(content.button)) + 84, HEIGHT - _MARGIN - 72
        picture.paste(_SEAL, (_LEFT, top), _rounded(width, 72, 16))
        draw.text((_LEFT + width / 2, top + 36), content.button, _ON_SEAL, font, anchor="mm")


def _lines(text: str, size: int, colour: str, most: int) -> list[tuple[str, int, str, float]]:
    """Return a text in at most so many lines, with size, colour and height of each; smaller if it is long."""
    if not text or not can_write(text):
        return []
    for smaller in (size, round(size * 0.8), round(size * 0.64)):
        lines = _wrapped(text, _font(smaller))
        if len(lines) <= most:
            return [(line, smaller, colour, smaller * 1.4) for line in lines]
    return [(line, smaller, colour, smaller * 1.4) for line in [*lines[: most - 1], lines[most - 1] + "…"]]


def _wrapped(text: str, font: FreeTypeFont) -> list[str]:
    """Break a text into lines that fit, at spaces, or within a word that alone does not fit."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if font.getlength(longer) <= _ROOM:
            lines[-1] = longer
            continue
        if lines[-1]:
            lines.append("")
        for sign in word:
            if font.getlength(lines[-1] + sign) > _ROOM:
                lines.append("")
            lines[-1] += sign
    return lines


@cache
def _font(size: int) -> FreeTypeFont:
    return ImageFont.truetype(io.BytesIO(_FONT), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(4096)
def _has_glyph(sign: str) -> bool:
    return sign == " " or _glyph(sign) != _glyph(_MISSING)


def _glyph(sign: str) -> tuple[tuple[float, ...], bytes]:
    return _font(40).getbbox(sign), bytes(_font(40).getmask(sign))
