"""Every sound of the page: its file, its peak, and what is played in it."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from .bodies import (
    bar,
    block,
    clack,
    die,
    drum,
    explosion,
    gong,
    piece,
    scrape,
    stone,
    string,
    tile,
    tile_touch,
)
from .synthesis import RATE, Samples, finished, halved, in_room, mix
from .wav_file import write

SOURCE: Final = Path(__file__).parents[2] / "web" / "src"
_PAGE: Final = SOURCE / "sounds" / "files"
_GAMES: Final = SOURCE / "games"

# Notes of a pentatonic scale.
_C4, _D4, _E4, _G4, _A4, _C5, _D5, _E5, _G5, _A5 = (
    261.6,
    293.7,
    329.6,
    392.0,
    440.0,
    523.3,
    587.3,
    659.3,
    784.0,
    880.0,
)


class Recipe(NamedTuple):
    """How a file is made.

    `peak` is the highest sample; 1 is full scale. `bright`: it needs frequencies above 7 kHz, so the file has
    all samples instead of every second one. `call`: it is a call-out and may be longer.
    """

    file: Path
    make: Callable[[Random], Samples]
    peak: float
    room: float = 0.8
    bright: bool = False
    call: bool = False

    def content(self) -> bytes:
        """Return the content of the file; it is the same every time."""
        samples = self.make(Random(self.file.stem))  # noqa: S311
        if self.bright:
            return write(RATE, finished(in_room(samples, self.room), self.peak))
        return write(RATE // 2, halved(finished(in_room(samples, self.room), self.peak)))


def _capture(random: Random) -> Samples:
    return mix(0.34, (0, 0.75, clack(random)), (0.062, 1, piece(random, 1.25)))


def _check(random: Random) -> Samples:
    return mix(
        0.42, (0, 0.9, piece(random)), (0.045, 0.55, block(_G5, random)), (0.125, 0.7, block(_C5 * 2, random))
    )


def _dice(random: Random) -> Samples:
    starts = [0.0, 0.058, 0.094, 0.151, 0.187, 0.243, 0.272, 0.318, 0.341]
    hits = [(start, 1.0 - 0.75 * start / 0.36, die(random)) for start in starts]
    return mix(0.5, *hits)


def _low_time(random: Random) -> Samples:
    strokes = [(0.0, 880.0, 0.9), (0.13, 880.0, 0.9), (0.26, 1_174.0, 1.0)]
    return mix(0.5, *((start, level, block(pitch, random)) for start, pitch, level in strokes))


def _won(random: Random) -> Samples:
    notes = [(0.0, _G4, 0.8), (0.085, _C5, 0.85), (0.17, _E5, 0.9), (0.255, _G5, 1.0)]
    return mix(0.59, *((start, level, bar(0.5, pitch, 0.11, random)) for start, pitch, level in notes))


def _lost(random: Random) -> Samples:
    notes = [(0.0, _E4, 0.9), (0.15, _C4, 1.0)]
    return mix(0.59, *((start, level, bar(0.5, pitch, 0.105, random)) for start, pitch, level in notes))


def _turn(random: Random) -> Samples:
    return mix(0.5, (0, 0.8, bar(0.4, _A4, 0.085, random)), (0.11, 1, bar(0.4, _D5, 0.105, random)))


def _seat(random: Random) -> Samples:
    """Somebody knocks at a wooden door."""
    return mix(0.45, (0, 0.85, piece(random, 0.8)), (0.13, 1, piece(random, 0.72)))


def _chat(random: Random) -> Samples:
    """A knuckle on bamboo."""
    return mix(0.2, (0, 1, block(_D5, random)), (0.07, 0.45, block(_A5, random)))


def _mark(random: Random) -> Samples:
    """A pencil draws two strokes on paper over wood."""
    strokes = [
        (0.0, 0.9, scrape(0.075, 1_400, 6_000, random)),
        (0.1, 1.0, scrape(0.085, 1_100, 5_200, random)),
    ]
    return mix(0.22, *strokes, (0, 0.18, piece(random, 0.6)), (0.1, 0.2, piece(random, 0.6)))


def _tile_drawn(random: Random) -> Samples:
    touches = [(0.055, 0.5, tile_touch(random, 1.0)), (0.083, 0.9, tile_touch(random, 1.12))]
    return mix(0.2, (0, 0.35, scrape(0.08, 700, 4_500, random)), *touches)


def _deal(random: Random) -> Samples:
    """Tiles are washed on the table."""
    touches = [
        (
            0.5 * random.random() ** 0.8,
            random.uniform(0.25, 0.8),
            tile_touch(random, random.uniform(0.8, 1.2)),
        )
        for _ in range(34)
    ]
    return mix(0.58, *touches, (0, 0.25, scrape(0.5, 500, 3_500, random)))


def _chow(random: Random) -> Samples:
    """Three tiles, as a run: three rising notes of a string."""
    notes = [(0.06, _D5, 0.6), (0.15, _E5, 0.7), (0.24, _G5, 0.85)]
    return mix(
        0.75,
        (0, 0.8, tile(random)),
        *((start, level, string(0.5, pitch, random)) for start, pitch, level in notes),
    )


def _pong(random: Random) -> Samples:
    """Two hard strokes of a block and a drum."""
    strokes = [(start, level, block(523.3, random)) for start, level in ((0.0, 0.8), (0.14, 0.95))]
    return mix(
        0.65, (0, 0.8, tile(random, 0.92)), (0, 0.5, drum(random)), (0.14, 0.9, drum(random)), *strokes
    )


def _kong(random: Random) -> Samples:
    """A drum, then a small gong."""
    return mix(
        0.95,
        (0, 0.8, tile(random, 0.85)),
        (0, 0.9, drum(random)),
        (0.15, 0.85, gong(0.8, random)),
        (0.15, 0.5, drum(random)),
    )


def _win(random: Random) -> Samples:
    """A gong, and strings that run up to a last note."""
    run = [_G4, _A4, _C5, _D5, _E5, _G5]
    notes = [
        (0.10 + 0.075 * index, 0.5 + 0.05 * index, string(0.6, pitch, random))
        for index, pitch in enumerate(run)
    ]
    last = [(0.58, 0.9, string(0.85, _C5 * 2, random)), (0.58, 0.6, string(0.85, _C5, random))]
    return mix(
        1.4, (0, 0.9, drum(random)), (0.0, 0.55, gong(0.9, random)), *notes, *last, (0.58, 0.6, drum(random))
    )


RECIPES: Final = (
    Recipe(_PAGE / "move.wav", piece, 0.55),
    Recipe(_PAGE / "capture.wav", _capture, 0.6),
    Recipe(_PAGE / "check.wav", _check, 0.6),
    Recipe(_PAGE / "dice.wav", _dice, 0.5, bright=True),
    Recipe(_PAGE / "boom.wav", lambda random: explosion(0.59, random), 0.6),
    Recipe(_PAGE / "lowTime.wav", _low_time, 0.5),
    Recipe(_PAGE / "won.wav", _won, 0.5, room=1.2),
    Recipe(_PAGE / "lost.wav", _lost, 0.45, room=1.2),
    Recipe(_PAGE / "turn.wav", _turn, 0.45, room=1.2),
    Recipe(_PAGE / "seat.wav", _seat, 0.55, room=1.3),
    Recipe(_PAGE / "chat.wav", _chat, 0.3),
    Recipe(_GAMES / "gomoku" / "sounds" / "stone.wav", stone, 0.6, bright=True),
    Recipe(_GAMES / "tictactoe" / "sounds" / "mark.wav", _mark, 0.35, room=0.5, bright=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "tile.wav", tile, 0.55, bright=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "draw.wav", _tile_drawn, 0.25, bright=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "deal.wav", _deal, 0.4, bright=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "chow.wav", _chow, 0.5, call=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "pong.wav", _pong, 0.6, call=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "kong.wav", _kong, 0.6, call=True),
    Recipe(_GAMES / "mahjong" / "sounds" / "win.wav", _win, 0.6, room=1.2, call=True),
)
