"""What a bot makes of a view: its own hand by kinds, and how many tiles of each kind it has not seen."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.hands.winning_shapes import FORMS, Meld
from qipai.games.mahjong.hands.winning_shapes import Form as Shape
from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, FLOWER, KINDS, TILES, kind_of
from qipai.games.mahjong.wire_types import Form, Player, Size, View
from qipai.kernel.ids import Seat

KIND: Final = tuple(kind_of(tile) for tile in range(TILES))
_SHAPES: Final[dict[Form, Shape]] = dict(zip(Form, FORMS, strict=True))


class VisibleTiles(Struct, frozen=True):
    """A hand and what its owner knows of the rest.

    `counts` are his concealed tiles, the drawn one among them and flowers not. `unseen` counts what is
    neither his nor open. `turns` are how often he can still draw.
    """

    seat: Seat
    variant: int
    counts: bytes
    melds: tuple[Meld, ...]
    flowers: tuple[int, ...]
    unseen: bytes
    turns: int
    wind: int
    prevailing: int
    house: HouseRules = DEFAULT

    @property
    def closed(self) -> bool:
        """Tell whether nothing was claimed so far (門清)."""
        return is_closed(self.melds)


def sight(view: View, seat: Seat) -> VisibleTiles | None:
    """Return what a seat sees, or None before a deal."""
    own, me = view.private, view.players[seat]
    if own is None:
        return None
    tiles = own.tiles if own.drawn is None else (*own.tiles, own.drawn)
    counts, unseen = bytearray(KINDS), bytearray([COPIES] * KINDS)
    for tile in tiles:
        if KIND[tile] < FLOWER:
            counts[KIND[tile]] += 1
    for kind in (*(KIND[tile] for tile in tiles), *_open(view.players)):
        if kind < FLOWER and unseen[kind]:
            unseen[kind] -= 1
    return VisibleTiles(
        seat,
        Size.THIRTEEN if len(tiles) + 3 * len(me.melds) < Size.SIXTEEN else Size.SIXTEEN,
        bytes(counts),
        melds_of(me),
        tuple([KIND[tile] for tile in me.flowers]),
        bytes(unseen),
        (view.drawable + 2) // 4,
        me.wind,
        view.wind,
    )


def melds_of(player: Player) -> tuple[Meld, ...]:
    """Return the sets before a player; of another's concealed kong nothing but its form is known."""
    return tuple(
        [Meld(_SHAPES[one.form], tuple(sorted([KIND[tile] for tile in one.tiles]))) for one in player.melds]
    )


def is_closed(melds: Sequence[Meld]) -> bool:
    """Tell whether all of these are concealed kongs."""
    return all(meld.form == "ckong" for meld in melds)


def fewer(counts: bytes, *kinds: int) -> bytes:
    """Return a hand without one tile of each of these kinds."""
    rest = bytearray(counts)
    for kind in kinds:
        rest[kind] -= 1
    return bytes(rest)


def _open(players: Sequence[Player]) -> list[int]:
    """Return the kinds of all tiles that lie open; a claimed discard is where it was claimed to."""
    found = []
    for player in players:
        found += [KIND[drop.tile] for drop in player.discards if drop.by is None]
        for one in player.melds:
            found += [KIND[tile] for tile in one.tiles]
    return found
