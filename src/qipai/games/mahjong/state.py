"""A game of mahjong as a value."""

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
from .wire_types import ClaimWindow, DiscardedTile, Form, Result, Settings, Stage, Vote

SEATS: Final = (Seat(0), Seat(1), Seat(2), Seat(3))
PLAIN: Final = Settings()
FIRST: Final = Deal()
KIND: Final = tuple(kind_of(tile) for tile in range(TILES))
"""The kind of each tile."""
_FORMS: Final[dict[Form, ShapeForm]] = dict(zip(Form, FORMS, strict=True))
KONGS: Final = (Form.KONG, Form.CONCEALED, Form.ADDED)


class SeatTiles(Struct, frozen=True, omit_defaults=True):
    """What a seat has: its tiles in order, what lies before it, its discards.

    `draws` counts its draws of this hand. `passed`: it has let a win go and is barred (過水), `stuck` being
    what it waited for then. `spurned` are kinds that it may not pong (碰過水). `ready` says which ready
    hand it has announced.
    """

    tiles: tuple[int, ...] = ()
    sets: tuple[wire_types.Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    discards: tuple[DiscardedTile, ...] = ()
    draws: int = 0
    passed: bool = False
    stuck: tuple[int, ...] = ()
    spurned: tuple[int, ...] = ()
    ready: Flag | None = None


NOTHING: Final = (SeatTiles(), SeatTiles(), SeatTiles(), SeatTiles())
UNDECIDED: Final = (None, None, None, None)


class State(Struct, frozen=True, omit_defaults=True):
    """A game. What is undrawn of `wall` lies from `front` to before `back`; it is empty before a deal.

    `turn` draws or discards; in a window it has put down or shown `tile`. `drawn` is the tile it has just
    drawn, `how` it came: on the `deal`, by a `draw`, or as the replacement of a `flower` or a `kong`.
    `last` is the last discard of this hand and `dropper` whose it was. `calm`: nobody has claimed anything
    or made a kong in this hand. `barred` are kinds that may not be discarded now (食替). `replacing` is
    whose flowers are looked at next while a deal is not complete, counted from the dealer, and `owed` how
    many tiles are due for the flowers that are being robbed.
    """

    stage: Stage
    options: Settings = PLAIN
    deal: Deal = FIRST
    scores: tuple[int, ...] = (0, 0, 0, 0)
    seating: tuple[int, ...] = ()
    choosing: tuple[int, ...] = ()
    opening: tuple[int, ...] = ()
    seed: bytes = b""
    wall: tuple[int, ...] = ()
    front: int = 0
    back: int = TILES
    holdings: tuple[SeatTiles, ...] = NOTHING
    turn: Seat = Seat(0)
    drawn: int | None = None
    how: str = ""
    calm: bool = True
    window: ClaimWindow = ClaimWindow.DISCARD
    tile: int | None = None
    votes: tuple[Vote | None, ...] = UNDECIDED
    last: int | None = None
    dropper: Seat | None = None
    barred: tuple[int, ...] = ()
    replacing: int | None = None
    owed: int = 0
    result: Result | None = None


def after(seat: int, steps: int = 1) -> Seat:
    """Return the seat so many turns later."""
    return SEATS[(seat + steps) % 4]


def kongs(state: State) -> int:
    """Return how many kongs lie on the table."""
    return sum(one.form in KONGS for holding in state.holdings for one in holding.sets)


def drawable(state: State, more: int = 0) -> int:
    """Return how many tiles can still be drawn, if so many more kongs are made."""
    house = state.options.house
    made = kongs(state) + more if house.dead_wall_grows else 0
    return max(0, state.back - state.front - dead_wall(house, state.options.tiles, made))


def counts_of(tiles: tuple[int, ...]) -> bytearray:
    """Return how many there are of each kind that a hand is made of; flowers kept in it do not count."""
    counts = bytearray(KINDS)
    for tile in tiles:
        kind = KIND[tile]
        if kind < FLOWER:
            counts[kind] += 1
    return counts


def melds_of(holding: SeatTiles) -> tuple[Meld, ...]:
    """Return the sets on the table as scoring reads them."""
    return tuple([Meld(_FORMS[one.form], tuple([KIND[tile] for tile in one.tiles])) for one in holding.sets])


def wind_of(state: State, seat: Seat) -> int:
    """Return a seat's wind: East is the dealer or, at some houses, where the wall was opened (開門風)."""
    east: int = state.deal.dealer
    if state.options.house.seat_winds == "opening" and state.opening:
        east += sum(state.opening) - 1
    return (seat - east) % 4


def held(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with changes to what one seat has."""
    holdings = state.holdings
    changed = replace(holdings[seat], **changes)
    return replace(state, holdings=(*holdings[:seat], changed, *holdings[seat + 1 :]))


def without(tiles: tuple[int, ...], *gone: int) -> tuple[int, ...]:
    """Return the tiles that are left."""
    return tuple([tile for tile in tiles if tile not in gone])
