"""How likely a discard is to be won on, and what that costs, as far as the others' hands can be guessed.

A kind is the more dangerous the more ways there are for a ready hand to wait for it, and the safer the
more recently it has passed. The figures fit what many thousand hands held.
"""

from math import log
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.scoring.payments import USUAL
from qipai.games.mahjong.tiles import DRAGONS, EAST, KINDS
from qipai.games.mahjong.wire_types import Player, View
from qipai.kernel.ids import Seat

from .draw_odds import likely
from .visible_tiles import KIND, VisibleTiles, melds_of

WAITS: Final = 2.0
"""How many kinds a ready hand waits for on average."""
EARLY: Final = 5
"""The first discards say less about what is kept beside them."""
DISCARDED: Final = -2.75
"""A kind that its player has discarded himself; this and what follows are logarithms of odds."""
JUST: Final = -4.0
"""The same, a moment ago."""
BESIDE: Final = (0.0, -0.45, -0.63)
"""A run that would also wait for what its player has discarded, on one side or on both."""
NEXT: Final = (-0.14, 0.07)
"""A neighbour that was discarded early, and one that was late."""
PASSED: Final = (0.0, -3.93, -1.54, -0.99, -0.67, -0.67)
"""A kind that another has discarded so many go-rounds ago."""
LONG_AGO: Final = -0.34
HONOURS: Final = (-2.78, -2.78, -0.28, -0.6, -0.6)
"""Honours by how many of them are unseen."""
LATEST: Final = (-0.13, 0.05, 0.41, 0.41, 0.41)
"""A player whose latest discard is so far from the end of its suit."""
LATEST_HONOUR: Final = -0.25
BEGINNING: Final = (4, -1.01)
"""Up to so many discards a hand is less often ready than it seems."""
LATE: Final = ((12, 0.3), (8, 0.22))
CERTAIN: Final = 6.0


class Threat(Struct, frozen=True):
    """Another player: how likely each kind is to be won on, and what he would be paid."""

    chances: tuple[float, ...]
    cost: float


def threats(view: View, seen: VisibleTiles) -> list[Threat]:
    """Return what to fear from each of the others."""
    return [_threat(view, seen, Seat(seat)) for seat in range(4) if seat != seen.seat]


def risk(found: list[Threat], kind: int) -> tuple[float, float]:
    """Return how likely this discard loses the hand, and what it costs on average."""
    return sum(one.chances[kind] for one in found), sum(one.chances[kind] * one.cost for one in found)


def leaning(player: Player, variant: int) -> float:
    """Return how likely a player waits for his last tile already, as the logarithm of the odds."""
    if player.ready:
        return CERTAIN
    sets, dropped = len(player.melds), len(player.discards)
    if variant == 13:
        return -4.3 + 0.33 * dropped + 0.85 * sets + (0.8 if sets >= 3 else 0)
    return -4.6 + 0.34 * dropped + 0.65 * sets + (0.8 if sets >= 4 else 0)


def _threat(view: View, seen: VisibleTiles, seat: Seat) -> Threat:
    player = view.players[seat]
    suit, sure = _suit(player)
    weights = [_weight(seen.unseen, kind) for kind in range(KINDS)]
    if suit is not None:
        for kind in range(EAST):
            weights[kind] *= 1 + sure if kind // 9 == suit else 1 - sure
    waiting = likely(leaning(player, seen.variant)) * WAITS / (sum(weights) or 1)
    own = [KIND[drop.tile] for drop in player.discards]
    ages = _ages(view, seen.seat, seat)
    mood = _mood(own)
    chances = []
    for kind, weight in enumerate(weights):
        chance = min(0.8, max(1e-5, weight * waiting))
        told = mood + _told(own, ages.get(kind), kind, seen.unseen[kind])
        chances.append(likely(log(chance / (1 - chance)) + told))
    dealer = 1 + 2 * view.streak if view.dealer in {seen.seat, seat} else 0
    cost = USUAL.base + USUAL.unit * (_tai(view, player, sure) + dealer)
    return Threat(tuple(chances), cost)


def _weight(left: bytes, kind: int) -> float:
    """Return in how many ways a hand may wait for this kind, by what it may still hold."""
    total = 0.5 * left[kind] + (0.8 if kind < EAST else 1.2) * left[kind] * (left[kind] - 1) / 2
    if kind < EAST:
        value = kind % 9
        if value > 1:
            total += (1.0 if value > 2 else 0.5) * left[kind - 2] * left[kind - 1]
        if value < 7:
            total += (1.0 if value < 6 else 0.5) * left[kind + 2] * left[kind + 1]
        if 0 < value < 8:
            total += 0.5 * left[kind - 1] * left[kind + 1]
    return total


def _told(own: list[int], age: int | None, kind: int, left: int) -> float:
    """Return what the discards tell about one kind: its player's own, and those that passed him."""
    total = 0.0
    if kind in own:
        total += DISCARDED + (JUST if own[-1] == kind else 0)
    if age is not None:
        total += PASSED[age] if age < len(PASSED) else LONG_AGO
    if kind >= EAST:
        return total + HONOURS[left]
    value = kind % 9
    total += BESIDE[(value > 2 and kind - 3 in own) + (value < 6 and kind + 3 in own)]
    for other in (kind - 1, kind + 1):
        if other // 9 == kind // 9 and other in own:
            total += NEXT[own.index(other) >= EARLY]
    return total


def _mood(own: list[int]) -> float:
    """Return how much likelier a player is ready than his tiles on the table tell, by his discards."""
    if not own:
        return BEGINNING[1]
    value = own[-1] % 9
    total = LATEST_HONOUR if own[-1] >= EAST else LATEST[min(value, 8 - value)]
    if len(own) <= BEGINNING[0]:
        return total + BEGINNING[1]
    return total + next((more for least, more in LATE if len(own) >= least), 0.0)


def _ages(view: View, me: Seat, seat: Seat) -> dict[int, int]:
    """Return how many of a player's turns ago others last discarded each kind, and he let it pass."""
    found: dict[int, int] = {}
    for number, player in enumerate(view.players):
        if number == seat:
            continue
        # Whoever sits between him and me has discarded since he did.
        newest = 1 if (number - seat) % 4 < (me - seat) % 4 else 2
        for age, drop in enumerate(reversed(player.discards), newest):
            kind = KIND[drop.tile]
            found[kind] = min(age, found.get(kind, age))
    return found


def _suit(player: Player) -> tuple[int | None, float]:
    """Return the one suit that a player seems to collect, and how sure that is."""
    suits = {meld.kinds[0] // 9 for meld in melds_of(player) if meld.kinds and meld.kinds[0] < EAST}
    if len(suits) != 1 or len(player.melds) < 2:
        return None, 0.0
    (suit,) = suits
    dropped = [KIND[drop.tile] for drop in player.discards]
    same = sum(kind < EAST and kind // 9 == suit for kind in dropped)
    if same * 6 > len(dropped):
        return None, 0.0
    return suit, 0.5 if len(player.melds) == 2 else 0.8


def _tai(view: View, player: Player, sure: float) -> float:
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
