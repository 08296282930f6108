"""A player's own turn: discards, kongs, declared ready; and what settled claims lead to."""

from typing import Final

from msgspec.structs import replace

from qipai.games.mahjong.hands.waits import waits
from qipai.games.mahjong.scoring.win_readings import Flag
from qipai.kernel.game_interface.rules_interface import AddressedEvent, IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.refusals import Refusal

from . import hand_end, private_events, tile_dealing
from .claims import (
    ClaimResult,
    allowed_claims,
    claimants,
    is_concealed_kong_window,
    may_win_on_tile,
    swap_barred_kinds,
    tiles_left,
    tiles_used,
)
from .events import Discarded
from .state import (
    KIND_OF,
    NO_ANSWERS,
    SeatTiles,
    State,
    counts_of,
    drawable,
    melds_of,
    seat_after,
    with_seat_tiles,
    without_tiles,
)
from .tiles import COPIES, FLOWER, TILES
from .wire_types import Chow, ClaimAnswer, ClaimWindow, Discard, DiscardedTile, Form, Kong, Meld, Pong, Stage

EARLY_READY_DISCARDS: Final = 7
"""咪幾 is declared with one of the first seven discards."""
CLAIM_FORMS: Final[dict[type, Form]] = {Chow: Form.CHOW, Pong: Form.PONG, Kong: Form.KONG}


def checked_tile(seat_tiles: SeatTiles, tile: int) -> int:
    """Return the tile if it exists and is in the hand, or raise `IllegalCommand`."""
    if not 0 <= tile < TILES:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    if tile not in seat_tiles.tiles:
        raise IllegalCommand(Refusal.ILLEGAL)
    return tile


# Discards


def barred_tiles(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles that may not be discarded: 食替, or all but the drawn one of a declared hand."""
    seat_tiles = state.seat_tiles[seat]
    if seat_tiles.ready_flag is not None and state.drawn is not None:
        return without_tiles(seat_tiles.tiles, state.drawn)
    return (
        tuple([tile for tile in seat_tiles.tiles if KIND_OF[tile] in state.barred_discards])
        if state.barred_discards
        else ()
    )


def ready_flag_for(state: State, seat: Seat, tile: int) -> Flag | None:
    """Return the ready hand that this discard may declare: 天聽, 地聽, 咪幾, 門清聽, or None."""
    if not _may_declare(state, seat):
        return None
    house, seat_tiles = state.options.house, state.seat_tiles[seat]
    flag: Flag | None = None
    if house.declare_ting and state.uninterrupted and not seat_tiles.discards:
        on_dealt_hand = seat == state.deal.dealer or tile == state.drawn
        flag = "tianting" if on_dealt_hand else "diting"
    elif house.early_ready and len(seat_tiles.discards) < EARLY_READY_DISCARDS:
        flag = "miji"
    elif house.concealed_ready_tai:
        flag = "ting"
    if (
        flag is None
        or tile in barred_tiles(state, seat)
        or not _waits_of(state, seat_tiles, without_tiles(seat_tiles.tiles, tile))
    ):
        return None
    return flag


def _may_declare(state: State, seat: Seat) -> bool:
    """Tell whether the table has ready hands, and the seat has not declared one nor shown a meld."""
    house, seat_tiles = state.options.house, state.seat_tiles[seat]
    return (
        bool(house.declare_ting or house.early_ready or house.concealed_ready_tai)
        and seat_tiles.ready_flag is None
        and all(meld.form is Form.CONCEALED for meld in seat_tiles.melds)
    )


def ready_discards(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles whose discard may declare a ready hand."""
    if not _may_declare(state, seat):
        return ()
    return tuple(
        [tile for tile in state.seat_tiles[seat].tiles if ready_flag_for(state, seat, tile) is not None]
    )


def _waits_of(state: State, seat_tiles: SeatTiles, tiles: tuple[int, ...]) -> tuple[int, ...]:
    if any(KIND_OF[tile] >= FLOWER for tile in tiles):
        return ()
    return waits(counts_of(tiles), melds_of(seat_tiles), state.options.house)


def discard(state: State, seat: Seat, move: Discard, events: list[AddressedEvent]) -> State:
    """Discard a tile and open a claim window for it."""
    seat_tiles = state.seat_tiles[seat]
    tile = checked_tile(seat_tiles, move.tile)
    if tile in barred_tiles(state, seat):
        raise IllegalCommand(Refusal.ILLEGAL)
    ready_flag = seat_tiles.ready_flag
    if move.ready:
        ready_flag = ready_flag_for(state, seat, tile)
        if ready_flag is None:
            raise IllegalCommand(Refusal.ILLEGAL)
    tiles = without_tiles(seat_tiles.tiles, tile)
    passed_win = seat_tiles.passed_win
    if passed_win and state.options.house.passed_hu == "until_change":
        passed_win = _waits_of(state, seat_tiles, tiles) == seat_tiles.waits_when_passed
    events.append(AddressedEvent(Discarded(seat, tile, move.ready)))
    discarded = with_seat_tiles(
        state,
        seat,
        tiles=tiles,
        discards=(*seat_tiles.discards, DiscardedTile(tile)),
        passed_win=passed_win,
        ready_flag=ready_flag,
    )
    return replace(
        discarded,
        stage=Stage.CLAIMING,
        drawn=None,
        draw_source="",
        claim_window=ClaimWindow.DISCARD,
        tile=tile,
        answers=NO_ANSWERS,
        barred_discards=(),
        last_discard=tile,
        discarder=seat,
    )


# Kongs in the own turn


def possible_kongs(state: State, seat: Seat) -> tuple[int, ...]:
    """Return the tiles of which a kong may be made now: four of a kind, or one of the kind of a pong."""
    house, seat_tiles = state.options.house, state.seat_tiles[seat]
    if (state.drawn is None and not house.act_after_claim) or seat_tiles.ready_flag is not None:
        return ()
    if not drawable(state, more=1):
        return ()
    counts = counts_of(seat_tiles.tiles)
    pongs = {KIND_OF[meld.tiles[0]] for meld in seat_tiles.melds if meld.form is Form.PONG}
    kong_tiles = []
    for tile in seat_tiles.tiles:
        kind = KIND_OF[tile]
        if kind >= FLOWER:
            continue
        if counts[kind] == COPIES or (kind in pongs and (house.late_added_kong or tile == state.drawn)):
            kong_tiles.append(tile)
    return tuple(kong_tiles)


def kong(state: State, seat: Seat, tile: int, events: list[AddressedEvent]) -> State:
    """Make a concealed kong, or add a tile to a pong, which other seats may rob (搶槓)."""
    seat_tiles = state.seat_tiles[seat]
    checked_tile(seat_tiles, tile)
    if tile not in possible_kongs(state, seat):
        raise IllegalCommand(Refusal.ILLEGAL)
    index = _pong_index(seat_tiles, KIND_OF[tile])
    if index is None:
        return _concealed_kong(state, seat, tile, events)
    pong = seat_tiles.melds[index]
    added = Meld(Form.ADDED, (*pong.tiles, tile), pong.taken, pong.source)
    events += private_events.meld_events(seat, index, added)
    melds = (*seat_tiles.melds[:index], added, *seat_tiles.melds[index + 1 :])
    return _open_kong_window(
        with_seat_tiles(state, seat, tiles=without_tiles(seat_tiles.tiles, tile), melds=melds), tile
    )


def _pong_index(seat_tiles: SeatTiles, kind: int) -> int | None:
    for index, meld in enumerate(seat_tiles.melds):
        if meld.form is Form.PONG and KIND_OF[meld.tiles[0]] == kind:
            return index
    return None


def _concealed_kong(state: State, seat: Seat, tile: int, events: list[AddressedEvent]) -> State:
    seat_tiles = state.seat_tiles[seat]
    four = tuple([meld for meld in seat_tiles.tiles if KIND_OF[meld] == KIND_OF[tile]])
    kong = Meld(Form.CONCEALED, four)
    events += private_events.meld_events(seat, len(seat_tiles.melds), kong)
    melded = with_seat_tiles(
        state, seat, tiles=without_tiles(seat_tiles.tiles, *four), melds=(*seat_tiles.melds, kong)
    )
    house = state.options.house
    # All seats are asked, or no question would reveal that the kong is no terminal or honour.
    if house.orphans_rob_concealed and house.thirteen_orphans and state.options.tiles == 13:
        return _open_kong_window(melded, tile)
    return tile_dealing.draw(replace(melded, uninterrupted=False), seat, "kong", events)


def _open_kong_window(state: State, tile: int) -> State:
    return replace(
        state,
        stage=Stage.CLAIMING,
        drawn=None,
        draw_source="",
        claim_window=ClaimWindow.KONG,
        tile=tile,
        answers=NO_ANSWERS,
        barred_discards=(),
        uninterrupted=False,
    )


# What claims lead to


def after_claims(state: State, result: ClaimResult, events: list[AddressedEvent]) -> State:
    """Return the state after the result of a claim window."""
    if result.winners:
        return hand_end.win_by_claim(_undo_robbed_kong(state), result.winners)
    state = _note_passed_claims(state, result.seat)
    if state.claim_window is ClaimWindow.FLOWER:
        if state.replacing is not None:
            return tile_dealing.replace_dealt_flowers(state)
        return tile_dealing.draw(state, state.turn, state.draw_source, events)
    if state.claim_window is ClaimWindow.KONG:
        return tile_dealing.draw(state, state.turn, "kong", events)
    if result.seat is not None:
        return _make_claim(state, result.seat, result.answer, events)
    next_seat = seat_after(state.turn)
    if not state.options.manual_steps:
        return tile_dealing.draw(state, next_seat, "draw", events)
    return replace(state, stage=Stage.DRAWING, turn=next_seat, tile=None, answers=NO_ANSWERS)


def _undo_robbed_kong(state: State) -> State:
    """Return the state before a robbed kong: it does not count."""
    if state.claim_window is not ClaimWindow.KONG:
        return state
    seat, tile = state.turn, state.tile
    assert tile is not None
    seat_tiles = state.seat_tiles[seat]
    if is_concealed_kong_window(state):
        return with_seat_tiles(
            state,
            seat,
            tiles=tuple(sorted((*seat_tiles.tiles, *seat_tiles.melds[-1].tiles))),
            melds=seat_tiles.melds[:-1],
        )
    index = next(index for index, meld in enumerate(seat_tiles.melds) if tile in meld.tiles)
    added = seat_tiles.melds[index]
    pong = Meld(Form.PONG, without_tiles(added.tiles, tile), added.taken, added.source)
    melds = (*seat_tiles.melds[:index], pong, *seat_tiles.melds[index + 1 :])
    return with_seat_tiles(state, seat, tiles=tuple(sorted((*seat_tiles.tiles, tile))), melds=melds)


def _note_passed_claims(state: State, claimant: Seat | None) -> State:
    """過水: record which seats have passed a win and, by house rule, a pong."""
    house = state.options.house
    if state.claim_window is ClaimWindow.FLOWER or (house.passed_hu == "free" and not house.passed_pong):
        return state
    changed = state
    for seat in claimants(state):
        seat_tiles = state.seat_tiles[seat]
        if house.passed_hu != "free" and may_win_on_tile(state, seat):
            waits_now = _waits_of(state, seat_tiles, seat_tiles.tiles)
            changed = with_seat_tiles(changed, seat, passed_win=True, waits_when_passed=waits_now)
        if house.passed_pong and seat != claimant and allowed_claims(state, seat).pong:
            assert state.tile is not None
            changed = with_seat_tiles(
                changed, seat, barred_pongs=(*seat_tiles.barred_pongs, KIND_OF[state.tile])
            )
    return changed


def _make_claim(state: State, seat: Seat, answer: ClaimAnswer, events: list[AddressedEvent]) -> State:
    tile, source = state.tile, state.turn
    assert tile is not None
    seat_tiles, house = state.seat_tiles[seat], state.options.house
    tiles = tiles_used(state, seat, answer)
    claimed = Meld(CLAIM_FORMS[type(answer)], tuple(sorted((*tiles, tile))), tile, source)
    events += private_events.meld_events(seat, len(seat_tiles.melds), claimed)
    discards = state.seat_tiles[source].discards
    state = with_seat_tiles(state, source, discards=(*discards[:-1], DiscardedTile(tile, seat)))
    state = with_seat_tiles(
        state,
        seat,
        tiles=tiles_left(state, seat, answer),
        melds=(*seat_tiles.melds, claimed),
        passed_win=seat_tiles.passed_win and house.passed_hu == "until_change",
        barred_pongs=(),
    )
    state = replace(
        state,
        stage=Stage.DISCARDING,
        turn=seat,
        drawn=None,
        draw_source="",
        uninterrupted=False,
        claim_window=ClaimWindow.DISCARD,
        tile=None,
        answers=NO_ANSWERS,
    )
    if isinstance(answer, Kong):
        return tile_dealing.draw(state, seat, "kong", events)
    if house.no_swap_call and isinstance(answer, Chow):
        meld, other = answer.tiles
        return replace(
            state, barred_discards=swap_barred_kinds(KIND_OF[tile], (KIND_OF[meld], KIND_OF[other]))
        )
    return state
