"""Shanten (向聽數): tiles missing to a ready hand, and which tiles lower it.

The distance counts the tiles to draw to the nearest complete hand that can exist: at most four tiles of a
kind, melds included. So a hand is ready exactly if it has a wait. If no kind is used up, the distance is
2N - 2·sets - partials - pair.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import Final

from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, EAST, KINDS, ORPHANS

from .winning_shapes import BOUNDS, Counts, Meld, melded_counts, set_count

_MAX_SETS: Final = 5
_IMPOSSIBLE: Final = 99
Costs = tuple[int, ...]
"""Tiles to draw for each number of sets, by index: 2·sets without, 2·sets + 1 with a pair."""
_NO_COST: Final[Costs] = (0, *[_IMPOSSIBLE] * (2 * _MAX_SETS + 1))
_ALL_IMPOSSIBLE: Final[Costs] = (_IMPOSSIBLE,) * (2 * _MAX_SETS + 2)
_ALL_COPIES: Final = bytes([COPIES] * KINDS)


def shanten(counts: Counts, melds: Sequence[Meld], variant: int, house: HouseRules = DEFAULT) -> int:
    """Return the number of tiles missing to a ready hand: -1 complete, 0 ready."""
    hand = bytes(counts)
    available = _available_copies(melds)
    best = _distance(hand, available, set_count(variant) - len(melds))
    if not melds:
        best = min(best, _special_distance(hand, variant, house))
    return best - 1


def useful_kinds(
    counts: Counts, melds: Sequence[Meld], variant: int, house: HouseRules = DEFAULT
) -> tuple[int, ...]:
    """Return the kinds that lower the shanten; those of a ready hand are its waits."""
    hand = bytes(counts)
    available = _available_copies(melds)
    sets = set_count(variant) - len(melds)
    now = _distance(hand, available, sets)
    # One tile lowers the distance to any shape by at most one.
    special_distance = _special_distance(hand, variant, house) if not melds else _IMPOSSIBLE
    now = min(now, special_distance)
    kinds = []
    for start, end in BOUNDS:
        other_costs = _completion_costs(hand[:start] + bytes(end - start) + hand[end:], available, sets)
        group, group_available = hand[start:end], available[start:end]
        for index, held in enumerate(group):
            if held == group_available[index]:
                continue
            larger = group[:index] + bytes((held + 1,)) + group[index + 1 :]
            nearer = min(map(add, _group_costs(larger, group_available, start < EAST), other_costs)) < now
            if not nearer and special_distance == now:
                larger_hand = hand[:start] + larger + hand[end:]
                nearer = _special_distance(larger_hand, variant, house) < now
            if nearer:
                kinds.append(start + index)
    return tuple(kinds)


def _completion_costs(hand: bytes, available: bytes, sets: int) -> list[int]:
    """Return the tiles to draw in total for each index of `Costs` that one more group adds."""
    costs = _costs(hand, available)
    costs_left = []
    for added in range(2 * _MAX_SETS + 2):
        cost_left = 2 * _IMPOSSIBLE
        for index, cost in enumerate(costs):
            if not index & added & 1:
                sets_made, pair = divmod(index + added, 2)
                if sets_made <= sets:
                    cost_left = min(cost_left, cost + 3 * (sets - sets_made) + 2 * (1 - pair))
        costs_left.append(cost_left)
    return costs_left


def _available_copies(melds: Sequence[Meld]) -> bytes:
    if not melds:
        return _ALL_COPIES
    return bytes(COPIES - count for count in melded_counts(melds))


def _distance(hand: bytes, available: bytes, sets: int) -> int:
    costs = _costs(hand, available)
    # A set without any held tile takes three tiles, a pair two: some kind always has enough copies.
    return min(
        costs[2 * sets_made + pair] + 3 * (sets - sets_made) + 2 * (1 - pair)
        for sets_made in range(sets + 1)
        for pair in (0, 1)
    )


def _costs(hand: bytes, available: bytes) -> Costs:
    costs = _NO_COST
    for start, end in BOUNDS:
        group = hand[start:end]
        if any(group):
            costs = _combined(costs, _group_costs(group, available[start:end], start < EAST))
    return costs


@lru_cache(maxsize=1 << 14)
def _combined(first: Costs, second: Costs) -> Costs:
    best = list(_ALL_IMPOSSIBLE)
    for left, cost in enumerate(first):
        if cost < _IMPOSSIBLE:
            for right in range(2 * _MAX_SETS + 2 - left):
                if not left & right & 1 and cost + second[right] < best[left + right]:
                    best[left + right] = cost + second[right]
    return tuple(best)


@lru_cache(maxsize=1 << 14)
def _group_costs(hand: bytes, available: bytes, runs: bool) -> Costs:
    if runs:
        return _suit_costs(hand, available, 0, 0)
    costs = _NO_COST
    for count, copies in zip(hand, available, strict=True):
        if count:
            pair = max(0, 2 - count) if copies >= 2 else _IMPOSSIBLE
            pung = max(0, 3 - count) if copies >= 3 else _IMPOSSIBLE
            costs = _combined(costs, (0, pair, pung, *[_IMPOSSIBLE] * (2 * _MAX_SETS - 1)))
    return costs


@lru_cache(maxsize=1 << 15)
def _suit_costs(hand: bytes, available: bytes, started_two_back: int, started_one_back: int) -> Costs:
    """Return the costs of the rest of a suit; runs started one and two kinds before continue here."""
    if not hand:
        return _ALL_IMPOSSIBLE if started_two_back or started_one_back else _NO_COST
    count, copies = hand[0], available[0]
    best = list(_ALL_IMPOSSIBLE)
    # Three equal runs are three pungs; `_distance` counts a set without any held tile.
    max_runs = min(2, sum(hand[:3])) if len(hand) >= 3 else 0
    for runs in range(max_runs + 1):
        used = started_two_back + started_one_back + runs
        if used > copies:
            break
        rest_costs = _suit_costs(hand[1:], available[1:], started_one_back, runs)
        for set_tiles, shift in ((0, 0), (2, 1), (3, 2)):
            if used + set_tiles > copies or (set_tiles and not count):
                break
            cost, added = max(0, used + set_tiles - count), 2 * runs + shift
            for index in range(2 * _MAX_SETS + 2 - added):
                if not index & added & 1 and cost + rest_costs[index] < best[index + added]:
                    best[index + added] = cost + rest_costs[index]
    return tuple(best)


def _special_distance(hand: bytes, variant: int, house: HouseRules) -> int:
    best = _IMPOSSIBLE
    if variant == 13:
        if house.seven_pairs:
            best = _pair_distance(hand, house)
        if house.thirteen_orphans:
            orphans = [hand[kind] for kind in ORPHANS if hand[kind]]
            best = min(best, 14 - len(orphans) - (max(orphans, default=0) > 1))
    elif house.ligu:
        # The triplet may be of any kind; only the number of held tiles of the kind matters.
        for count in set(hand):
            other_kinds = bytearray(hand)
            other_kinds[hand.index(count)] = 0
            best = min(best, max(0, 3 - count) + _pair_distance(bytes(other_kinds), house))
    return best


def _pair_distance(hand: bytes, house: HouseRules) -> int:
    fours, threes = hand.count(4), hand.count(3)
    pairs, singles = hand.count(2) + threes + fours, hand.count(1)
    if house.four_as_two_pairs:
        pairs, singles = pairs + fours, singles + threes
    missing = max(0, 7 - pairs)
    return missing + max(0, missing - singles)
