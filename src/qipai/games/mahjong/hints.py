"""Hints for a player's own hand: shanten, waits, tai; from what the player can see."""

from functools import lru_cache
from typing import Final

from qipai.games.mahjong.hands.shanten_number import shanten
from qipai.games.mahjong.hands.waits import discards_that_stay_ready, waits
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.scoring.tai_count import score_win
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.kernel.ids import Seat

from .hand_end import win_of
from .house_rules import HouseRules
from .state import KIND_OF, State, counts_of, melds_of
from .tiles import COPIES, FLOWER, kinds_of
from .wire_types import AllowedHints, Form, Hints, Options, ReadyDiscard, Stage, Wait

WaitTai = tuple[tuple[int, int, int], ...]
"""For each wait: kind, tai of a claimed win, tai of a self-drawn win."""

ALL_HINTS: Final = AllowedHints()
NO_HINTS: Final = AllowedHints(waits=False, ready_discards=False, shanten=False)


def hints_for(state: State, seat: Seat) -> Hints | None:
    """Return the allowed hints for a seat's own hand; None if the table allows none."""
    allowed = allowed_by(state.options)
    if allowed == NO_HINTS:
        return None
    seat_tiles, house = state.seat_tiles[seat], state.options.house
    counts = bytes(counts_of(seat_tiles.tiles))
    melds = melds_of(seat_tiles)
    flower_count = len(seat_tiles.tiles) - sum(counts)
    distance = _shanten(counts, melds, int(state.options.tiles), house)
    shanten_hint = distance if allowed.shanten else None
    if distance > 0 or flower_count > 1:
        return Hints(shanten_hint)
    if state.turn != seat or state.stage is not Stage.DISCARDING:
        return (
            Hints(shanten_hint)
            if flower_count
            else Hints(shanten_hint, waits=_waits_with_tai(state, seat, counts, allowed))
        )
    if not allowed.ready_discards:
        return Hints(shanten_hint)
    if flower_count:
        # A flower in the hand is the useless tile.
        flower = next(KIND_OF[tile] for tile in seat_tiles.tiles if KIND_OF[tile] >= FLOWER)
        return Hints(
            shanten_hint,
            ready_discards=(ReadyDiscard(flower, _waits_with_tai(state, seat, counts, allowed)),),
        )
    choices: list[ReadyDiscard] = []
    for kind in _ready_discards(counts, melds, house):
        rest = bytearray(counts)
        rest[kind] -= 1
        choices.append(ReadyDiscard(kind, _waits_with_tai(state, seat, bytes(rest), allowed)))
    return Hints(shanten_hint, ready_discards=tuple(choices))


def allowed_by(options: Options) -> AllowedHints:
    """Return the hints that a table allows."""
    if isinstance(options.hints, AllowedHints):
        return options.hints
    return ALL_HINTS if options.hints else NO_HINTS


def _waits_with_tai(state: State, seat: Seat, counts: bytes, allowed: AllowedHints) -> tuple[Wait, ...]:
    if not allowed.waits:
        return ()
    base_win = win_of(state, seat, (), None, drawn=False, flags=())
    tai_by_kind = _tai_of_waits(counts, base_win, state.options.house)
    unseen = _unseen(state, seat)
    return tuple([Wait(kind, unseen[kind], claimed, drawn) for kind, claimed, drawn in tai_by_kind])


def _unseen(state: State, seat: Seat) -> bytearray:
    """Return the number of tiles of each kind that the seat has not seen."""
    unseen = bytearray([COPIES] * FLOWER)
    for other, seat_tiles in enumerate(state.seat_tiles):
        visible = [discard.tile for discard in seat_tiles.discards if discard.by is None]
        for meld in seat_tiles.melds:
            if meld.form is not Form.CONCEALED or other == seat:
                visible += meld.tiles
        if other == seat:
            visible += seat_tiles.tiles
        for tile in visible:
            if KIND_OF[tile] < FLOWER:
                unseen[KIND_OF[tile]] -= 1
    return unseen


@lru_cache(maxsize=1 << 12)
def _shanten(counts: bytes, melds: tuple[Meld, ...], variant: int, house: HouseRules) -> int:
    return shanten(counts, melds, variant, house)


@lru_cache(maxsize=1 << 12)
def _ready_discards(counts: bytes, melds: tuple[Meld, ...], house: HouseRules) -> tuple[int, ...]:
    return tuple(discards_that_stay_ready(counts, melds, house))


@lru_cache(maxsize=1 << 12)
def _tai_of_waits(counts: bytes, base_win: Win, house: HouseRules) -> WaitTai:
    waits_found = []
    for kind in waits(counts, base_win.melds, house):
        hand = (*kinds_of(counts), kind)
        tai = []
        for drawn in (False, True):
            win = Win(
                base_win.variant,
                hand,
                kind,
                base_win.melds,
                drawn,
                base_win.seat_wind,
                base_win.round_wind,
                base_win.flowers,
                base_win.flags,
            )
            score = score_win(win, house)
            tai.append(0 if score is None else score.total)
        waits_found.append((kind, tai[0], tai[1]))
    return tuple(waits_found)
