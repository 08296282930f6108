"""What a hand may become, how likely that is, and what it would pay: the plans of the strong player.

Far from ready a hand is weighed by plans (a suit, pungs, pairs, anything), near to it by every tile that
may still come.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from . import distance
from .chances import FAIR, TYPICAL, closed_tai, helped, hidden, reach, rounded
from .house import DEFAULT
from .payment import USUAL
from .shapes import BOUNDS, Meld, sets_in
from .sight import Sight, fewer
from .tai import score
from .tiles import COPIES, DRAGONS, EAST, FLOWER, KINDS, ORPHANS, kinds_of, owner_of
from .waits import waits
from .win import Win

BARE: Final = replace(DEFAULT, seven_pairs=False, thirteen_orphans=False, ligu=False)
"""Sets and a pair only."""
SELF_DRAWN: Final = 1.6
"""What a win pays on average, against what one discarder pays for it."""
DOUBT: Final = 0.65
"""What comes of a plan, against what it promises: the best of several promises is often the vainest."""
DETOUR: Final = 1
"""How many more tiles than the quickest a plan may lack."""
PURE: Final = 8
MIXED: Final = 4
PUNGS: Final = 4
PAIRS: Final = 8
ALL_ORPHANS: Final = 16

shanten = lru_cache(maxsize=1 << 16)(distance.shanten)
useful = lru_cache(maxsize=1 << 15)(distance.useful)


class Purse(Struct, frozen=True):
    """What any win of this hand pays beside its shape: flowers, and the dealer's tai."""

    tai: float
    passed: int
    turns: int


def worth(seen: Sight, counts: bytes, melds: tuple[Meld, ...], purse: Purse) -> float:
    """Return what a hand before a draw will earn on average, if nobody is paid for it."""
    away = shanten(counts, melds, seen.variant, seen.house)
    # Near to ready every tile is looked at, and a plan is only what would be dearer and further.
    found = [
        _planned(seen, counts, melds, purse, *plan)
        for plan in _plans(seen, counts, melds)
        if away > 1 or plan[0] > away + 1
    ]
    if away <= 0:
        found.append(ready(seen, counts, melds, purse))
    elif away == 1:
        found.append(_nearly(seen, counts, melds, purse))
    return max(found)


def ready(seen: Sight, counts: bytes, melds: tuple[Meld, ...], purse: Purse) -> float:
    """Return what a hand will earn that waits for its last tile."""
    rate, paid = _last(seen, counts, melds, purse)
    return paid * reach((rounded(rate),), purse.passed, purse.turns)


def _last(seen: Sight, counts: bytes, melds: tuple[Meld, ...], purse: Purse) -> tuple[float, float]:
    """Return how often a winning tile comes in one go-round, and what it then pays on average."""
    total = paid = 0.0
    for kind, claimed, drawn in _wins(counts, melds, seen.variant, seen.flowers, seen.wind, seen.prevailing):
        rate = helped(seen, counts, kind, last=True)
        alone = FAIR * seen.unseen[kind] / hidden(seen)
        total += rate
        paid += (rate - alone) * _pay(claimed + purse.tai) + alone * 3 * _pay(drawn + purse.tai)
    return (total, paid / total) if total else (0.0, 0.0)


def _nearly(seen: Sight, counts: bytes, melds: tuple[Meld, ...], purse: Purse) -> float:
    """Return what a hand will earn that lacks one tile until it is ready, by each tile that may come."""
    steps = []
    for kind in useful(counts, melds, seen.variant, seen.house):
        rate = helped(seen, counts, kind)
        if not rate:
            continue
        more = bytearray(counts)
        more[kind] += 1
        best = max(
            (_last(seen, rest, melds, purse) for rest in _readied(bytes(more), melds, seen.variant)),
            key=lambda last: last[0] * last[1],
            default=(0.0, 0.0),
        )
        alone = FAIR * seen.unseen[kind] / hidden(seen)
        # Whoever claims gives 門清 up.
        lost = USUAL.unit * closed_tai(melds) * SELF_DRAWN * (1 - alone / rate)
        steps.append((rate, best[0], best[1] - lost))
    total = sum(rate for rate, _, _ in steps)
    return sum(
        rate / total * paid * reach((rounded(total), rounded(last)), purse.passed, purse.turns)
        for rate, last, paid in steps
    )


@lru_cache(maxsize=1 << 13)
def _readied(counts: bytes, melds: tuple[Meld, ...], variant: int) -> tuple[bytes, ...]:
    rests = [fewer(counts, kind) for kind, count in enumerate(counts) if count]
    return tuple([rest for rest in rests if not shanten(rest, melds, variant, DEFAULT)])


@lru_cache(maxsize=1 << 14)
def _wins(
    counts: bytes, melds: tuple[Meld, ...], variant: int, flowers: tuple[int, ...], wind: int, prevailing: int
) -> tuple[tuple[int, int, int], ...]:
    """Return each kind that a hand waits for, its tai claimed and self-drawn."""
    found = []
    for kind in waits(counts, melds):
        hand = (*kinds_of(counts), kind)
        tai = [
            score(Win(variant, hand, kind, melds, drawn, wind, prevailing, flowers))
            for drawn in (False, True)
        ]
        claimed, alone = [0 if one is None else one.total for one in tai]
        found.append((kind, claimed, alone))
    return tuple(found)


def flower_tai(flowers: tuple[int, ...], wind: int) -> int:
    """Return what flowers add to a win that is not counted exactly: 正花 and 花槓."""
    tai = 0
    for four in (flowers_of for flowers_of in (range(FLOWER, FLOWER + 4), range(FLOWER + 4, FLOWER + 8))):
        mine = [flower for flower in flowers if flower in four]
        tai += 2 if len(mine) == 4 else sum(owner_of(flower) == wind for flower in mine)
    return tai


def _pay(tai: float) -> float:
    return USUAL.base + USUAL.unit * tai


# Plans: how many tiles they lack, which kinds help, their tai, and whether they must claim nothing

Plan = tuple[int, tuple[int, ...], float, bool]


def _planned(
    seen: Sight,
    counts: bytes,
    melds: tuple[Meld, ...],
    purse: Purse,
    need: int,
    kinds: tuple[int, ...],
    tai: float,
    shut: bool,
) -> float:
    first = sum([helped(seen, counts, kind, last=need == 1, shut=shut) for kind in kinds])
    rates = [rounded(first)]
    for lacking in range(need - 1, 0, -1):
        typical = TYPICAL[min(lacking, len(TYPICAL) - 1)]
        # Whoever may not claim is helped by his own draws only, but for the last tile.
        rates.append(typical * 0.55 if shut and lacking > 1 else typical)
    extra = flower_tai(seen.flowers, seen.wind) + purse.tai
    return DOUBT * SELF_DRAWN * _pay(tai + extra) * reach(tuple(rates), purse.passed, purse.turns)


def _plans(seen: Sight, counts: bytes, melds: tuple[Meld, ...]) -> Iterator[Plan]:
    honours = _honour_tai(seen, counts, melds)
    need = usual = shanten(counts, melds, seen.variant, BARE) + 1
    yield need, _shortening(counts, melds, seen.variant), honours + 0.4 * closed_tai(melds) + 0.3, False
    lying = [meld.kinds[0] for meld in melds]
    for start, end in BOUNDS[:3]:
        if any(not start <= kind < end and kind < EAST for kind in lying):
            continue
        mixed = bytes(start) + counts[start:end] + bytes(EAST - end) + counts[EAST:]
        pure = mixed[:EAST] + bytes(KINDS - EAST)
        need = shanten(mixed, melds, seen.variant, BARE) + 1
        if need <= usual + DETOUR:
            yield need, _shortening(mixed, melds, seen.variant), honours + MIXED, False
        need = shanten(pure, melds, seen.variant, BARE) + 1
        if need <= usual + DETOUR and all(kind < EAST for kind in lying):
            yield need, _shortening(pure, melds, seen.variant), PURE, False
    if all(meld.form != "chow" for meld in melds):
        need, kinds = _pungs(seen, counts, melds)
        if need <= usual + DETOUR:
            yield need, kinds, honours + PUNGS + 0.5, False
    if not melds:
        need, kinds = _pairs(counts, seen.variant)
        if need <= usual + DETOUR:
            yield need, kinds, PAIRS, True
        if seen.variant == 13:
            need, kinds = _orphans(counts)
            if need <= usual + DETOUR:
                yield need, kinds, ALL_ORPHANS, True


@lru_cache(maxsize=1 << 15)
def _shortening(counts: bytes, melds: tuple[Meld, ...], variant: int) -> tuple[int, ...]:
    """Return the kinds beside those held that bring sets and a pair nearer."""
    now = shanten(counts, melds, variant, BARE)
    more = bytearray(counts)
    found = []
    for kind in range(KINDS):
        near = counts[kind]
        if kind < EAST:
            value = kind % 9
            near += sum(counts[kind - min(value, 2) : kind + min(8 - value, 2) + 1])
        if near and counts[kind] < COPIES:
            more[kind] += 1
            if distance.shanten(more, melds, variant, BARE) < now:
                found.append(kind)
            more[kind] -= 1
    return tuple(found)


def _pungs(seen: Sight, counts: bytes, melds: tuple[Meld, ...]) -> tuple[int, tuple[int, ...]]:
    sets = sets_in(seen.variant) - len(melds)
    able = [
        (min(count, 3), kind) for kind, count in enumerate(counts) if count and count + seen.unseen[kind] >= 3
    ]
    able.sort(reverse=True)
    chosen, rest = able[:sets], [kind for _, kind in able[sets:]]
    need = 3 * sets - sum(count for count, _ in chosen)
    pair = any(counts[kind] >= 2 for kind in rest)
    return need + (0 if pair else 1), tuple([kind for count, kind in chosen if count == 2] or rest)


def _pairs(counts: bytes, variant: int) -> tuple[int, tuple[int, ...]]:
    made = sum(count // 2 for count in counts)
    singles = tuple([kind for kind, count in enumerate(counts) if count & 1])
    if variant == 13:
        return max(1, 7 - made), singles
    return max(1, 8 - made + (3 not in counts)), singles


def _orphans(counts: bytes) -> tuple[int, tuple[int, ...]]:
    missing = tuple([kind for kind in ORPHANS if not counts[kind]])
    doubled = any(counts[kind] > 1 for kind in ORPHANS)
    return max(1, len(missing) + (not doubled)), missing if doubled else ORPHANS


def _honour_tai(seen: Sight, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return what pungs of dragons and of own winds add, those that are there and those that may come."""
    tai = 0.0
    lying = {meld.kinds[0] for meld in melds}
    for kind in (*DRAGONS, EAST + seen.wind, EAST + seen.prevailing):
        if kind in lying or counts[kind] >= 3:
            tai += 1
        elif counts[kind] == 2 and seen.unseen[kind]:
            tai += 0.3 * seen.unseen[kind]
    return tai
