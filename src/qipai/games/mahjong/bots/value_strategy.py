"""Bot strategy: expected earnings minus the danger of each discard."""

from collections.abc import Sequence
from math import inf
from typing import Final

from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.wire_types import AnyMove, Discard, Kong, Pass, View

from . import speed_strategy
from .discard_danger import Threat, discard_risk, ready_log_odds, threats
from .expected_value import Valuation, hand_value, shanten, valuation_of
from .visible_tiles import KIND_OF, VisibleTiles, without_kinds

NO_PROGRESS_PENALTY: Final = 20.0
"""What a claim must earn in addition if it does not lower the shanten."""
STEP_BACK_PENALTY: Final = 60.0
"""What a discard must save for each shanten that it adds."""
REPLACEMENT_TILE_VALUE: Final = 5.0
"""Value of a replacement tile."""


def choose_turn(view: View, visible: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the discard or kong with the highest expected earnings."""
    valuation, threats_found = _valuation(view, visible), threats(view, visible)
    kinds = {KIND_OF[move.tile] for move in moves if isinstance(move, Discard)}
    best, kind = _best_discard(valuation, visible.counts, visible.melds, threats_found, kinds)
    distance = shanten(visible.counts, visible.melds, visible.variant, visible.house)
    for move in moves:
        if isinstance(move, Kong) and move.tile is not None:
            counts, melds = speed_strategy.after_kong(visible, KIND_OF[move.tile])
            keeps_shanten = shanten(counts, melds, visible.variant, visible.house) <= distance
            if keeps_shanten and hand_value(valuation, counts, melds) + REPLACEMENT_TILE_VALUE >= best:
                return move
    return speed_strategy.discard_move(kind, moves)


def choose_claim(view: View, visible: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the claim that earns more than a pass, or a pass."""
    claims = [move for move in moves if not isinstance(move, Pass)]
    if view.tile is None or not claims:
        return Pass()
    valuation, threats_found = _valuation(view, visible), threats(view, visible)
    # After a pass a discard follows too, a little later.
    cheapest = min(discard_risk(threats_found, kind)[1] for kind, count in enumerate(visible.counts) if count)
    best = hand_value(valuation, visible.counts, visible.melds) - cheapest
    distance = shanten(visible.counts, visible.melds, visible.variant, visible.house)
    chosen: AnyMove = Pass()
    for move in claims:
        counts, melds = speed_strategy.after_claim(visible, view.tile, move)
        if isinstance(move, Kong):
            earned = hand_value(valuation, counts, melds)
        else:
            earned, kind = _best_discard(valuation, counts, melds, threats_found, None)
            counts = without_kinds(counts, kind)
        if shanten(counts, melds, visible.variant, visible.house) >= distance:
            earned -= NO_PROGRESS_PENALTY
        if earned > best:
            best, chosen = earned, move
    return chosen


def _best_discard(
    valuation: Valuation,
    counts: bytes,
    melds: tuple[Meld, ...],
    threats_found: list[Threat],
    allowed: set[int] | None,
) -> tuple[float, int]:
    """Return the value of a hand after its best discard, and its kind; raise the shanten only in danger."""
    visible = valuation.visible
    kinds = [kind for kind, count in enumerate(counts) if count and (allowed is None or kind in allowed)]
    hands = {kind: without_kinds(counts, kind) for kind in kinds}
    distances = {kind: shanten(hand, melds, visible.variant, visible.house) for kind, hand in hands.items()}
    least = min(distances.values())
    best = (-inf, 0, 0)
    best_cost = 0.0
    for kind in sorted(kinds, key=lambda kind: distances[kind]):
        penalty = STEP_BACK_PENALTY * (distances[kind] - least)
        odds, cost = discard_risk(threats_found, kind)
        if penalty and best_cost - cost < penalty / 2:
            continue
        earned = (1 - odds) * (hand_value(valuation, hands[kind], melds) - penalty) - cost
        if (earned, -speed_strategy.keep_preference(visible, kind), kind) > best:
            best, best_cost = (earned, -speed_strategy.keep_preference(visible, kind), kind), cost
    return best[0], best[2]


def _valuation(view: View, visible: VisibleTiles) -> Valuation:
    streak_tai = 1 + 2 * view.streak
    leanings = [
        ready_log_odds(player, visible.variant)
        for seat, player in enumerate(view.players)
        if seat != visible.seat
    ]
    # Unless this seat is the dealer, its win gets the dealer's tai only from the dealer: one payer of three.
    dealer_tai = streak_tai if view.dealer == visible.seat else streak_tai / 3
    return valuation_of(visible, len(view.players[visible.seat].discards), leanings, dealer_tai)
