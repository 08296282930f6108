"""The 144 tiles: ids, kinds and names."""

from collections.abc import Iterable
from typing import Final

TILES: Final = 144
KINDS: Final = 34
"""Kinds that a hand is made of: 0-8 萬, 9-17 筒, 18-26 條, 27-30 東南西北, 31-33 中發白."""
COPIES: Final = 4
EAST: Final = 27
DRAGON: Final = 31
FLOWER: Final = 34
"""The first of the flowers, kinds 34 to 41: 梅蘭竹菊春夏秋冬."""
ALL_KINDS: Final = 42

WINDS: Final = tuple(range(EAST, DRAGON))
DRAGONS: Final = tuple(range(DRAGON, FLOWER))
FLOWERS: Final = tuple(range(FLOWER, ALL_KINDS))
ORPHANS: Final = (0, 8, 9, 17, 18, 26, *WINDS, *DRAGONS)
"""Ones, nines and honours."""

NAMES: Final = (
    *(f"{value}{suit}" for suit in "萬筒條" for value in range(1, 10)),
    *"東南西北中發白梅蘭竹菊春夏秋冬",
)
_FIRSTS: Final = (0, 9, 18, EAST, DRAGON, FLOWER)
FACES: Final = tuple(
    (face, kind - first + 1)
    for face, (first, end) in enumerate(zip(_FIRSTS, (*_FIRSTS[1:], ALL_KINDS), strict=True))
    for kind in range(first, end)
)
"""Type and value of each kind: types 0 萬, 1 筒, 2 條, 3 風, 4 元, 5 花; values from 1."""


def kind_of(tile: int) -> int:
    """Return the kind of a tile."""
    return tile >> 2 if tile < KINDS * COPIES else tile - KINDS * (COPIES - 1)


def tiles_of(kind: int) -> range:
    """Return all tiles of a kind: four, or one for a flower."""
    if kind < FLOWER:
        return range(kind * COPIES, kind * COPIES + COPIES)
    return range(kind + KINDS * (COPIES - 1), kind + KINDS * (COPIES - 1) + 1)


def is_flower(kind: int) -> bool:
    """Tell whether this kind is one of the eight flowers."""
    return kind >= FLOWER


def owner_of(flower: int) -> int:
    """Return the wind to which a flower belongs: 0 East, 1 South, 2 West, 3 North."""
    return (flower - FLOWER) % 4


def counts_of(kinds: Iterable[int]) -> bytes:
    """Return the number of tiles of each kind, without flowers."""
    counts = bytearray(KINDS)
    for kind in kinds:
        counts[kind] += 1
    return bytes(counts)


def kinds_of(counts: Iterable[int]) -> tuple[int, ...]:
    """Return the kinds of such counts, in order, repeated by count."""
    return tuple(kind for kind, count in enumerate(counts) for _ in range(count))
