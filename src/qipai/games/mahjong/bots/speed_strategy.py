"""Building a hand as quickly as it can be built: by its distance and the tiles that shorten it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from qipai.games.mahjong.hands import shanten_number
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.tiles import EAST
from qipai.games.mahjong.wire_types import AnyMove, Chow, Discard, Kong, Pass, Pong, View
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .visible_tiles import KIND, VisibleTiles, fewer, sight

shanten = lru_cache(maxsize=1 << 15)(shanten_number.shanten)
useful = lru_cache(maxsize=1 << 14)(shanten_number.useful)
_NEAR: Final = 3
"""A tile this near to the middle of its suit is as good as any."""


def speed(seen: VisibleTiles, counts: bytes, melds: tuple[Meld, ...]) -> tuple[int, int]:
    """Return how good a hand is before a draw: its distance below zero, then unseen tiles that shorten it."""
    away = shanten(counts, melds, seen.variant, seen.house)
    found = useful(counts, melds, seen.variant, seen.house)
    return -away, sum([seen.unseen[kind] for kind in found])


def best_discard(
    seen: VisibleTiles, counts: bytes, melds: tuple[Meld, ...], barred: Sequence[int] = ()
) -> tuple[tuple[int, int], int]:
    """Return how good a hand is after its best discard, and the kind of that."""
    kinds = [kind for kind, count in enumerate(counts) if count and kind not in barred]
    rests = {kind: fewer(counts, kind) for kind in kinds}
    away = {kind: shanten(rests[kind], melds, seen.variant, seen.house) for kind in kinds}
    least = min(away.values())
    return max(
        (speed(seen, rests[kind], melds), -keep(seen, kind), kind) for kind in kinds if away[kind] == least
    )[::2]


def turn(seen: VisibleTiles, moves: Sequence[AnyMove], random: Random) -> AnyMove:
    """Return the discard, or a kong that costs nothing."""
    for move in moves:
        if isinstance(move, Kong) and move.tile is not None and _kong_keeps(seen, KIND[move.tile]):
            return move
    allowed = {KIND[move.tile] for move in moves if isinstance(move, Discard)}
    _, kind = best_discard(seen, seen.counts, seen.melds, [k for k in range(EAST + 7) if k not in allowed])
    return discard_of(kind, moves)


def discard_of(kind: int, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the discard of a kind; a ready hand is announced where it may be."""
    fitting = [move for move in moves if isinstance(move, Discard) and KIND[move.tile] == kind]
    return max(fitting, key=lambda move: move.ready)


def after_claim(seen: VisibleTiles, tile: int, move: AnyMove) -> tuple[bytes, tuple[Meld, ...]]:
    """Return the hand and the melds that a claim would leave, before the discard."""
    kind = KIND[tile]
    match move:
        case Chow(tiles):
            taken = tuple([KIND[one] for one in tiles])
            meld = Meld("chow", tuple(sorted((*taken, kind))))
        case Pong():
            taken, meld = (kind, kind), Meld("pong", (kind,) * 3)
        case _:
            taken, meld = (kind,) * 3, Meld("kong", (kind,) * 4)
    return fewer(seen.counts, *taken), (*seen.melds, meld)


def claim(view: View, seen: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return a claim that brings the hand nearer, the one that leaves most useful tiles, or to pass."""
    before = shanten(seen.counts, seen.melds, seen.variant, seen.house)
    best: tuple[int, int] = (-before, 1 << 10)
    chosen: AnyMove = Pass()
    for move in moves:
        if view.tile is None or isinstance(move, Pass):
            continue
        counts, melds = after_claim(seen, view.tile, move)
        good = speed(seen, counts, melds) if isinstance(move, Kong) else best_discard(seen, counts, melds)[0]
        if good > best:
            best, chosen = good, move
    return chosen


def keeps(view: View, seat: Seat, move: Kong) -> bool:
    """Tell whether a kong leaves the hand as near as it was."""
    seen = sight(view, seat)
    if seen is None or (tile := view.tile if move.tile is None else move.tile) is None:
        return False
    if move.tile is not None:
        return _kong_keeps(seen, KIND[tile])
    counts, melds = after_claim(seen, tile, move)
    now = shanten(seen.counts, seen.melds, seen.variant, seen.house)
    return shanten(counts, melds, seen.variant, seen.house) <= now


def konged(seen: VisibleTiles, kind: int) -> tuple[bytes, tuple[Meld, ...]]:
    """Return the hand and the melds after a kong in an own turn, before its replacement."""
    if seen.counts[kind] == 4:
        return fewer(seen.counts, *(kind,) * 4), (*seen.melds, Meld("ckong", (kind,) * 4))
    added = Meld("akong", (kind,) * 4)
    melds = tuple([added if meld == Meld("pong", (kind,) * 3) else meld for meld in seen.melds])
    return fewer(seen.counts, kind), melds


def _kong_keeps(seen: VisibleTiles, kind: int) -> bool:
    counts, melds = konged(seen, kind)
    best, _ = best_discard(seen, seen.counts, seen.melds)
    return -shanten(counts, melds, seen.variant, seen.house) >= best[0]


def keep(seen: VisibleTiles, kind: int) -> int:
    """Return how much one would rather keep a tile that is as good as another: the middle of a suit most."""
    if kind < EAST:
        return 4 + min(kind % 9, 8 - kind % 9, _NEAR)
    return seen.unseen[kind]
