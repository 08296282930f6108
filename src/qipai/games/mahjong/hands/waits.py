"""Waits: which kinds make a hand complete, and which discards leave it waiting."""

from collections.abc import Sequence
from functools import lru_cache

from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, ORPHANS

from .winning_shapes import BOUNDS, Counts, Meld, is_sets, melded, special, splits


@lru_cache(maxsize=1 << 14)
def finishers(group: int, counts: bytes) -> tuple[int, ...]:
    """Return the kinds of a suit, or honours, with which its tiles become sets and at most one pair."""
    start = BOUNDS[group][0]
    found = []
    for place, count in enumerate(counts):
        # A tile with no neighbour in hand finishes nothing.
        if count or any(counts[max(0, place - 2) : place + 3]):
            more = counts[:place] + bytes((count + 1,)) + counts[place + 1 :]
            if splits(group, more):
                found.append(start + place)
    return tuple(found)


def waits(counts: Counts, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT) -> tuple[int, ...]:
    """Return the kinds that complete the hand, in order.

    Kinds of which the player holds all four, melds included, are no waits; tiles seen elsewhere do
    not matter.
    """
    hand = bytes(counts)
    found = set(_set_waits(hand))
    if not melds:
        found |= _special_waits(hand, house)
    if not found:
        return ()
    lying = melded(melds)
    return tuple(kind for kind in sorted(found) if hand[kind] + lying[kind] < COPIES)


def completes(
    counts: Counts, kind: int, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT, *, declared: int = 0
) -> bool:
    """Tell whether one more tile of this kind wins: the question after every discard.

    `declared` is the number of melds where the caller has no need to name them.
    """
    hand = bytearray(counts)
    hand[kind] += 1
    whole = bytes(hand)
    lying = len(melds) or declared
    if sum(whole) + 3 * lying not in {14, 17}:
        return False
    if whole[kind] + sum(meld.kinds.count(kind) for meld in melds) > COPIES:
        return False
    return is_sets(whole) or (not lying and bool(special(whole, house)))


def discards_that_stay_ready(
    counts: Counts, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT
) -> dict[int, tuple[int, ...]]:
    """Return for each discard that leaves the hand ready what it then waits for."""
    hand = bytearray(counts)
    found = {}
    for kind, count in enumerate(counts):
        if count:
            hand[kind] -= 1
            if waiting := waits(hand, melds, house):
                found[kind] = waiting
            hand[kind] += 1
    return found


def _set_waits(hand: bytes) -> tuple[int, ...]:
    groups = [hand[start:end] for start, end in BOUNDS]
    one, two = [], []
    for number, group in enumerate(groups):
        match sum(group) % 3:
            case 0:
                if not splits(number, group):
                    return ()
            case 1:
                one.append(number)
            case _:
                two.append(number)
    match one, two:
        case [number], []:
            return finishers(number, groups[number])
        case [], [first, second]:
            # The pair is in one of the two groups, the tile that is missing in the other.
            left = finishers(first, groups[first]) if splits(second, groups[second]) else ()
            right = finishers(second, groups[second]) if splits(first, groups[first]) else ()
            return left + right
        case _:
            return ()


def _special_waits(hand: bytes, house: HouseRules) -> set[int]:
    found: set[int] = set()
    odd = [kind for kind, count in enumerate(hand) if count & 1]
    fours = hand.count(COPIES)
    match sum(hand):
        case 13:
            if house.seven_pairs and len(odd) == 1:
                (kind,) = odd
                if house.four_as_two_pairs or (not fours and hand[kind] == 1):
                    found.add(kind)
            if house.thirteen_orphans:
                found |= _orphan_waits(hand)
        case 16 if house.ligu:
            if not odd and (house.four_as_two_pairs or not fours):
                found.update(kind for kind, count in enumerate(hand) if count == 2)
            elif len(odd) == 2 and (house.four_as_two_pairs or not fours):
                for kind, other in (odd, odd[::-1]):
                    if hand[other] == 3 and (house.four_as_two_pairs or hand[kind] == 1):
                        found.add(kind)
        case _:
            pass
    return found


def _orphan_waits(hand: bytes) -> set[int]:
    missing = [kind for kind in ORPHANS if not hand[kind]]
    if len(missing) > 1 or sum(hand[kind] for kind in ORPHANS) != 13:
        return set()
    return set(missing or ORPHANS)
