"""The deal, draws from both ends of the wall, and replacement of flowers."""

from typing import Final

from msgspec.structs import replace

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from . import hand_end, private_events
from .claims import flower_robber
from .state import KIND_OF, NO_ANSWERS, SeatTiles, State, drawable, seat_after, with_seat_tiles, without_tiles
from .tiles import FLOWER
from .wall import deal_hands, new_seed, roll_dice, wall_of
from .wire_types import ClaimWindow, Flowers, Size, Stage

ALL_FLOWERS: Final = 8


def dice_count(state: State) -> int:
    """Return how many dice are rolled: two, or three in the game with 16 tiles."""
    return 3 if state.options.tiles is Size.SIXTEEN else 2


def deal(state: State, random: Random) -> State:
    """Roll for the opening of the wall, draw the seed of the hand, and deal."""
    opening = roll_dice(random, dice_count(state))
    seed = new_seed(random)
    return deal_wall(replace(state, opening=opening, seed=seed), wall_of(seed))


def deal_wall(state: State, wall: tuple[int, ...]) -> State:
    """Return the hand dealt from this wall, up to the dealer's first discard."""
    dealer = state.deal.dealer
    tiles, front = deal_hands(wall, state.options.tiles, dealer)
    dealt = replace(
        state,
        stage=Stage.DISCARDING,
        wall=wall,
        front=front,
        back=len(wall),
        seat_tiles=tuple([SeatTiles(tuple(sorted(hand))) for hand in tiles]),
        turn=dealer,
        drawn=tiles[dealer][-1],
        draw_source="deal",
        replacing=0 if state.options.flowers is Flowers.REPLACE else None,
    )
    return replace_dealt_flowers(dealt)


def replace_dealt_flowers(state: State) -> State:
    """Replace flowers after the deal, from the dealer in turn order, until no hand has any.

    It stops if the eighth flower may be robbed, or if one seat has all eight.
    """
    dealer = state.deal.dealer
    state = _draw_replacements(state, state.turn) if state.replacements_due else state
    while (position := state.replacing) is not None:
        seat = seat_after(dealer, position)
        tiles = state.seat_tiles[seat].tiles
        flowers = tuple([tile for tile in tiles if KIND_OF[tile] >= FLOWER])
        if flowers:
            rest = without_tiles(tiles, *flowers)
            opened = with_seat_tiles(
                state, seat, tiles=rest, flowers=(*state.seat_tiles[seat].flowers, *flowers)
            )
            opened = replace(opened, turn=seat, replacing=(position + 1) % 4, replacements_due=len(flowers))
            if (stopped := _flower_stop(opened, flowers[-1])) is not None:
                return stopped
            state = _draw_replacements(opened, seat)
        elif any(KIND_OF[tile] >= FLOWER for seat_tiles in state.seat_tiles for tile in seat_tiles.tiles):
            state = replace(state, replacing=(position + 1) % 4)
        else:
            state = replace(state, replacing=None)
    return replace(state, stage=Stage.DISCARDING, turn=dealer, claim_window=ClaimWindow.DISCARD, tile=None)


def _draw_replacements(state: State, seat: Seat) -> State:
    """Return the state after the seat has drawn the replacements that are due."""
    back = state.back - state.replacements_due
    replacements = state.wall[back : state.back]
    tiles = tuple(sorted((*state.seat_tiles[seat].tiles, *replacements)))
    drawn = replacements[0] if seat == state.deal.dealer else state.drawn
    return with_seat_tiles(replace(state, back=back, replacements_due=0, drawn=drawn), seat, tiles=tiles)


def _flower_stop(state: State, flower: int) -> State | None:
    """Return the state if a shown flower interrupts the hand: 八仙過海, or a claim window for 七搶一."""
    if not state.options.house.flowers_win:
        return None
    if len(state.seat_tiles[state.turn].flowers) == ALL_FLOWERS:
        return hand_end.win_by_flowers(state, state.turn, flower)
    if flower_robber(state) is None:
        return None
    return replace(
        state, stage=Stage.CLAIMING, claim_window=ClaimWindow.FLOWER, tile=flower, answers=NO_ANSWERS
    )


def draw(state: State, seat: Seat, draw_source: str, events: list[AddressedEvent]) -> State:
    """Return the state after a draw: from the front, or from the back after a kong or a flower."""
    seat_tiles = state.seat_tiles[seat]
    if draw_source == "draw":
        passed_win = seat_tiles.passed_win and state.options.house.passed_hu == "until_change"
        state = with_seat_tiles(
            state, seat, draws=seat_tiles.draws + 1, passed_win=passed_win, barred_pongs=()
        )
    state = replace(
        state,
        stage=Stage.DISCARDING,
        turn=seat,
        drawn=None,
        claim_window=ClaimWindow.DISCARD,
        tile=None,
        answers=NO_ANSWERS,
        barred_discards=(),
        replacements_due=0,
    )
    flowers: tuple[int, ...] = ()
    while drawable(state):
        if draw_source == "draw":
            tile = state.wall[state.front]
            state = replace(state, front=state.front + 1, draw_source=draw_source)
        else:
            tile = state.wall[state.back - 1]
            state = replace(state, back=state.back - 1, draw_source=draw_source)
        seat_tiles = state.seat_tiles[seat]
        if KIND_OF[tile] < FLOWER or state.options.flowers is Flowers.KEEP:
            events += private_events.draw_events(seat, tile, flowers)
            return with_seat_tiles(
                replace(state, drawn=tile), seat, tiles=tuple(sorted((*seat_tiles.tiles, tile)))
            )
        flowers += (tile,)
        draw_source = "kong" if draw_source == "kong" else "flower"
        state = with_seat_tiles(
            replace(state, draw_source=draw_source), seat, flowers=(*seat_tiles.flowers, tile)
        )
        if (stopped := _flower_stop(state, tile)) is not None:
            events += private_events.draw_events(seat, None, flowers, waiting=stopped.stage is Stage.CLAIMING)
            return stopped
    events += private_events.draw_events(seat, None, flowers, empty=True)
    return hand_end.end_without_winner(state)
