"""Winning shapes: decomposes hands into sets and a pair; seven pairs, thirteen orphans.

Hands are counts per kind. Each suit is decomposed alone and cached, because the same suits occur often.
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
"""The code of a run is this plus its lowest kind; that of a pung is its kind."""
NO_PAIR: Final = -1
BOUNDS: Final = ((0, 9), (9, 18), (18, 27), (EAST, KINDS))
"""First and end kind of the suits and the honours."""

Split = tuple[tuple[int, ...], int]
"""Sets and the pair."""
Counts = Sequence[int]


class Meld(Struct, frozen=True):
    """A meld by kinds, concealed kongs included."""

    form: Form
    kinds: tuple[int, ...]


def set_count(variant: int) -> int:
    """Return the number of sets of a complete hand."""
    return variant // 3


def melded_counts(melds: Sequence[Meld]) -> bytearray:
    """Return the number of tiles of each kind in melds."""
    counts = bytearray(KINDS)
    for meld in melds:
        for kind in meld.kinds:
            counts[kind] += 1
    return counts


@lru_cache(maxsize=1 << 14)
def splits(group: int, counts: bytes) -> tuple[Split, ...]:
    """Return every decomposition of a suit, or the honours, into sets and at most one pair."""
    start = BOUNDS[group][0]
    runs = start < EAST
    match sum(counts) % 3:
        case 0:
            return tuple((sets, NO_PAIR) for sets in _sets(list(counts), 0, start, runs))
        case 2:
            with_pair: list[Split] = []
            for index, count in enumerate(counts):
                if count >= 2:
                    rest = list(counts)
                    rest[index] -= 2
                    with_pair += [(sets, start + index) for sets in _sets(rest, 0, start, runs)]
            return tuple(with_pair)
        case _:
            return ()


def _sets(rest: list[int], index: int, start: int, runs: bool) -> Iterator[tuple[int, ...]]:
    while index < len(rest) and not rest[index]:
        index += 1
    if index == len(rest):
        yield ()
        return
    if rest[index] >= 3:
        rest[index] -= 3
        for more in _sets(rest, index, start, runs):
            yield (start + index, *more)
        rest[index] += 3
    if runs and index < 7 and rest[index + 1] and rest[index + 2]:
        for step in range(3):
            rest[index + step] -= 1
        for more in _sets(rest, index, start, runs):
            yield (RUN + start + index, *more)
        for step in range(3):
            rest[index + step] += 1


def decompositions(counts: bytes) -> list[Split]:
    """Return every decomposition of these tiles into sets and one pair; pungs come before runs."""
    groups = [counts[start:end] for start, end in BOUNDS]
    if sum(sum(group) % 3 == 2 for group in groups) != 1:
        return []
    parts = [splits(number, group) for number, group in enumerate(groups)]
    return [
        (sum((sets for sets, _ in choice), ()), max(pair for _, pair in choice)) for choice in product(*parts)
    ]


def is_sets_and_pair(counts: bytes) -> bool:
    """Tell whether these tiles are sets and one pair."""
    pairs = 0
    for number, (start, end) in enumerate(BOUNDS):
        group_splits = splits(number, counts[start:end])
        if not group_splits:
            return False
        pairs += group_splits[0][1] != NO_PAIR
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


def special_shapes(counts: bytes, house: HouseRules) -> tuple[str, ...]:
    """Return the special shapes of a complete hand without melds."""
    size = sum(counts)
    shapes = []
    if size == 14 and house.seven_pairs and is_seven_pairs(counts, house):
        shapes.append(SEVEN_PAIRS)
    if size == 14 and house.thirteen_orphans and is_thirteen_orphans(counts):
        shapes.append(THIRTEEN_ORPHANS)
    if size == 17 and house.ligu and is_ligu(counts, house):
        shapes.append(LIGU)
    return tuple(shapes)


def is_complete(counts: Counts, melds: int, house: HouseRules) -> bool:
    """Tell whether the concealed tiles and this number of melds are a winning hand."""
    concealed = bytes(counts)
    if sum(concealed) + 3 * melds not in {14, 17}:
        return False
    return is_sets_and_pair(concealed) or (not melds and bool(special_shapes(concealed, house)))
