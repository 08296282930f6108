"""Probability that needed tiles arrive, and what a hand earns by it, from counts of many hands.

The rates say how often, in one go-round, the others discard an unseen kind, or a hand wins on it. Honours are
discarded early, the middle of a suit late.
"""

from collections.abc import Sequence
from functools import lru_cache
from math import exp
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.tiles import EAST, KINDS

Rates = tuple[tuple[float, ...], ...]
_PHASE_LIMITS: Final = (3, 6, 9)
"""Last number of own discards for each row of a table; the last row is for all later ones."""
_COLUMNS: Final = 8
"""Columns: honours with 1, 2, 3, 4 unseen tiles, then 1 and 9, 2 and 8, 3 and 7, 4 to 6."""
DISCARD_RATES: Final[Rates] = (
    (6.99, 8.30, 11.28, 9.52, 3.57, 1.69, 0.79, 0.44),
    (4.13, 4.44, 4.86, 5.09, 5.01, 3.31, 2.01, 1.32),
    (4.31, 4.40, 4.00, 3.02, 4.22, 3.45, 2.54, 1.82),
    (5.42, 4.78, 4.12, 2.48, 4.02, 3.32, 2.57, 1.92),
)
"""How often any other seat discards a kind, relative to its share of the unseen tiles."""
PREVIOUS_PLAYER_RATES: Final[Rates] = (
    (1.75, 1.97, 3.20, 3.30, 1.31, 0.63, 0.30, 0.16),
    (1.31, 1.43, 1.51, 1.63, 1.64, 1.12, 0.70, 0.47),
    (1.45, 1.45, 1.34, 0.97, 1.37, 1.15, 0.86, 0.63),
    (1.77, 1.60, 1.34, 0.89, 1.34, 1.10, 0.86, 0.65),
)
"""The same for the previous seat, whose discards can be chowed."""
WIN_RATES: Final[Rates] = (
    (4.5, 7.0, 7.0, 7.0, 4.6, 2.2, 1.04, 0.6),
    (4.2, 5.2, 5.2, 5.2, 4.2, 3.2, 2.17, 1.35),
    (2.0, 3.2, 3.2, 3.0, 3.34, 2.77, 2.16, 1.57),
    (1.7, 3.2, 3.2, 2.5, 2.71, 2.41, 1.88, 1.41),
)
"""How often a ready hand wins on a discard of a kind."""
SELF_DRAW_FACTORS: Final = (0.9, 0.75, 0.66, 0.54)
"""How often it wins by its own draw, relative to the share: the hand may end before."""
DRAW_OR_PONG_FACTOR: Final = 0.85
"""How often a hand that is not ready gets a tile by a draw or a pong."""
CHOW_FACTOR: Final = 0.8
"""How often it chows a discard that it could chow."""
MAX_RATE: Final = 0.6
IMPROVEMENT_RATES: Final = (0.0, 0.231, 0.348, 0.474, 0.6, 0.7, 0.75, 0.8)
"""Probability that a go-round lowers the shanten, by shanten."""
READY_WIN_RATE: Final = 0.22
"""Probability that a ready player wins in one go-round."""
READY_TREND: Final = 0.42
"""Log-odds that a go-round adds to the readiness of each player."""
AVERAGE_LOSS: Final = 60.0
"""Average cost of another player's win."""


class FutureOdds(Struct, frozen=True):
    """Odds of the next go-rounds: the probability that each ends the hand, and rates by kind."""

    hand_ends: tuple[float, ...]
    discarded: tuple[float, ...]
    from_previous_player: tuple[float, ...]
    won_on: tuple[float, ...]
    self_draw: float


class ReadyOdds(Struct, frozen=True):
    """A ready hand: rates of a self-drawn win and of a win on a discard, and their payments."""

    self_draw: float
    on_discard: float
    self_draw_pays: float
    on_discard_pays: float


def future_odds(unseen: bytes, discards: int, turns: int, leanings: Sequence[float]) -> FutureOdds:
    """Return the odds after this many own discards; `leanings` are the others' log-odds of being ready."""
    phase = sum(discards > last for last in _PHASE_LIMITS)
    total = max(1, sum(unseen))
    shares = [count / total for count in unseen]
    columns = [_rate_column(kind, unseen[kind]) for kind in range(KINDS)]
    hand_ends = [
        READY_WIN_RATE * sum([probability(log_odds + READY_TREND * (turn + 0.5)) for log_odds in leanings])
        for turn in range(turns)
    ]
    rates = [
        tuple([share * row[column] for share, column in zip(shares, columns, strict=True)])
        for row in (DISCARD_RATES[phase], PREVIOUS_PLAYER_RATES[phase], WIN_RATES[phase])
    ]
    return FutureOdds(tuple(hand_ends), rates[0], rates[1], rates[2], SELF_DRAW_FACTORS[phase])


def probability(log_odds: float) -> float:
    """Return the probability of log-odds."""
    return 1 / (1 + exp(-log_odds))


def arrival_rate(odds: FutureOdds, share: float, counts: bytes, kind: int) -> float:
    """Return the rate per go-round at which a hand that is not ready draws or claims a kind."""
    rate = DRAW_OR_PONG_FACTOR * share
    if counts[kind] >= 2:
        rate += DRAW_OR_PONG_FACTOR * odds.discarded[kind]
    elif kind < EAST and completes_run(counts, kind):
        rate += CHOW_FACTOR * odds.from_previous_player[kind]
    return min(rate, MAX_RATE)


def ready_hand_values(odds: FutureOdds, hand: ReadyOdds) -> tuple[float, ...]:
    """Return the expected earnings of a ready hand from each go-round on."""
    gain = hand.self_draw * hand.self_draw_pays + hand.on_discard * hand.on_discard_pays
    continues = 1 - hand.self_draw - hand.on_discard
    value = 0.0
    values = [value]
    for hand_ends in reversed(odds.hand_ends):
        value = gain + continues * ((1 - hand_ends) * value - hand_ends * AVERAGE_LOSS)
        values.append(value)
    return tuple(values[::-1])


def improving_hand_values(odds: FutureOdds, rate: float, after: Sequence[float]) -> tuple[float, ...]:
    """Return the expected earnings of a hand that becomes another at this rate; `after` are those then."""
    rate = min(rate, 0.95)
    value = 0.0
    values = [value]
    for turn in range(len(odds.hand_ends) - 1, -1, -1):
        hand_ends = odds.hand_ends[turn]
        value = (1 - hand_ends) * (rate * after[turn + 1] + (1 - rate) * value) - hand_ends * AVERAGE_LOSS
        values.append(value)
    return tuple(values[::-1])


def completes_run(counts: bytes, kind: int) -> bool:
    """Tell whether a kind makes a run with two tiles of the hand."""
    value = kind % 9
    below = value > 0 and counts[kind - 1]
    above = value < 8 and counts[kind + 1]
    return bool(
        (below and above)
        or (below and value > 1 and counts[kind - 2])
        or (above and value < 7 and counts[kind + 2])
    )


@lru_cache(maxsize=KINDS * 5)
def _rate_column(kind: int, unseen: int) -> int:
    if kind >= EAST:
        return max(unseen, 1) - 1
    value = kind % 9
    return _COLUMNS // 2 + min(value, 8 - value, 3)
