"""What a bot sees: its hand by kind and the count of unseen tiles."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from qipai.games.mahjong.hands.winning_shapes import FORMS, Meld
from qipai.games.mahjong.hands.winning_shapes import Form as Shape
from qipai.games.mahjong.house_rules import DEFAULT, HouseRules
from qipai.games.mahjong.tiles import COPIES, FLOWER, KINDS, TILES, kind_of
from qipai.games.mahjong.wire_types import Form, Player, Size, View
from qipai.kernel.ids import Seat

KIND_OF: Final = tuple(kind_of(tile) for tile in range(TILES))
_SHAPES: Final[dict[Form, Shape]] = dict(zip(Form, FORMS, strict=True))


class VisibleTiles(Struct, frozen=True):
    """A hand and what its owner knows of the other tiles.

    `counts` are the concealed tiles, with the drawn one and without flowers. `unseen` counts the tiles that
    are neither in the hand nor open. `turns` is how many more draws the seat can expect.
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


def visible_tiles(view: View, seat: Seat) -> VisibleTiles | None:
    """Return what a seat sees; None before a deal."""
    own, player = view.private, view.players[seat]
    if own is None:
        return None
    tiles = own.tiles if own.drawn is None else (*own.tiles, own.drawn)
    counts, unseen = bytearray(KINDS), bytearray([COPIES] * KINDS)
    for tile in tiles:
        if KIND_OF[tile] < FLOWER:
            counts[KIND_OF[tile]] += 1
    for kind in (*(KIND_OF[tile] for tile in tiles), *_open_kinds(view.players)):
        if kind < FLOWER and unseen[kind]:
            unseen[kind] -= 1
    return VisibleTiles(
        seat,
        Size.THIRTEEN if len(tiles) + 3 * len(player.melds) < Size.SIXTEEN else Size.SIXTEEN,
        bytes(counts),
        melds_of(player),
        tuple([KIND_OF[tile] for tile in player.flowers]),
        bytes(unseen),
        (view.drawable + 2) // 4,
        player.wind,
        view.wind,
    )


def melds_of(player: Player) -> tuple[Meld, ...]:
    """Return the melds of a player; another's concealed kong has only its form."""
    return tuple(
        [
            Meld(_SHAPES[meld.form], tuple(sorted([KIND_OF[tile] for tile in meld.tiles])))
            for meld in player.melds
        ]
    )


def is_closed(melds: Sequence[Meld]) -> bool:
    """Tell whether all of these are concealed kongs."""
    return all(meld.form == "ckong" for meld in melds)


def without_kinds(counts: bytes, *kinds: int) -> bytes:
    """Return a hand without one tile of each of these kinds."""
    rest = bytearray(counts)
    for kind in kinds:
        rest[kind] -= 1
    return bytes(rest)


def _open_kinds(players: Sequence[Player]) -> list[int]:
    """Return the kinds of all open tiles; a claimed discard counts in the meld only."""
    kinds = []
    for player in players:
        kinds += [KIND_OF[discard.tile] for discard in player.discards if discard.by is None]
        for meld in player.melds:
            kinds += [KIND_OF[tile] for tile in meld.tiles]
    return kinds
