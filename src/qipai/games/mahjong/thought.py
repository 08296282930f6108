"""The strong player's decisions: what a hand will earn, less what a discard may cost."""

from collections.abc import Sequence
from typing import Final

from . import plain
from .danger import Threat, risk, threats
from .plans import Purse, worth
from .shapes import Meld
from .sight import KIND, Sight, fewer
from .values import AnyMove, Discard, Kong, Pass, View

CARE: Final = 1.0
"""What a point that is lost counts, against one that is won."""
NEARER: Final = 0.8
"""What a claim must promise, against the hand as it is, if it brings that nearer."""
OTHERWISE: Final = 1.25
"""What it must promise if it does not."""


def turn(view: View, seen: Sight, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the discard or kong that earns most."""
    purse, feared = _purse(view, seen), threats(view, seen)
    kinds = {KIND[move.tile] for move in moves if isinstance(move, Discard)}
    best, kind = _discard(seen, seen.counts, seen.melds, purse, feared, kinds)
    for move in moves:
        if isinstance(move, Kong) and move.tile is not None:
            counts, melds = plain.konged(seen, KIND[move.tile])
            if worth(seen, counts, melds, purse) >= best:
                return move
    return plain.discard_of(kind, moves)


def claim(view: View, seen: Sight, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the claim that earns more than to pass, or to pass."""
    purse, feared = _purse(view, seen), threats(view, seen)
    # Whoever passes must discard as well, a little later.
    cheapest = min(risk(feared, kind)[1] for kind, count in enumerate(seen.counts) if count)
    hand = worth(seen, seen.counts, seen.melds, purse)
    away = plain.shanten(seen.counts, seen.melds, seen.variant, seen.house)
    best = 0.0
    chosen: AnyMove = Pass()
    for move in moves:
        if view.tile is None or isinstance(move, Pass):
            continue
        counts, melds = plain.after_claim(seen, view.tile, move)
        if isinstance(move, Kong):
            earned = worth(seen, counts, melds, purse)
            near = plain.shanten(counts, melds, seen.variant, seen.house)
        else:
            earned, kind = _discard(seen, counts, melds, purse, feared, None)
            near = plain.shanten(fewer(counts, kind), melds, seen.variant, seen.house)
        gain = earned - (NEARER if near < away else OTHERWISE) * hand + CARE * cheapest
        if gain > best:
            best, chosen = gain, move
    return chosen


def _discard(
    seen: Sight,
    counts: bytes,
    melds: tuple[Meld, ...],
    purse: Purse,
    feared: list[Threat],
    allowed: set[int] | None,
) -> tuple[float, int]:
    found = []
    for kind, count in enumerate(counts):
        if count and (allowed is None or kind in allowed):
            chance, cost = risk(feared, kind)
            earned = worth(seen, fewer(counts, kind), melds, purse)
            found.append(((1 - chance) * earned - CARE * cost, kind))
    return max(found)


def _purse(view: View, seen: Sight) -> Purse:
    dealer = 1 + 2 * view.streak
    # The others' hands pay the dealer's tai only if the dealer is the one who pays.
    tai = dealer if view.dealer == seen.seat else dealer / 3
    return Purse(tai, len(view.players[seen.seat].discards), seen.turns)
