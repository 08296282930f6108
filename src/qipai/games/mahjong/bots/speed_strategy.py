"""Bot strategy: the fastest hand, by shanten and useful tiles."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from qipai.games.mahjong.hands import shanten_number
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.tiles import EAST
from qipai.games.mahjong.wire_types import AnyMove, Chow, Discard, Kong, Pass, Pong, View
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from .visible_tiles import KIND_OF, VisibleTiles, visible_tiles, without_kinds

shanten = lru_cache(maxsize=1 << 15)(shanten_number.shanten)
useful_kinds = lru_cache(maxsize=1 << 14)(shanten_number.useful_kinds)
_MAX_CENTRALITY: Final = 3
"""Distance from the end of a suit above which tiles count the same."""


def hand_speed(visible: VisibleTiles, counts: bytes, melds: tuple[Meld, ...]) -> tuple[int, int]:
    """Return the speed of a hand before a draw: negative shanten, then the number of unseen useful tiles."""
    distance = shanten(counts, melds, visible.variant, visible.house)
    kinds = useful_kinds(counts, melds, visible.variant, visible.house)
    return -distance, sum([visible.unseen[kind] for kind in kinds])


def best_discard(
    visible: VisibleTiles, counts: bytes, melds: tuple[Meld, ...], barred: Sequence[int] = ()
) -> tuple[tuple[int, int], int]:
    """Return the speed of a hand after its best discard, and the kind of that discard."""
    kinds = [kind for kind, count in enumerate(counts) if count and kind not in barred]
    hands = {kind: without_kinds(counts, kind) for kind in kinds}
    distances = {kind: shanten(hands[kind], melds, visible.variant, visible.house) for kind in kinds}
    least = min(distances.values())
    return max(
        (hand_speed(visible, hands[kind], melds), -keep_preference(visible, kind), kind)
        for kind in kinds
        if distances[kind] == least
    )[::2]


def choose_turn(visible: VisibleTiles, moves: Sequence[AnyMove], random: Random) -> AnyMove:
    """Return the best discard, or a kong that does not raise the shanten."""
    for move in moves:
        if (
            isinstance(move, Kong)
            and move.tile is not None
            and _own_kong_keeps_shanten(visible, KIND_OF[move.tile])
        ):
            return move
    allowed = {KIND_OF[move.tile] for move in moves if isinstance(move, Discard)}
    _, kind = best_discard(
        visible, visible.counts, visible.melds, [k for k in range(EAST + 7) if k not in allowed]
    )
    return discard_move(kind, moves)


def discard_move(kind: int, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the discard of a kind; a ready hand is declared if allowed."""
    fitting = [move for move in moves if isinstance(move, Discard) and KIND_OF[move.tile] == kind]
    return max(fitting, key=lambda move: move.ready)


def after_claim(visible: VisibleTiles, tile: int, move: AnyMove) -> tuple[bytes, tuple[Meld, ...]]:
    """Return the hand and the melds after a claim, before the discard."""
    kind = KIND_OF[tile]
    match move:
        case Chow(tiles):
            used = tuple([KIND_OF[tile_used] for tile_used in tiles])
            meld = Meld("chow", tuple(sorted((*used, kind))))
        case Pong():
            used, meld = (kind, kind), Meld("pong", (kind,) * 3)
        case _:
            used, meld = (kind,) * 3, Meld("kong", (kind,) * 4)
    return without_kinds(visible.counts, *used), (*visible.melds, meld)


def choose_claim(view: View, visible: VisibleTiles, moves: Sequence[AnyMove]) -> AnyMove:
    """Return the claim that lowers the shanten and leaves most useful tiles, or a pass."""
    before = shanten(visible.counts, visible.melds, visible.variant, visible.house)
    best: tuple[int, int] = (-before, 1 << 10)
    chosen: AnyMove = Pass()
    for move in moves:
        if view.tile is None or isinstance(move, Pass):
            continue
        counts, melds = after_claim(visible, view.tile, move)
        speed = (
            hand_speed(visible, counts, melds)
            if isinstance(move, Kong)
            else best_discard(visible, counts, melds)[0]
        )
        if speed > best:
            best, chosen = speed, move
    return chosen


def kong_keeps_shanten(view: View, seat: Seat, move: Kong) -> bool:
    """Tell whether a kong does not raise the shanten."""
    visible = visible_tiles(view, seat)
    if visible is None or (tile := view.tile if move.tile is None else move.tile) is None:
        return False
    if move.tile is not None:
        return _own_kong_keeps_shanten(visible, KIND_OF[tile])
    counts, melds = after_claim(visible, tile, move)
    now = shanten(visible.counts, visible.melds, visible.variant, visible.house)
    return shanten(counts, melds, visible.variant, visible.house) <= now


def after_kong(visible: VisibleTiles, kind: int) -> tuple[bytes, tuple[Meld, ...]]:
    """Return the hand and the melds after a kong in the own turn, before the replacement tile."""
    if visible.counts[kind] == 4:
        return without_kinds(visible.counts, *(kind,) * 4), (*visible.melds, Meld("ckong", (kind,) * 4))
    added = Meld("akong", (kind,) * 4)
    melds = tuple([added if meld == Meld("pong", (kind,) * 3) else meld for meld in visible.melds])
    return without_kinds(visible.counts, kind), melds


def _own_kong_keeps_shanten(visible: VisibleTiles, kind: int) -> bool:
    counts, melds = after_kong(visible, kind)
    best, _ = best_discard(visible, visible.counts, visible.melds)
    return -shanten(counts, melds, visible.variant, visible.house) >= best[0]


def keep_preference(visible: VisibleTiles, kind: int) -> int:
    """Return the preference to keep a kind among equal discards: the middle of a suit is highest."""
    if kind < EAST:
        return 4 + min(kind % 9, 8 - kind % 9, _MAX_CENTRALITY)
    return visible.unseen[kind]
