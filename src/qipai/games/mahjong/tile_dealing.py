"""Draws: the deal, tiles from both ends of the wall, and the flowers among them."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from . import hand_end, private_events
from .claims import flower_robber
from .state import KIND, UNDECIDED, SeatTiles, State, after, drawable, held, without
from .tiles import FLOWER
from .wall import dealt, new_seed, throw, wall_of
from .wire_types import ClaimWindow, Flowers, Size, Stage

ALL_FLOWERS: Final = 8


def dice_of(state: State) -> int:
    """Return how many dice are thrown: two, or three in the game with 16 tiles."""
    return 3 if state.options.tiles is Size.SIXTEEN else 2


def deal(state: State, random: Random) -> State:
    """Throw for the opening of the wall, draw the hand's own seed, and deal."""
    opening = throw(random, dice_of(state))
    seed = new_seed(random)
    return spread(replace(state, opening=opening, seed=seed), wall_of(seed))


def spread(state: State, wall: tuple[int, ...]) -> State:
    """Return the hand dealt from this wall, up to the dealer's first discard."""
    dealer = state.deal.dealer
    tiles, front = dealt(wall, state.options.tiles, dealer)
    began = replace(
        state,
        stage=Stage.DISCARDING,
        wall=wall,
        front=front,
        back=len(wall),
        holdings=tuple([SeatTiles(tuple(sorted(hand))) for hand in tiles]),
        turn=dealer,
        drawn=tiles[dealer][-1],
        how="deal",
        replacing=0 if state.options.flowers is Flowers.REPLACE else None,
    )
    return open_flowers(began)


def open_flowers(state: State) -> State:
    """Replace flowers after the deal, the dealer first and round the table, until nobody holds any.

    It stops where the eighth flower may be robbed, or all eight are together.
    """
    dealer = state.deal.dealer
    state = _replaced(state, state.turn) if state.owed else state
    while (place := state.replacing) is not None:
        seat = after(dealer, place)
        tiles = state.holdings[seat].tiles
        flowers = tuple([tile for tile in tiles if KIND[tile] >= FLOWER])
        if flowers:
            kept = without(tiles, *flowers)
            shown = held(state, seat, tiles=kept, flowers=(*state.holdings[seat].flowers, *flowers))
            shown = replace(shown, turn=seat, replacing=(place + 1) % 4, owed=len(flowers))
            if (stop := _stopped(shown, flowers[-1])) is not None:
                return stop
            state = _replaced(shown, seat)
        elif any(KIND[tile] >= FLOWER for holding in state.holdings for tile in holding.tiles):
            state = replace(state, replacing=(place + 1) % 4)
        else:
            state = replace(state, replacing=None)
    return replace(state, stage=Stage.DISCARDING, turn=dealer, window=ClaimWindow.DISCARD, tile=None)


def _replaced(state: State, seat: Seat) -> State:
    """Return the state with as many tiles from the back as the seat has laid open."""
    back = state.back - state.owed
    fresh = state.wall[back : state.back]
    tiles = tuple(sorted((*state.holdings[seat].tiles, *fresh)))
    drawn = fresh[0] if seat == state.deal.dealer else state.drawn
    return held(replace(state, back=back, owed=0, drawn=drawn), seat, tiles=tiles)


def _stopped(state: State, flower: int) -> State | None:
    """Return what a flower just laid open leads to: 八仙過海, or a window for 七搶一."""
    if not state.options.house.flowers_win:
        return None
    if len(state.holdings[state.turn].flowers) == ALL_FLOWERS:
        return hand_end.all_flowers(state, state.turn, flower)
    if flower_robber(state) is None:
        return None
    return replace(state, stage=Stage.CLAIMING, window=ClaimWindow.FLOWER, tile=flower, votes=UNDECIDED)


def draw(state: State, seat: Seat, how: str, told: list[AddressedEvent]) -> State:
    """Return the state after a seat's draw: from the front, or from the back for a kong or a flower."""
    holding = state.holdings[seat]
    if how == "draw":
        passed = holding.passed and state.options.house.passed_hu == "until_change"
        state = held(state, seat, draws=holding.draws + 1, passed=passed, spurned=())
    state = replace(
        state,
        stage=Stage.DISCARDING,
        turn=seat,
        drawn=None,
        window=ClaimWindow.DISCARD,
        tile=None,
        votes=UNDECIDED,
        barred=(),
        owed=0,
    )
    flowers: tuple[int, ...] = ()
    while drawable(state):
        if how == "draw":
            tile = state.wall[state.front]
            state = replace(state, front=state.front + 1, how=how)
        else:
            tile = state.wall[state.back - 1]
            state = replace(state, back=state.back - 1, how=how)
        holding = state.holdings[seat]
        if KIND[tile] < FLOWER or state.options.flowers is Flowers.KEEP:
            told += private_events.drew(seat, tile, flowers)
            return held(replace(state, drawn=tile), seat, tiles=tuple(sorted((*holding.tiles, tile))))
        flowers += (tile,)
        how = "kong" if how == "kong" else "flower"
        state = held(replace(state, how=how), seat, flowers=(*holding.flowers, tile))
        if (stop := _stopped(state, tile)) is not None:
            told += private_events.drew(seat, None, flowers, waiting=stop.stage is Stage.CLAIMING)
            return stop
    told += private_events.drew(seat, None, flowers, empty=True)
    return hand_end.exhausted(state)
