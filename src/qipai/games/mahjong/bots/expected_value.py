"""Expected earnings of a hand: exact near ready, estimated further away."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.hands import shanten_number
from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.scoring.payments import DEFAULT_STAKES
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.games.mahjong.tiles import DRAGONS, EAST, FLOWER, kinds_of, owner_of

from .draw_odds import (
    IMPROVEMENT_RATES,
    FutureOdds,
    ReadyOdds,
    arrival_rate,
    future_odds,
    improving_hand_values,
    ready_hand_values,
)
from .visible_tiles import VisibleTiles, is_closed, without_kinds

shanten = lru_cache(maxsize=1 << 16)(shanten_number.shanten)
useful_kinds = lru_cache(maxsize=1 << 15)(shanten_number.useful_kinds)

TYPICAL_READY_ODDS: Final = (0.065, 0.16)
"""Rates of a typical ready hand per go-round: self-drawn win, win on a discard."""
CALIBRATION: Final = ((0.94, 10.0), (1.1, 4.2), (0.91, -11.7), (0.92, -14.3), (1.0, -13.6))
"""Slope and offset that fit the expected to the actual earnings, by shanten."""
MAX_WIN_RATE: Final = 0.9
ONE_SUIT_TAI: Final = (2.0, 2.0, 0.7)
"""Expected extra tai, by the number of tiles in other suits."""


class Valuation(Struct, frozen=True):
    """What the value of a hand depends on: visible tiles, odds, shares of unseen kinds, the dealer's tai."""

    visible: VisibleTiles
    odds: FutureOdds
    shares: tuple[float, ...]
    dealer_tai: float


def valuation_of(
    visible: VisibleTiles, discards: int, leanings: Sequence[float], dealer_tai: float
) -> Valuation:
    """Return the valuation after this many own discards."""
    total = max(1, sum(visible.unseen))
    return Valuation(
        visible,
        future_odds(visible.unseen, discards, visible.turns, leanings),
        tuple([count / total for count in visible.unseen]),
        dealer_tai,
    )


def hand_value(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the expected earnings of a hand before a draw, losses to others included."""
    visible = valuation.visible
    distance = max(0, shanten(counts, melds, visible.variant, visible.house))
    if distance == 0:
        value = ready_hand_values(valuation.odds, _ready_odds(valuation, counts, melds))[0]
    elif distance == 1:
        value = _one_away_value(valuation, counts, melds)
    else:
        value = _distant_value(valuation, counts, melds, distance)
    slope, offset = CALIBRATION[min(distance, len(CALIBRATION) - 1)]
    return slope * value + offset


def _ready_odds(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...]) -> ReadyOdds:
    """Return the odds of a ready hand and its average payments."""
    visible, odds = valuation.visible, valuation.odds
    self_draw = on_discard = self_draw_paid = on_discard_paid = 0.0
    for kind, claimed, drawn in _waits_with_tai(
        counts, melds, visible.variant, visible.flowers, visible.wind, visible.prevailing
    ):
        own_rate, discard_rate = odds.self_draw * valuation.shares[kind], min(0.5, odds.won_on[kind])
        self_draw += own_rate
        on_discard += discard_rate
        self_draw_paid += own_rate * 3 * _payment(drawn + valuation.dealer_tai)
        on_discard_paid += discard_rate * _payment(claimed + valuation.dealer_tai)
    if not self_draw or not on_discard:
        return ReadyOdds(0.0, 0.0, 0.0, 0.0)
    factor = min(1.0, MAX_WIN_RATE / (self_draw + on_discard))
    return ReadyOdds(
        self_draw * factor, on_discard * factor, self_draw_paid / self_draw, on_discard_paid / on_discard
    )


def _one_away_value(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the expected earnings of a hand of shanten 1, over each useful tile."""
    visible, odds = valuation.visible, valuation.odds
    weighted = [0.0] * (len(odds.hand_ends) + 1)
    total = 0.0
    for kind in useful_kinds(counts, melds, visible.variant, visible.house):
        rate = arrival_rate(odds, valuation.shares[kind], counts, kind)
        larger = bytearray(counts)
        larger[kind] += 1
        rests = _hands_at_shanten(bytes(larger), melds, visible.variant, 0) if rate else ()
        if not rests:
            continue
        best = max([ready_hand_values(odds, _ready_odds(valuation, rest, melds)) for rest in rests])
        total += rate
        weighted = [sum_ + rate * value for sum_, value in zip(weighted, best, strict=True)]
    if not total:
        return improving_hand_values(odds, 0.0, weighted)[0]
    return improving_hand_values(odds, total, [value / total for value in weighted])[0]


def _distant_value(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...], distance: int) -> float:
    odds = valuation.odds
    tai = _expected_tai(valuation.visible, counts, melds) + valuation.dealer_tai
    self_draw, on_discard = TYPICAL_READY_ODDS
    value = ready_hand_values(odds, ReadyOdds(self_draw, on_discard, 3 * _payment(tai + 1), _payment(tai)))
    for step in range(1, distance):
        typical = IMPROVEMENT_RATES[min(step, len(IMPROVEMENT_RATES) - 1)]
        value = improving_hand_values(
            odds, _second_step_rate(valuation, counts, melds) if distance == 2 else typical, value
        )
    return improving_hand_values(odds, _improvement_rate(valuation, counts, melds), value)[0]


def _improvement_rate(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the rate per go-round of tiles that lower the shanten."""
    kinds = useful_kinds(counts, melds, valuation.visible.variant, valuation.visible.house)
    return sum([arrival_rate(valuation.odds, valuation.shares[kind], counts, kind) for kind in kinds])


def _second_step_rate(valuation: Valuation, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the improvement rate of a hand of shanten 2 after its first improvement."""
    visible = valuation.visible
    weighted = total_rate = 0.0
    for kind in useful_kinds(counts, melds, visible.variant, visible.house):
        rate = arrival_rate(valuation.odds, valuation.shares[kind], counts, kind)
        if rate:
            larger = bytearray(counts)
            larger[kind] += 1
            rests = _hands_at_shanten(bytes(larger), melds, visible.variant, 1)
            weighted += rate * max([_improvement_rate(valuation, rest, melds) for rest in rests], default=0.0)
            total_rate += rate
    return weighted / total_rate if total_rate else 0.0


@lru_cache(maxsize=1 << 13)
def _hands_at_shanten(
    counts: bytes, melds: tuple[Meld, ...], variant: int, distance: int
) -> tuple[bytes, ...]:
    """Return the hands of this shanten that one discard leaves."""
    rests = [without_kinds(counts, kind) for kind, count in enumerate(counts) if count]
    return tuple([rest for rest in rests if shanten(rest, melds, variant) == distance])


@lru_cache(maxsize=1 << 14)
def _waits_with_tai(
    counts: bytes, melds: tuple[Meld, ...], variant: int, flowers: tuple[int, ...], wind: int, prevailing: int
) -> tuple[tuple[int, int, int], ...]:
    """Return each wait with its tai of a claimed and of a self-drawn win."""
    waits_found = []
    for kind in waits(counts, melds):
        hand = (*kinds_of(counts), kind)
        tai = [
            score_win(Win(variant, hand, kind, melds, drawn, wind, prevailing, flowers))
            for drawn in (False, True)
        ]
        claimed_tai, drawn_tai = [0 if score is None else score.total for score in tai]
        waits_found.append((kind, claimed_tai, drawn_tai))
    return tuple(waits_found)


def flower_tai(flowers: tuple[int, ...], wind: int) -> int:
    """Return the tai of flowers for an estimated win: 正花 and 花槓."""
    tai = 0
    for four in (range(FLOWER, FLOWER + 4), range(FLOWER + 4, FLOWER + 8)):
        own = [flower for flower in flowers if flower in four]
        tai += 2 if len(own) == len(four) else sum(owner_of(flower) == wind for flower in own)
    return tai


def _payment(tai: float) -> float:
    return DEFAULT_STAKES.base + DEFAULT_STAKES.unit * tai


def _expected_tai(visible: VisibleTiles, counts: bytes, melds: tuple[Meld, ...]) -> float:
    """Return the expected tai of a hand far from ready: flowers, honours, one suit."""
    tai = 0.5 + 0.5 * is_closed(melds) + flower_tai(visible.flowers, visible.wind)
    melded_kinds = {meld.kinds[0] for meld in melds}
    for kind in (*DRAGONS, EAST + visible.wind, EAST + visible.prevailing):
        if kind in melded_kinds or counts[kind] >= 3:
            tai += 1
        elif counts[kind] == 2:
            tai += 0.3 * visible.unseen[kind]
    suits = [sum(counts[start : start + 9]) for start in (0, 9, 18)]
    for meld in melds:
        if meld.kinds[0] < EAST:
            suits[meld.kinds[0] // 9] += 3
    others = sum(suits) - max(suits)
    return tai + (ONE_SUIT_TAI[others] if others < len(ONE_SUIT_TAI) else 0.0)
