"""Distance from a hand to the nearest complete one: 向聽數 and the tiles that lower it.

The distance counts tiles that are still to be drawn, against hands that can exist: no target takes
more than four tiles of a kind, those in melds included. So a hand is ready exactly when it waits for
something, and where no kind is used up the figure is 2N - 2·sets - partials - pair.
"""

from collections.abc import Sequence
from functools import lru_cache
from operator import add
from typing import Final

from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, EAST, KINDS, ORPHANS

from .winning_shapes import BOUNDS, Counts, Meld, melded, sets_in

_MOST: Final = 5
_FAR: Final = 99
Costs = tuple[int, ...]
"""Tiles to draw for so many sets without (2·sets) and with a pair (2·sets + 1), _FAR where impossible."""
_NOTHING: Final[Costs] = (0, *[_FAR] * (2 * _MOST + 1))
_NEVER: Final[Costs] = (_FAR,) * (2 * _MOST + 2)
_FULL: Final = bytes([COPIES] * KINDS)


def shanten(counts: Counts, melds: Sequence[Meld], variant: int, house: HouseRules = DEFAULT) -> int:
    """Return how many tiles the hand is away from being ready: -1 complete, 0 ready."""
    hand = bytes(counts)
    room = _room(melds)
    best = _distance(hand, room, sets_in(variant) - len(melds))
    if not melds:
        best = min(best, _special(hand, variant, house))
    return best - 1


def useful(
    counts: Counts, melds: Sequence[Meld], variant: int, house: HouseRules = DEFAULT
) -> tuple[int, ...]:
    """Return the kinds that bring the hand one tile nearer; those of a ready hand are its waits."""
    hand = bytes(counts)
    room = _room(melds)
    sets = sets_in(variant) - len(melds)
    now = _distance(hand, room, sets)
    # One tile brings any shape at most one tile nearer.
    apart = _special(hand, variant, house) if not melds else _FAR
    now = min(now, apart)
    found = []
    for start, end in BOUNDS:
        beside = _completed(hand[:start] + bytes(end - start) + hand[end:], room, sets)
        group, most = hand[start:end], room[start:end]
        for place, held in enumerate(group):
            if held == most[place]:
                continue
            more = group[:place] + bytes((held + 1,)) + group[place + 1 :]
            nearer = min(map(add, _group(more, most, start < EAST), beside)) < now
            if not nearer and apart == now:
                whole = hand[:start] + more + hand[end:]
                nearer = _special(whole, variant, house) < now
            if nearer:
                found.append(start + place)
    return tuple(found)


def _completed(hand: bytes, room: bytes, sets: int) -> list[int]:
    """Return for what one more group brings how many tiles are then still to be drawn."""
    costs = _costs(hand, room)
    found = []
    for more in range(2 * _MOST + 2):
        least = 2 * _FAR
        for index, cost in enumerate(costs):
            if not index & more & 1:
                made, pair = divmod(index + more, 2)
                if made <= sets:
                    least = min(least, cost + 3 * (sets - made) + 2 * (1 - pair))
        found.append(least)
    return found


def _room(melds: Sequence[Meld]) -> bytes:
    if not melds:
        return _FULL
    return bytes(COPIES - count for count in melded(melds))


def _distance(hand: bytes, room: bytes, sets: int) -> int:
    costs = _costs(hand, room)
    # A set of which no tile is held takes three, a pair two: there is always some kind left for them.
    return min(
        costs[2 * made + pair] + 3 * (sets - made) + 2 * (1 - pair)
        for made in range(sets + 1)
        for pair in (0, 1)
    )


def _costs(hand: bytes, room: bytes) -> Costs:
    costs = _NOTHING
    for start, end in BOUNDS:
        group = hand[start:end]
        if any(group):
            costs = _joined(costs, _group(group, room[start:end], start < EAST))
    return costs


@lru_cache(maxsize=1 << 14)
def _joined(one: Costs, other: Costs) -> Costs:
    best = list(_NEVER)
    for left, cost in enumerate(one):
        if cost < _FAR:
            for right in range(2 * _MOST + 2 - left):
                if not left & right & 1 and cost + other[right] < best[left + right]:
                    best[left + right] = cost + other[right]
    return tuple(best)


@lru_cache(maxsize=1 << 14)
def _group(hand: bytes, room: bytes, runs: bool) -> Costs:
    if runs:
        return _suit(hand, room, 0, 0)
    costs = _NOTHING
    for held, most in zip(hand, room, strict=True):
        if held:
            pair = max(0, 2 - held) if most >= 2 else _FAR
            pung = max(0, 3 - held) if most >= 3 else _FAR
            costs = _joined(costs, (0, pair, pung, *[_FAR] * (2 * _MOST - 1)))
    return costs


@lru_cache(maxsize=1 << 15)
def _suit(hand: bytes, room: bytes, older: int, newer: int) -> Costs:
    """Return the costs of a suit from some place on; runs begun two and one places before go on here."""
    if not hand:
        return _NEVER if older or newer else _NOTHING
    held, most = hand[0], room[0]
    best = list(_NEVER)
    # Three equal runs are three pungs; a set without any held tile is counted elsewhere.
    begun = min(2, sum(hand[:3])) if len(hand) >= 3 else 0
    for begin in range(begun + 1):
        taken = older + newer + begin
        if taken > most:
            break
        rest = _suit(hand[1:], room[1:], newer, begin)
        for extra, shift in ((0, 0), (2, 1), (3, 2)):
            if taken + extra > most or (extra and not held):
                break
            cost, more = max(0, taken + extra - held), 2 * begin + shift
            for index in range(2 * _MOST + 2 - more):
                if not index & more & 1 and cost + rest[index] < best[index + more]:
                    best[index + more] = cost + rest[index]
    return tuple(best)


def _special(hand: bytes, variant: int, house: HouseRules) -> int:
    best = _FAR
    if variant == 13:
        if house.seven_pairs:
            best = _pairs(hand, house)
        if house.thirteen_orphans:
            orphans = [hand[kind] for kind in ORPHANS if hand[kind]]
            best = min(best, 14 - len(orphans) - (max(orphans, default=0) > 1))
    elif house.ligu:
        # The triplet may grow from any kind; all that matters is how many of it are held.
        for held in set(hand):
            rest = bytearray(hand)
            rest[hand.index(held)] = 0
            best = min(best, max(0, 3 - held) + _pairs(bytes(rest), house))
    return best


def _pairs(hand: bytes, house: HouseRules) -> int:
    fours, threes = hand.count(4), hand.count(3)
    made, single = hand.count(2) + threes + fours, hand.count(1)
    if house.four_as_two_pairs:
        made, single = made + fours, single + threes
    missing = max(0, 7 - made)
    return missing + max(0, missing - single)
