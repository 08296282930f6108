"""Probability that a discard is won on by another player, and its cost.

A kind is more dangerous the more waits of a ready hand it completes, and safer the more recently it was
discarded. The figures are fitted to many thousand hands.
"""

from math import log
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.scoring.payments import DEFAULT_STAKES
from qipai.games.mahjong.tiles import DRAGONS, EAST, KINDS
from qipai.games.mahjong.wire_types import Player, View
from qipai.kernel.ids import Seat

from .draw_odds import probability
from .visible_tiles import KIND_OF, VisibleTiles, melds_of

AVERAGE_WAITS: Final = 2.0
"""Average number of waits of a ready hand."""
EARLY_DISCARDS: Final = 5
"""The first discards say less about neighbouring tiles in the hand."""
OWN_DISCARD: Final = -2.75
"""A kind that the player has discarded; this and the following are log-odds."""
LATEST_OWN_DISCARD: Final = -4.0
"""In addition, if it is the player's latest discard."""
SUJI: Final = (0.0, -0.45, -0.63)
"""Suji: a two-sided wait would include the player's own discard, on neither, one or both sides."""
NEIGHBOUR_DISCARD: Final = (-0.14, 0.07)
"""A neighbouring kind that the player discarded early, or late."""
PASSED_TURNS_AGO: Final = (0.0, -3.93, -1.54, -0.99, -0.67, -0.67)
"""A kind that another seat discarded this many turns ago."""
PASSED_EARLIER: Final = -0.34
HONOUR_BY_UNSEEN: Final = (-2.78, -2.78, -0.28, -0.6, -0.6)
"""Honours, by the number of unseen tiles."""
LATEST_DISCARD: Final = (-0.13, 0.05, 0.41, 0.41, 0.41)
"""A player, by the distance of the latest discard from the end of its suit."""
LATEST_HONOUR_DISCARD: Final = -0.25
EARLY_HAND: Final = (4, -1.01)
"""Up to this many discards a hand is ready less often than the estimate says."""
LATE_HAND: Final = ((12, 0.3), (8, 0.22))
DECLARED_READY: Final = 6.0


class Threat(Struct, frozen=True):
    """Another player: the probability of a win on each kind, and the payment then."""

    win_odds: tuple[float, ...]
    cost: float


def threats(view: View, visible: VisibleTiles) -> list[Threat]:
    """Return the threat of each other seat."""
    return [_threat(view, visible, Seat(seat)) for seat in range(4) if seat != visible.seat]


def discard_risk(threats_found: list[Threat], kind: int) -> tuple[float, float]:
    """Return the probability that this discard is won on, and its expected cost."""
    return sum(threat.win_odds[kind] for threat in threats_found), sum(
        threat.win_odds[kind] * threat.cost for threat in threats_found
    )


def ready_log_odds(player: Player, variant: int) -> float:
    """Return the log-odds that a player's hand is ready."""
    if player.ready:
        return DECLARED_READY
    melds, discards = len(player.melds), len(player.discards)
    if variant == 13:
        return -4.3 + 0.33 * discards + 0.85 * melds + (0.8 if melds >= 3 else 0)
    return -4.6 + 0.34 * discards + 0.65 * melds + (0.8 if melds >= 4 else 0)


def _threat(view: View, visible: VisibleTiles, seat: Seat) -> Threat:
    player = view.players[seat]
    suit, suit_odds = _collected_suit(player)
    weights = [_wait_weight(visible.unseen, kind) for kind in range(KINDS)]
    if suit is not None:
        for kind in range(EAST):
            weights[kind] *= 1 + suit_odds if kind // 9 == suit else 1 - suit_odds
    scale = probability(ready_log_odds(player, visible.variant)) * AVERAGE_WAITS / (sum(weights) or 1)
    own = [KIND_OF[discard.tile] for discard in player.discards]
    passed_turns = _turns_since_passed(view, visible.seat, seat)
    readiness = _readiness_evidence(own)
    win_odds = []
    for kind, weight in enumerate(weights):
        odds = min(0.8, max(1e-5, weight * scale))
        evidence = readiness + _discard_evidence(own, passed_turns.get(kind), kind, visible.unseen[kind])
        win_odds.append(probability(log(odds / (1 - odds)) + evidence))
    dealer = 1 + 2 * view.streak if view.dealer in {visible.seat, seat} else 0
    cost = DEFAULT_STAKES.base + DEFAULT_STAKES.unit * (_expected_tai(view, player, suit_odds) + dealer)
    return Threat(tuple(win_odds), cost)


def _wait_weight(unseen: bytes, kind: int) -> float:
    """Return the weight of the possible waits for this kind, by the unseen tiles."""
    total = 0.5 * unseen[kind] + (0.8 if kind < EAST else 1.2) * unseen[kind] * (unseen[kind] - 1) / 2
    if kind < EAST:
        value = kind % 9
        if value > 1:
            total += (1.0 if value > 2 else 0.5) * unseen[kind - 2] * unseen[kind - 1]
        if value < 7:
            total += (1.0 if value < 6 else 0.5) * unseen[kind + 2] * unseen[kind + 1]
        if 0 < value < 8:
            total += 0.5 * unseen[kind - 1] * unseen[kind + 1]
    return total


def _discard_evidence(own: list[int], turns_ago: int | None, kind: int, unseen: int) -> float:
    """Return the log-odds evidence of the discards for one kind: the player's own and passed ones."""
    total = 0.0
    if kind in own:
        total += OWN_DISCARD + (LATEST_OWN_DISCARD if own[-1] == kind else 0)
    if turns_ago is not None:
        total += PASSED_TURNS_AGO[turns_ago] if turns_ago < len(PASSED_TURNS_AGO) else PASSED_EARLIER
    if kind >= EAST:
        return total + HONOUR_BY_UNSEEN[unseen]
    value = kind % 9
    total += SUJI[(value > 2 and kind - 3 in own) + (value < 6 and kind + 3 in own)]
    for other in (kind - 1, kind + 1):
        if other // 9 == kind // 9 and other in own:
            total += NEIGHBOUR_DISCARD[own.index(other) >= EARLY_DISCARDS]
    return total


def _readiness_evidence(own: list[int]) -> float:
    """Return the log-odds evidence of a player's discards that the hand is ready."""
    if not own:
        return EARLY_HAND[1]
    value = own[-1] % 9
    total = LATEST_HONOUR_DISCARD if own[-1] >= EAST else LATEST_DISCARD[min(value, 8 - value)]
    if len(own) <= EARLY_HAND[0]:
        return total + EARLY_HAND[1]
    return total + next((more for least, more in LATE_HAND if len(own) >= least), 0.0)


def _turns_since_passed(view: View, own_seat: Seat, seat: Seat) -> dict[int, int]:
    """Return for each kind how many of a player's turns ago the player last passed it."""
    turns: dict[int, int] = {}
    for number, player in enumerate(view.players):
        if number == seat:
            continue
        # Seats between the player and this one have discarded since the player's turn.
        newest = 1 if (number - seat) % 4 < (own_seat - seat) % 4 else 2
        for turns_ago, discard in enumerate(reversed(player.discards), newest):
            kind = KIND_OF[discard.tile]
            turns[kind] = min(turns_ago, turns.get(kind, turns_ago))
    return turns


def _collected_suit(player: Player) -> tuple[int | None, float]:
    """Return the one suit that a player seems to collect, and its probability."""
    suits = {meld.kinds[0] // 9 for meld in melds_of(player) if meld.kinds and meld.kinds[0] < EAST}
    if len(suits) != 1 or len(player.melds) < 2:
        return None, 0.0
    (suit,) = suits
    discards = [KIND_OF[discard.tile] for discard in player.discards]
    same = sum(kind < EAST and kind // 9 == suit for kind in discards)
    if same * 6 > len(discards):
        return None, 0.0
    return suit, 0.5 if len(player.melds) == 2 else 0.8


def _expected_tai(view: View, player: Player, suit_odds: float) -> float:
    melds = melds_of(player)
    melded_kinds = [meld.kinds[0] for meld in melds if meld.kinds]
    tai = 1.0 if melds else 1.8
    tai += sum(
        (kind in DRAGONS) + (kind == EAST + player.wind) + (kind == EAST + view.wind) for kind in melded_kinds
    )
    tai += sum((KIND_OF[flower] - 34) % 4 == player.wind for flower in player.flowers)
    tai += 5 * suit_odds
    if len(melds) >= 2 and all(meld.form != "chow" for meld in melds):
        tai += 2
    return tai
