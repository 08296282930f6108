"""The strong player's decisions: what a hand will earn, less what a discard may cost."""

from collections.abc import Sequence
from math import inf
from typing import Final

from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.wire_types import AnyMove, Discard, Kong, Pass, View

from . import speed_strategy
from .discard_danger import Threat, leaning, risk, threats
from .expected_value import Prospect, prospect, shanten, worth
from .visible_tiles import KIND, VisibleTiles, fewer

STILL: Final = 20.0
"""What a claim must promise more if it does not bring the hand nearer."""
RETREAT: Final = 60.0
"""What a discard must save for each step that it takes the hand back."""
KONG: Final = 5.0
"""What a replacement tile is worth."""


def turn(view: View, seen: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the discard or kong that earns most."""
    ahead, feared = _prospect(view, seen), threats(view, seen)
    kinds = {KIND[move.tile] for move in moves if isinstance(move, Discard)}
    best, kind = _discard(ahead, seen.counts, seen.melds, feared, kinds)
    away = shanten(seen.counts, seen.melds, seen.variant, seen.house)
    for move in moves:
        if isinstance(move, Kong) and move.tile is not None:
            counts, melds = speed_strategy.konged(seen, KIND[move.tile])
            near = shanten(counts, melds, seen.variant, seen.house) <= away
            if near and worth(ahead, counts, melds) + KONG >= best:
                return move
    return speed_strategy.discard_of(kind, moves)


def claim(view: View, seen: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the claim that earns more than to pass, or to pass."""
    claims = [move for move in moves if not isinstance(move, Pass)]
    if view.tile is None or not claims:
        return Pass()
    ahead, feared = _prospect(view, seen), threats(view, seen)
    # Whoever passes must discard as well, a little later.
    cheapest = min(risk(feared, kind)[1] for kind, count in enumerate(seen.counts) if count)
    best = worth(ahead, seen.counts, seen.melds) - cheapest
    away = shanten(seen.counts, seen.melds, seen.variant, seen.house)
    chosen: AnyMove = Pass()
    for move in claims:
        counts, melds = speed_strategy.after_claim(seen, view.tile, move)
        if isinstance(move, Kong):
            earned = worth(ahead, counts, melds)
        else:
            earned, kind = _discard(ahead, counts, melds, feared, None)
            counts = fewer(counts, kind)
        if shanten(counts, melds, seen.variant, seen.house) >= away:
            earned -= STILL
        if earned > best:
            best, chosen = earned, move
    return chosen


def _discard(
    ahead: Prospect,
    counts: bytes,
    melds: tuple[Meld, ...],
    feared: list[Threat],
    allowed: set[int] | None,
) -> tuple[float, int]:
    """Return what a hand is worth after its best discard, and its kind: back only from great danger."""
    seen = ahead.seen
    kinds = [kind for kind, count in enumerate(counts) if count and (allowed is None or kind in allowed)]
    rests = {kind: fewer(counts, kind) for kind in kinds}
    away = {kind: shanten(rest, melds, seen.variant, seen.house) for kind, rest in rests.items()}
    least = min(away.values())
    best = (-inf, 0, 0)
    dear = 0.0
    for kind in sorted(kinds, key=lambda kind: away[kind]):
        back = RETREAT * (away[kind] - least)
        chance, cost = risk(feared, kind)
        if back and dear - cost < back / 2:
            continue
        earned = (1 - chance) * (worth(ahead, rests[kind], melds) - back) - cost
        if (earned, -speed_strategy.keep(seen, kind), kind) > best:
            best, dear = (earned, -speed_strategy.keep(seen, kind), kind), cost
    return best[0], best[2]


def _prospect(view: View, seen: VisibleTiles) -> Prospect:
    dealer = 1 + 2 * view.streak
    leanings = [
        leaning(player, seen.variant) for seat, player in enumerate(view.players) if seat != seen.seat
    ]
    # The others' hands pay the dealer's tai only if the dealer is the one who pays.
    tai = dealer if view.dealer == seen.seat else dealer / 3
    return prospect(seen, len(view.players[seen.seat].discards), leanings, tai)
