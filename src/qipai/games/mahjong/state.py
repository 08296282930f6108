"""The state of a mahjong game."""

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from qipai.games.mahjong.hands.winning_shapes import FORMS, Meld
from qipai.games.mahjong.hands.winning_shapes import Form as ShapeForm
from qipai.games.mahjong.scoring.payments import Deal
from qipai.games.mahjong.scoring.win_readings import Flag
from qipai.kernel.ids import Seat

from . import wire_types
from .house_rules import dead_wall
from .tiles import FLOWER, KINDS, TILES, kind_of
from .wire_types import (
    BestHand,
    ClaimAnswer,
    ClaimWindow,
    DiscardedTile,
    Form,
    PlayedHand,
    Result,
    Settings,
    Stage,
)

SEATS: Final = (Seat(0), Seat(1), Seat(2), Seat(3))
DEFAULT_SETTINGS: Final = Settings()
FIRST_DEAL: Final = Deal()
KIND_OF: Final = tuple(kind_of(tile) for tile in range(TILES))
"""The kind of each tile."""
_SHAPE_FORMS: Final[dict[Form, ShapeForm]] = dict(zip(Form, FORMS, strict=True))
KONGS: Final = (Form.KONG, Form.CONCEALED, Form.ADDED)


class SeatTiles(Struct, frozen=True, omit_defaults=True):
    """The tiles of a seat: its hand in order, melds, flowers and discards.

    `draws` counts its draws in this hand. `passed_win`: it has passed a win and may not win on a discard
    (過水); `waits_when_passed` were its waits then. `barred_pongs` are kinds that it may not pong (碰過水).
    `ready_flag` is the ready hand that it has declared.
    """

    tiles: tuple[int, ...] = ()
    melds: tuple[wire_types.Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    discards: tuple[DiscardedTile, ...] = ()
    draws: int = 0
    passed_win: bool = False
    waits_when_passed: tuple[int, ...] = ()
    barred_pongs: tuple[int, ...] = ()
    ready_flag: Flag | None = None


NO_TILES: Final = (SeatTiles(), SeatTiles(), SeatTiles(), SeatTiles())
NO_ANSWERS: Final = (None, None, None, None)


class State(Struct, frozen=True, omit_defaults=True):
    """A game. The undrawn part of `wall` is `wall[front:back]`; `wall` is empty before a deal.

    `turn` is the seat that draws or discards; in a claim window, the seat whose `tile` may be claimed.
    `drawn` is the tile that it has just drawn; `draw_source` is `deal`, `draw`, or `flower` or `kong` for a
    replacement. `last_discard` is the last discard of this hand and `discarder` its seat. `uninterrupted`: no
    claim and no kong in this hand so far. `barred_discards` are kinds that may not be discarded now (食替).
    During the deal `replacing` is the seat, counted from the dealer, whose flowers are replaced next;
    `replacements_due` is the number of tiles due for flowers that may be robbed. `hands` are those of this
    match that are over, `best` is the best of them; a snapshot from before ADR 21 has none.
    """

    stage: Stage
    options: Settings = DEFAULT_SETTINGS
    deal: Deal = FIRST_DEAL
    scores: tuple[int, ...] = (0, 0, 0, 0)
    seating: tuple[int, ...] = ()
    choosing: tuple[int, ...] = ()
    opening: tuple[int, ...] = ()
    seed: bytes = b""
    wall: tuple[int, ...] = ()
    front: int = 0
    back: int = TILES
    seat_tiles: tuple[SeatTiles, ...] = NO_TILES
    turn: Seat = Seat(0)
    drawn: int | None = None
    draw_source: str = ""
    uninterrupted: bool = True
    claim_window: ClaimWindow = ClaimWindow.DISCARD
    tile: int | None = None
    answers: tuple[ClaimAnswer | None, ...] = NO_ANSWERS
    last_discard: int | None = None
    discarder: Seat | None = None
    barred_discards: tuple[int, ...] = ()
    replacing: int | None = None
    replacements_due: int = 0
    result: Result | None = None
    hands: tuple[PlayedHand, ...] = ()
    best: BestHand | None = None


def seat_after(seat: int, steps: int = 1) -> Seat:
    """Return the seat that follows after this many turns."""
    return SEATS[(seat + steps) % 4]


def kong_count(state: State) -> int:
    """Return the number of kongs of all seats."""
    return sum(meld.form in KONGS for seat_tiles in state.seat_tiles for meld in seat_tiles.melds)


def drawable(state: State, more: int = 0) -> int:
    """Return how many tiles can still be drawn after this many more kongs."""
    house = state.options.house
    kongs = kong_count(state) + more if house.dead_wall_grows else 0
    return max(0, state.back - state.front - dead_wall(house, state.options.tiles, kongs))


def counts_of(tiles: tuple[int, ...]) -> bytearray:
    """Return the number of tiles of each kind, without flowers."""
    counts = bytearray(KINDS)
    for tile in tiles:
        kind = KIND_OF[tile]
        if kind < FLOWER:
            counts[kind] += 1
    return counts


def melds_of(seat_tiles: SeatTiles) -> tuple[Meld, ...]:
    """Return the melds of a seat by kind, as scoring needs them."""
    return tuple(
        [
            Meld(_SHAPE_FORMS[meld.form], tuple([KIND_OF[tile] for tile in meld.tiles]))
            for meld in seat_tiles.melds
        ]
    )


def seat_wind(state: State, seat: Seat) -> int:
    """Return the wind of a seat: East is the dealer or, by house rule, where the wall was opened (開門風)."""
    east: int = state.deal.dealer
    if state.options.house.seat_winds == "opening" and state.opening:
        east += sum(state.opening) - 1
    return (seat - east) % 4


def with_seat_tiles(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with changed fields of one seat's tiles."""
    all_tiles = state.seat_tiles
    changed = replace(all_tiles[seat], **changes)
    return replace(state, seat_tiles=(*all_tiles[:seat], changed, *all_tiles[seat + 1 :]))


def without_tiles(tiles: tuple[int, ...], *removed: int) -> tuple[int, ...]:
    """Return the tiles that are not among the removed ones."""
    return tuple([tile for tile in tiles if tile not in removed])
