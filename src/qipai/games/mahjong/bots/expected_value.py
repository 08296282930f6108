"""What a hand will earn: near to ready by every tile that may come, further off by what is usual."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.hands import shanten_number
from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.scoring.payments import USUAL
from qipai.games.mahjong.scoring.tai_count import score
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.games.mahjong.tiles import DRAGONS, EAST, FLOWER, kinds_of, owner_of

from .draw_odds import STEPS, Outlook, Waiting, comes, nearing_value, outlook, waiting_value
from .visible_tiles import VisibleTiles, fewer, is_closed

shanten = lru_cache(maxsize=1 << 16)(shanten_number.shanten)
useful = lru_cache(maxsize=1 << 15)(shanten_number.useful)

USUAL_WAIT: Final = (0.065, 0.16)
"""How often a usual ready hand wins in one go-round, by itself and on another's tile."""
MEASURED: Final = ((0.94, 10.0), (1.1, 4.2), (0.91, -11.7), (0.92, -14.3), (1.0, -13.6))
"""What hands came to, against what was expected of them, by how far they were from ready."""
SURE: Final = 0.9
ONE_SUIT: Final = (2.0, 2.0, 0.7)
"""Tai that a hand with so few tiles of other suits may hope for."""


class Prospect(Struct, frozen=True):
    """How one hand is weighed: what its owner sees, what may come, and the dealer's tai in any win."""

    seen: VisibleTiles
    ahead: Outlook
    shares: tuple[float, ...]
    dealer: float


def prospect(seen: VisibleTiles, passed: int, leanings: Sequence[float], dealer: float) -> Prospect:
    """Return how hands are weighed after so many own discards."""
    whole = max(1, sum(seen.unseen))
    return Prospect(
        seen,
        outlook(seen.unseen, passed, seen.turns, leanings),
        tuple([left / whole for left in seen.unseen]),
        dealer,
    )


def worth(view: Prospect, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return what a hand before a draw will earn on average, losses to others included."""
    seen = view.seen
    away = max(0, shanten(counts, melds, seen.variant, seen.house))
    if away == 0:
        value = waiting_value(view.ahead, _ready(view, counts, melds))[0]
    elif away == 1:
        value = _nearly(view, counts, melds)
    else:
        value = _far(view, counts, melds, away)
    slope, offset = MEASURED[min(away, len(MEASURED) - 1)]
    return slope * value + offset


def _ready(view: Prospect, counts: bytes, melds: tuple[Meld, ...]) -> Waiting:
    """Return how often a ready hand wins, and what it then pays on average."""
    seen, ahead = view.seen, view.ahead
    alone = given = alone_paid = given_paid = 0.0
    for kind, claimed, drawn in _wins(counts, melds, seen.variant, seen.flowers, seen.wind, seen.prevailing):
        own, theirs = ahead.drawn * view.shares[kind], min(0.5, ahead.taken[kind])
        alone += own
        given += theirs
        alone_paid += own * 3 * _pay(drawn + view.dealer)
        given_paid += theirs * _pay(claimed + view.dealer)
    if not alone or not given:
        return Waiting(0.0, 0.0, 0.0, 0.0)
    less = min(1.0, SURE / (alone + given))
    return Waiting(alone * less, given * less, alone_paid / alone, given_paid / given)


def _nearly(view: Prospect, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return what a hand will earn that lacks one tile until it is ready, by each tile that may come."""
    seen, ahead = view.seen, view.ahead
    mixed = [0.0] * (len(ahead.ends) + 1)
    total = 0.0
    for kind in useful(counts, melds, seen.variant, seen.house):
        rate = comes(ahead, view.shares[kind], counts, kind)
        more = bytearray(counts)
        more[kind] += 1
        rests = _kept(bytes(more), melds, seen.variant, 0) if rate else ()
        if not rests:
            continue
        best = max([waiting_value(ahead, _ready(view, rest, melds)) for rest in rests])
        total += rate
        mixed = [sum_ + rate * value for sum_, value in zip(mixed, best, strict=True)]
    if not total:
        return nearing_value(ahead, 0.0, mixed)[0]
    return nearing_value(ahead, total, [value / total for value in mixed])[0]


def _far(view: Prospect, counts: bytes, melds: tuple[Meld, ...], away: int) -> float:
    ahead = view.ahead
    tai = _hope(view.seen, counts, melds) + view.dealer
    alone, given = USUAL_WAIT
    value = waiting_value(ahead, Waiting(alone, given, 3 * _pay(tai + 1), _pay(tai)))
    for step in range(1, away):
        usual = STEPS[min(step, len(STEPS) - 1)]
        value = nearing_value(ahead, _following(view, counts, melds) if away == 2 else usual, value)
    return nearing_value(ahead, _rate(view, counts, melds), value)[0]


def _rate(view: Prospect, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return how often a hand is helped in one go-round."""
    found = useful(counts, melds, view.seen.variant, view.seen.house)
    return sum([comes(view.ahead, view.shares[kind], counts, kind) for kind in found])


def _following(view: Prospect, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return how often a hand that lacks two tiles is helped by the second, once it has the first."""
    seen = view.seen
    total = whole = 0.0
    for kind in useful(counts, melds, seen.variant, seen.house):
        rate = comes(view.ahead, view.shares[kind], counts, kind)
        if rate:
            more = bytearray(counts)
            more[kind] += 1
            rests = _kept(bytes(more), melds, seen.variant, 1)
            total += rate * max([_rate(view, rest, melds) for rest in rests], default=0.0)
            whole += rate
    return total / whole if whole else 0.0


@lru_cache(maxsize=1 << 13)
def _kept(counts: bytes, melds: tuple[Meld, ...], variant: int, away: int) -> tuple[bytes, ...]:
    """Return what is left after each discard that leaves a hand so far from ready."""
    rests = [fewer(counts, kind) for kind, count in enumerate(counts) if count]
    return tuple([rest for rest in rests if shanten(rest, melds, variant) == away])


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
    for four in (range(FLOWER, FLOWER + 4), range(FLOWER + 4, FLOWER + 8)):
        mine = [flower for flower in flowers if flower in four]
        tai += 2 if len(mine) == len(four) else sum(owner_of(flower) == wind for flower in mine)
    return tai


def _pay(tai: float) -> float:
    return USUAL.base + USUAL.unit * tai


def _hope(seen: VisibleTiles, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the tai that a hand far from ready may come to: its flowers, its honours, one suit."""
    tai = 0.5 + 0.5 * is_closed(melds) + flower_tai(seen.flowers, seen.wind)
    lying = {meld.kinds[0] for meld in melds}
    for kind in (*DRAGONS, EAST + seen.wind, EAST + seen.prevailing):
        if kind in lying or counts[kind] >= 3:
            tai += 1
        elif counts[kind] == 2:
            tai += 0.3 * seen.unseen[kind]
    suits = [sum(counts[start : start + 9]) for start in (0, 9, 18)]
    for meld in melds:
        if meld.kinds[0] < EAST:
            suits[meld.kinds[0] // 9] += 3
    others = sum(suits) - max(suits)
    return tai + (ONE_SUIT[others] if others < len(ONE_SUIT) else 0.0)
