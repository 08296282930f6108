"""Turns: discards and kongs in an own turn, and what settled claims lead to."""

from typing import Final

from msgspec.structs import replace

from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.scoring.win_readings import Flag
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from . import hand_end, private_events, tile_dealing
from .claims import Settled, claimants, claims, could_hu, is_concealed, remaining, swapped, taken
from .state import KIND, UNDECIDED, SeatTiles, State, after, counts_of, drawable, held, melds_of, without
from .tiles import COPIES, FLOWER, TILES
from .wire_types import (
    Chow,
    ClaimWindow,
    Discard,
    Discarded,
    DiscardedTile,
    Form,
    Kong,
    Meld,
    Pong,
    Stage,
    Vote,
)

EARLY: Final = 7
"""咪幾 is announced with one of the first seven discards."""
FORMS: Final[dict[type, Form]] = {Chow: Form.CHOW, Pong: Form.PONG, Kong: Form.KONG}


def checked(holding: SeatTiles, tile: int) -> int:
    """Return the tile if there is such a one and it is in the hand, or raise `Illegal`."""
    if not 0 <= tile < TILES:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    if tile not in holding.tiles:
        raise IllegalCommand(Refusal.ILLEGAL)
    return tile


# Discards


def barred(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles that may not be discarded: 食替, or all but the one drawn to an announced hand."""
    holding = state.holdings[seat]
    if holding.ready is not None and state.drawn is not None:
        return without(holding.tiles, state.drawn)
    return tuple([tile for tile in holding.tiles if KIND[tile] in state.barred]) if state.barred else ()


def announced(state: State, seat: Seat, tile: int) -> Flag | None:
    """Return which ready hand may be announced with this discard: 天聽, 地聽, 咪幾, 門清聽, or none."""
    house, holding = state.options.house, state.holdings[seat]
    if not (house.declare_ting or house.early_ready or house.concealed_ready_tai):
        return None
    if holding.ready is not None or any(one.form is not Form.CONCEALED for one in holding.sets):
        return None
    flag: Flag | None = None
    if house.declare_ting and state.calm and not holding.discards:
        whole = seat == state.deal.dealer or tile == state.drawn
        flag = "tianting" if whole else "diting"
    elif house.early_ready and len(holding.discards) < EARLY:
        flag = "miji"
    elif house.concealed_ready_tai:
        flag = "ting"
    if (
        flag is None
        or tile in barred(state, seat)
        or not _waits(state, holding, without(holding.tiles, tile))
    ):
        return None
    return flag


def readies(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles with whose discard a ready hand may be announced."""
    return tuple([tile for tile in state.holdings[seat].tiles if announced(state, seat, tile) is not None])


def _waits(state: State, holding: SeatTiles, tiles: tuple[int, ...]) -> tuple[int, ...]:
    if any(KIND[tile] >= FLOWER for tile in tiles):
        return ()
    return waits(counts_of(tiles), melds_of(holding), state.options.house)


def discard(state: State, seat: Seat, move: Discard, told: list[AddressedEvent]) -> State:
    """Put a tile down, for the others to claim."""
    holding = state.holdings[seat]
    tile = checked(holding, move.tile)
    if tile in barred(state, seat):
        raise IllegalCommand(Refusal.ILLEGAL)
    ready = holding.ready
    if move.ready:
        ready = announced(state, seat, tile)
        if ready is None:
            raise IllegalCommand(Refusal.ILLEGAL)
    tiles = without(holding.tiles, tile)
    passed = holding.passed
    if passed and state.options.house.passed_hu == "until_change":
        passed = _waits(state, holding, tiles) == holding.stuck
    told.append(AddressedEvent(Discarded(seat, tile, move.ready)))
    put = held(
        state,
        seat,
        tiles=tiles,
        discards=(*holding.discards, DiscardedTile(tile)),
        passed=passed,
        ready=ready,
    )
    return replace(
        put,
        stage=Stage.CLAIMING,
        drawn=None,
        how="",
        window=ClaimWindow.DISCARD,
        tile=tile,
        votes=UNDECIDED,
        barred=(),
        last=tile,
        dropper=seat,
    )


# Kongs in an own turn


def kongs_of(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles in hand of which a kong may be made now: all four, or the one for an own pong."""
    house, holding = state.options.house, state.holdings[seat]
    if (state.drawn is None and not house.act_after_claim) or holding.ready is not None:
        return ()
    if not drawable(state, more=1):
        return ()
    counts = counts_of(holding.tiles)
    pongs = {KIND[one.tiles[0]] for one in holding.sets if one.form is Form.PONG}
    found = []
    for tile in holding.tiles:
        kind = KIND[tile]
        if kind >= FLOWER:
            continue
        if counts[kind] == COPIES or (kind in pongs and (house.late_added_kong or tile == state.drawn)):
            found.append(tile)
    return tuple(found)


def kong(state: State, seat: Seat, tile: int, told: list[AddressedEvent]) -> State:
    """Make a concealed kong, or add a tile to a pong, which others may rob."""
    holding = state.holdings[seat]
    checked(holding, tile)
    if tile not in kongs_of(state, seat):
        raise IllegalCommand(Refusal.ILLEGAL)
    place = _pong_of(holding, KIND[tile])
    if place is None:
        return _concealed(state, seat, tile, told)
    pong = holding.sets[place]
    added = Meld(Form.ADDED, (*pong.tiles, tile), pong.taken, pong.source)
    told += private_events.melded(seat, place, added)
    sets = (*holding.sets[:place], added, *holding.sets[place + 1 :])
    return _robbable(held(state, seat, tiles=without(holding.tiles, tile), sets=sets), tile)


def _pong_of(holding: SeatTiles, kind: int) -> int | None:
    for place, one in enumerate(holding.sets):
        if one.form is Form.PONG and KIND[one.tiles[0]] == kind:
            return place
    return None


def _concealed(state: State, seat: Seat, tile: int, told: list[AddressedEvent]) -> State:
    holding = state.holdings[seat]
    four = tuple([one for one in holding.tiles if KIND[one] == KIND[tile]])
    made = Meld(Form.CONCEALED, four)
    told += private_events.melded(seat, len(holding.sets), made)
    laid = held(state, seat, tiles=without(holding.tiles, *four), sets=(*holding.sets, made))
    house = state.options.house
    # Everybody is asked, or the silence would say that it is no terminal or honour.
    if house.orphans_rob_concealed and house.thirteen_orphans and state.options.tiles == 13:
        return _robbable(laid, tile)
    return tile_dealing.draw(replace(laid, calm=False), seat, "kong", told)


def _robbable(state: State, tile: int) -> State:
    return replace(
        state,
        stage=Stage.CLAIMING,
        drawn=None,
        how="",
        window=ClaimWindow.KONG,
        tile=tile,
        votes=UNDECIDED,
        barred=(),
        calm=False,
    )


# What claims lead to


def settled(state: State, answer: Settled, told: list[AddressedEvent]) -> State:
    """Return what follows when the answers to a window are settled."""
    if answer.winners:
        return hand_end.claimed(_undone(state), answer.winners)
    state = _passed(state, answer.seat)
    if state.window is ClaimWindow.FLOWER:
        if state.replacing is not None:
            return tile_dealing.open_flowers(state)
        return tile_dealing.draw(state, state.turn, state.how, told)
    if state.window is ClaimWindow.KONG:
        return tile_dealing.draw(state, state.turn, "kong", told)
    if answer.seat is not None:
        return _claim(state, answer.seat, answer.vote, told)
    following = after(state.turn)
    if not state.options.manual:
        return tile_dealing.draw(state, following, "draw", told)
    return replace(state, stage=Stage.DRAWING, turn=following, tile=None, votes=UNDECIDED)


def _undone(state: State) -> State:
    """Return the state with a robbed kong taken back: it did not happen."""
    if state.window is not ClaimWindow.KONG:
        return state
    seat, tile = state.turn, state.tile
    assert tile is not None
    holding = state.holdings[seat]
    if is_concealed(state):
        return held(
            state,
            seat,
            tiles=tuple(sorted((*holding.tiles, *holding.sets[-1].tiles))),
            sets=holding.sets[:-1],
        )
    place = next(place for place, one in enumerate(holding.sets) if tile in one.tiles)
    added = holding.sets[place]
    pong = Meld(Form.PONG, without(added.tiles, tile), added.taken, added.source)
    sets = (*holding.sets[:place], pong, *holding.sets[place + 1 :])
    return held(state, seat, tiles=tuple(sorted((*holding.tiles, tile))), sets=sets)


def _passed(state: State, claimant: Seat | None) -> State:
    """過水: note who has let a win go and, at some houses, a pong."""
    house = state.options.house
    if state.window is ClaimWindow.FLOWER or (house.passed_hu == "free" and not house.passed_pong):
        return state
    after_all = state
    for seat in claimants(state):
        holding = state.holdings[seat]
        if house.passed_hu != "free" and could_hu(state, seat):
            stuck = _waits(state, holding, holding.tiles)
            after_all = held(after_all, seat, passed=True, stuck=stuck)
        if house.passed_pong and seat != claimant and claims(state, seat).pong:
            assert state.tile is not None
            after_all = held(after_all, seat, spurned=(*holding.spurned, KIND[state.tile]))
    return after_all


def _claim(state: State, seat: Seat, vote: Vote, told: list[AddressedEvent]) -> State:
    tile, source = state.tile, state.turn
    assert tile is not None
    holding, house = state.holdings[seat], state.options.house
    used = taken(state, seat, vote)
    made = Meld(FORMS[type(vote)], tuple(sorted((*used, tile))), tile, source)
    told += private_events.melded(seat, len(holding.sets), made)
    discards = state.holdings[source].discards
    state = held(state, source, discards=(*discards[:-1], DiscardedTile(tile, seat)))
    state = held(
        state,
        seat,
        tiles=remaining(state, seat, vote),
        sets=(*holding.sets, made),
        passed=holding.passed and house.passed_hu == "until_change",
        spurned=(),
    )
    state = replace(
        state,
        stage=Stage.DISCARDING,
        turn=seat,
        drawn=None,
        how="",
        calm=False,
        window=ClaimWindow.DISCARD,
        tile=None,
        votes=UNDECIDED,
    )
    if isinstance(vote, Kong):
        return tile_dealing.draw(state, seat, "kong", told)
    if house.no_swap_call and isinstance(vote, Chow):
        one, other = vote.tiles
        return replace(state, barred=swapped(KIND[tile], (KIND[one], KIND[other])))
    return state
