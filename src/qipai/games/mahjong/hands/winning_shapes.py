"""Winning shapes: every way in which a hand falls into sets and a pair, and the shapes without sets.

Hands are counts per kind. A suit is looked at alone and remembered, since the same few suits come again
and again: what a hand is worth follows from its three suits and its honours.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, Literal

from msgspec import Struct

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.tiles import COPIES, EAST, KINDS, ORPHANS

Form = Literal["chow", "pong", "kong", "ckong", "akong"]
"""吃, 碰, 明槓, 暗槓, 加槓."""
FORMS: Final[tuple[Form, ...]] = ("chow", "pong", "kong", "ckong", "akong")
KONGS: Final = frozenset({"kong", "ckong", "akong"})

SETS: Final = "sets"
SEVEN_PAIRS: Final = "seven_pairs"
LIGU: Final = "ligu"
THIRTEEN_ORPHANS: Final = "thirteen_orphans"

RUN: Final = 64
"""A run is written as this plus its lowest kind, a pung as its kind."""
NO_PAIR: Final = -1
BOUNDS: Final = ((0, 9), (9, 18), (18, 27), (EAST, KINDS))
"""Where the suits and the honours begin and end."""

Split = tuple[tuple[int, ...], int]
"""Sets and the pair."""
Counts = Sequence[int]


class Meld(Struct, frozen=True):
    """A set on the table, or a concealed kong beside the hand."""

    form: Form
    kinds: tuple[int, ...]


def sets_in(variant: int) -> int:
    """Return how many sets a complete hand has beside its pair."""
    return variant // 3


def melded(melds: Sequence[Meld]) -> bytearray:
    """Return how many tiles of each kind lie in melds."""
    counts = bytearray(KINDS)
    for meld in melds:
        for kind in meld.kinds:
            counts[kind] += 1
    return counts


@lru_cache(maxsize=1 << 14)
def splits(group: int, counts: bytes) -> tuple[Split, ...]:
    """Return every way in which the tiles of a suit, or the honours, are sets and at most one pair."""
    start = BOUNDS[group][0]
    runs = start < EAST
    match sum(counts) % 3:
        case 0:
            return tuple((sets, NO_PAIR) for sets in _sets(list(counts), 0, start, runs))
        case 2:
            found: list[Split] = []
            for place, count in enumerate(counts):
                if count >= 2:
                    rest = list(counts)
                    rest[place] -= 2
                    found += [(sets, start + place) for sets in _sets(rest, 0, start, runs)]
            return tuple(found)
        case _:
            return ()


def _sets(rest: list[int], place: int, start: int, runs: bool) -> Iterator[tuple[int, ...]]:
    while place < len(rest) and not rest[place]:
        place += 1
    if place == len(rest):
        yield ()
        return
    if rest[place] >= 3:
        rest[place] -= 3
        for more in _sets(rest, place, start, runs):
            yield (start + place, *more)
        rest[place] += 3
    if runs and place < 7 and rest[place + 1] and rest[place + 2]:
        for step in range(3):
            rest[place + step] -= 1
        for more in _sets(rest, place, start, runs):
            yield (RUN + start + place, *more)
        for step in range(3):
            rest[place + step] += 1


def decompositions(counts: bytes) -> list[Split]:
    """Return every way in which these tiles are sets and one pair; pungs come before runs."""
    groups = [counts[start:end] for start, end in BOUNDS]
    if sum(sum(group) % 3 == 2 for group in groups) != 1:
        return []
    parts = [splits(number, group) for number, group in enumerate(groups)]
    return [
        (sum((sets for sets, _ in choice), ()), max(pair for _, pair in choice)) for choice in product(*parts)
    ]


def is_sets(counts: bytes) -> bool:
    """Tell whether these tiles are sets and one pair."""
    pairs = 0
    for number, (start, end) in enumerate(BOUNDS):
        found = splits(number, counts[start:end])
        if not found:
            return False
        pairs += found[0][1] != NO_PAIR
    return pairs == 1


def is_seven_pairs(counts: bytes, house: HouseRules) -> bool:
    """七對子: seven pairs; four equal tiles may count as two of them."""
    if house.four_as_two_pairs:
        return not any(count & 1 for count in counts)
    return counts.count(2) == 7


def is_ligu(counts: bytes, house: HouseRules) -> bool:
    """嚦咕嚦咕: seven pairs and a triplet."""
    if counts.count(3) != 1 or counts.count(1):
        return False
    return house.four_as_two_pairs or not counts.count(COPIES)


def is_thirteen_orphans(counts: bytes) -> bool:
    """十三么: each of the thirteen ones, nines and honours, and one of them twice."""
    return all(counts[kind] for kind in ORPHANS) and sum(counts[kind] for kind in ORPHANS) == 14


def special(counts: bytes, house: HouseRules) -> tuple[str, ...]:
    """Return the shapes without sets that a whole hand without melds has."""
    size = sum(counts)
    found = []
    if size == 14 and house.seven_pairs and is_seven_pairs(counts, house):
        found.append(SEVEN_PAIRS)
    if size == 14 and house.thirteen_orphans and is_thirteen_orphans(counts):
        found.append(THIRTEEN_ORPHANS)
    if size == 17 and house.ligu and is_ligu(counts, house):
        found.append(LIGU)
    return tuple(found)


def is_complete(counts: Counts, melds: int, house: HouseRules) -> bool:
    """Tell whether the concealed tiles beside so many melds are a winning hand."""
    whole = bytes(counts)
    if sum(whole) + 3 * melds not in {14, 17}:
        return False
    return is_sets(whole) or (not melds and bool(special(whole, house)))
