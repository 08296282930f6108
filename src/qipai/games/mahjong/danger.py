"""How likely a discard is to be won on, and what that costs, as far as the others' hands can be guessed."""

from math import exp
from typing import Final

from msgspec import Struct

from qipai.kernel.names import Seat

from .payment import USUAL
from .sight import KIND, Sight, melds_of
from .tiles import DRAGONS, EAST, KINDS
from .values import Player, View

WAITS: Final = 2.0
"""How many kinds a ready hand waits for on average."""
OWN: Final = 0.05
"""A tile that its player has discarded himself, against another."""
FRESH: Final = 0.01
"""A tile that has passed since its player last discarded."""
BESIDE: Final = 0.4
"""A run that would also wait for what its player has discarded."""


class Threat(Struct, frozen=True):
    """Another player: how likely each kind is to be won on, and what he would be paid."""

    chances: tuple[float, ...]
    cost: float


def threats(view: View, seen: Sight) -> list[Threat]:
    """Return what to fear from each of the others."""
    return [_threat(view, seen, Seat(seat)) for seat in range(4) if seat != seen.seat]


def risk(found: list[Threat], kind: int) -> tuple[float, float]:
    """Return how likely this discard loses the hand, and what it costs on average."""
    return sum(one.chances[kind] for one in found), sum(one.chances[kind] * one.cost for one in found)


def is_ready(player: Player, variant: int) -> float:
    """Return how likely a player waits for his last tile already."""
    if player.ready:
        return 1.0
    sets, dropped = len(player.sets), len(player.discards)
    if variant == 13:
        leaning = -4.3 + 0.33 * dropped + 0.85 * sets + (0.8 if sets >= 3 else 0)
    else:
        leaning = -4.6 + 0.34 * dropped + 0.65 * sets + (0.8 if sets >= 4 else 0)
    return 1 / (1 + exp(-leaning))


def _threat(view: View, seen: Sight, seat: Seat) -> Threat:
    player = view.players[seat]
    suit, sure = _suit(player)
    own = {KIND[drop.tile] for drop in player.discards}
    weights = [_weight(seen, kind, own) for kind in range(KINDS)]
    if suit is not None:
        for kind in range(EAST):
            weights[kind] *= 1 + sure if kind // 9 == suit else 1 - sure
    waiting = is_ready(player, seen.variant) * WAITS / (sum(weights) or 1)
    fresh = _fresh(view, seen.seat, seat)
    chances = [
        min(0.9, weight * waiting) * (FRESH if kind in fresh else 1) for kind, weight in enumerate(weights)
    ]
    return Threat(
        tuple(chances), USUAL.base + USUAL.unit * (_tai(view, player, seat, sure) + _dealer(view, seen, seat))
    )


def _weight(seen: Sight, kind: int, own: set[int]) -> float:
    """Return how likely this kind is waited for, against the others: by what a hand may still hold."""
    left = seen.unseen
    total = 0.5 * left[kind] + (0.8 if kind < EAST else 1.2) * left[kind] * (left[kind] - 1) / 2
    if kind < EAST:
        value = kind % 9
        if value > 1:
            ends = 1.0 if value > 2 else 0.5
            total += ends * left[kind - 2] * left[kind - 1] * (BESIDE if value > 2 and kind - 3 in own else 1)
        if value < 7:
            ends = 1.0 if value < 6 else 0.5
            total += ends * left[kind + 2] * left[kind + 1] * (BESIDE if value < 6 and kind + 3 in own else 1)
        if 0 < value < 8:
            total += 0.5 * left[kind - 1] * left[kind + 1]
    return total * (OWN if kind in own else 1)


def _fresh(view: View, me: Seat, seat: Seat) -> set[int]:
    """Return the kinds that a player has let go since his hand last changed, his own discard among them."""
    found = set()
    number = seat
    while number != me:
        if view.players[number].discards:
            found.add(KIND[view.players[number].discards[-1].tile])
        number = Seat((number + 1) % 4)
    return found


def _suit(player: Player) -> tuple[int | None, float]:
    """Return the one suit that a player seems to collect, and how sure that is."""
    suits = {meld.kinds[0] // 9 for meld in melds_of(player) if meld.kinds and meld.kinds[0] < EAST}
    if len(suits) != 1 or len(player.sets) < 2:
        return None, 0.0
    (suit,) = suits
    dropped = [KIND[drop.tile] for drop in player.discards]
    same = sum(kind < EAST and kind // 9 == suit for kind in dropped)
    if same * 6 > len(dropped):
        return None, 0.0
    return suit, 0.5 if len(player.sets) == 2 else 0.8


def _tai(view: View, player: Player, seat: Seat, sure: float) -> float:
    melds = melds_of(player)
    lying = [meld.kinds[0] for meld in melds if meld.kinds]
    tai = 1.0 if melds else 1.8
    tai += sum(
        (kind in DRAGONS) + (kind == EAST + player.wind) + (kind == EAST + view.wind) for kind in lying
    )
    tai += sum((KIND[flower] - 34) % 4 == player.wind for flower in player.flowers)
    tai += 5 * sure
    if len(melds) >= 2 and all(meld.form != "chow" for meld in melds):
        tai += 2
    return tai


def _dealer(view: View, seen: Sight, seat: Seat) -> int:
    return 1 + 2 * view.streak if view.dealer in {seen.seat, seat} else 0
