"""Waits: which tiles complete a hand, which discards keep it ready."""

from collections.abc import Sequence
from functools import lru_cache

from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, ORPHANS

from .winning_shapes import BOUNDS, Counts, Meld, is_sets_and_pair, melded_counts, special_shapes, splits


@lru_cache(maxsize=1 << 14)
def finishing_kinds(group: int, counts: bytes) -> tuple[int, ...]:
    """Return the kinds of a suit, or honours, that complete its tiles to sets and at most one pair."""
    start = BOUNDS[group][0]
    kinds = []
    for index, count in enumerate(counts):
        # A kind without a neighbour in hand completes nothing.
        if count or any(counts[max(0, index - 2) : index + 3]):
            larger = counts[:index] + bytes((count + 1,)) + counts[index + 1 :]
            if splits(group, larger):
                kinds.append(start + index)
    return tuple(kinds)


def waits(counts: Counts, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT) -> tuple[int, ...]:
    """Return the kinds that complete the hand, in order.

    A kind of which the player has all four, melds included, is no wait; tiles of other players do not
    matter.
    """
    hand = bytes(counts)
    kinds = set(_set_waits(hand))
    if not melds:
        kinds |= _special_waits(hand, house)
    if not kinds:
        return ()
    in_melds = melded_counts(melds)
    return tuple(kind for kind in sorted(kinds) if hand[kind] + in_melds[kind] < COPIES)


def completes(
    counts: Counts, kind: int, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT, *, declared: int = 0
) -> bool:
    """Tell whether one more tile of this kind completes the hand.

    `declared` is the number of melds, for a caller that does not name them.
    """
    hand = bytearray(counts)
    hand[kind] += 1
    complete = bytes(hand)
    meld_count = len(melds) or declared
    if sum(complete) + 3 * meld_count not in {14, 17}:
        return False
    if complete[kind] + sum(meld.kinds.count(kind) for meld in melds) > COPIES:
        return False
    return is_sets_and_pair(complete) or (not meld_count and bool(special_shapes(complete, house)))


def discards_that_stay_ready(
    counts: Counts, melds: Sequence[Meld] = (), house: HouseRules = DEFAULT
) -> dict[int, tuple[int, ...]]:
    """Return the waits after each discard that leaves the hand ready."""
    hand = bytearray(counts)
    by_discard = {}
    for kind, count in enumerate(counts):
        if count:
            hand[kind] -= 1
            if waiting := waits(hand, melds, house):
                by_discard[kind] = waiting
            hand[kind] += 1
    return by_discard


def _set_waits(hand: bytes) -> tuple[int, ...]:
    groups = [hand[start:end] for start, end in BOUNDS]
    one_over, two_over = [], []
    for number, group in enumerate(groups):
        match sum(group) % 3:
            case 0:
                if not splits(number, group):
                    return ()
            case 1:
                one_over.append(number)
            case _:
                two_over.append(number)
    match one_over, two_over:
        case [number], []:
            return finishing_kinds(number, groups[number])
        case [], [first, second]:
            # The pair is in one of the two groups, the missing tile in the other.
            left = finishing_kinds(first, groups[first]) if splits(second, groups[second]) else ()
            right = finishing_kinds(second, groups[second]) if splits(first, groups[first]) else ()
            return left + right
        case _:
            return ()


def _special_waits(hand: bytes, house: HouseRules) -> set[int]:
    kinds: set[int] = set()
    odd = [kind for kind, count in enumerate(hand) if count & 1]
    fours = hand.count(COPIES)
    match sum(hand):
        case 13:
            if house.seven_pairs and len(odd) == 1:
                (kind,) = odd
                if house.four_as_two_pairs or (not fours and hand[kind] == 1):
                    kinds.add(kind)
            if house.thirteen_orphans:
                kinds |= _orphan_waits(hand)
        case 16 if house.ligu:
            if not odd and (house.four_as_two_pairs or not fours):
                kinds.update(kind for kind, count in enumerate(hand) if count == 2)
            elif len(odd) == 2 and (house.four_as_two_pairs or not fours):
                for kind, other in (odd, odd[::-1]):
                    if hand[other] == 3 and (house.four_as_two_pairs or hand[kind] == 1):
                        kinds.add(kind)
        case _:
            pass
    return kinds


def _orphan_waits(hand: bytes) -> set[int]:
    missing = [kind for kind in ORPHANS if not hand[kind]]
    if len(missing) > 1 or sum(hand[kind] for kind in ORPHANS) != 13:
        return set()
    return set(missing or ORPHANS)
