"""Hints: what a player's own hand lacks, waits for, and would be worth, from what he can see."""

from functools import lru_cache
from typing import Final

from qipai.games.mahjong.hands.shanten_number import shanten
from qipai.games.mahjong.hands.waits import discards_that_stay_ready, waits
from qipai.games.mahjong.hands.winning_shapes import Meld
from qipai.games.mahjong.scoring.tai_count import score
from qipai.games.mahjong.scoring.win_readings import Win
from qipai.kernel.ids import Seat

from .hand_end import win_of
from .house_rules import HouseRules
from .state import KIND, State, counts_of, melds_of
from .tiles import COPIES, FLOWER, kinds_of
from .wire_types import AllowedHints, Form, Hints, Options, ReadyDiscard, Stage, Wait

Worth = tuple[tuple[int, int, int], ...]
"""A kind, its tai claimed, its tai self-drawn."""

ALL: Final = AllowedHints()
NONE: Final = AllowedHints(waits=False, ready_discards=False, shanten=False)


def hints(state: State, seat: Seat) -> Hints | None:
    """Return what a seat may be told about its own hand; nothing at tables that forbid all of it."""
    allowed = allowed_by(state.options)
    if allowed == NONE:
        return None
    holding, house = state.holdings[seat], state.options.house
    counts = bytes(counts_of(holding.tiles))
    melds = melds_of(holding)
    dead = len(holding.tiles) - sum(counts)
    away = _shanten(counts, melds, int(state.options.tiles), house)
    lacks = away if allowed.shanten else None
    if away > 0 or dead > 1:
        return Hints(lacks)
    if state.turn != seat or state.stage is not Stage.DISCARDING:
        return Hints(lacks) if dead else Hints(lacks, waits=_waits(state, seat, counts, allowed))
    if not allowed.ready_discards:
        return Hints(lacks)
    if dead:
        # A flower kept in the hand is the tile to part with.
        flower = next(KIND[tile] for tile in holding.tiles if KIND[tile] >= FLOWER)
        return Hints(lacks, ready_discards=(ReadyDiscard(flower, _waits(state, seat, counts, allowed)),))
    keeps: list[ReadyDiscard] = []
    for kind in _keeping(counts, melds, house):
        fewer = bytearray(counts)
        fewer[kind] -= 1
        keeps.append(ReadyDiscard(kind, _waits(state, seat, bytes(fewer), allowed)))
    return Hints(lacks, ready_discards=tuple(keeps))


def allowed_by(options: Options) -> AllowedHints:
    """Return which hints a table allows."""
    if isinstance(options.hints, AllowedHints):
        return options.hints
    return ALL if options.hints else NONE


def _waits(state: State, seat: Seat, counts: bytes, allowed: AllowedHints) -> tuple[Wait, ...]:
    if not allowed.waits:
        return ()
    frame = win_of(state, seat, (), None, drawn=False, flags=())
    found = _worth(counts, frame, state.options.house)
    unseen = _unseen(state, seat)
    return tuple([Wait(kind, unseen[kind], claimed, drawn) for kind, claimed, drawn in found])


def _unseen(state: State, seat: Seat) -> bytearray:
    """Return how many tiles of each kind the seat has not seen."""
    left = bytearray([COPIES] * FLOWER)
    for other, holding in enumerate(state.holdings):
        seen = [drop.tile for drop in holding.discards if drop.by is None]
        for one in holding.sets:
            if one.form is not Form.CONCEALED or other == seat:
                seen += one.tiles
        if other == seat:
            seen += holding.tiles
        for tile in seen:
            if KIND[tile] < FLOWER:
                left[KIND[tile]] -= 1
    return left


@lru_cache(maxsize=1 << 12)
def _shanten(counts: bytes, melds: tuple[Meld, ...], variant: int, house: HouseRules) -> int:
    return shanten(counts, melds, variant, house)


@lru_cache(maxsize=1 << 12)
def _keeping(counts: bytes, melds: tuple[Meld, ...], house: HouseRules) -> tuple[int, ...]:
    return tuple(discards_that_stay_ready(counts, melds, house))


@lru_cache(maxsize=1 << 12)
def _worth(counts: bytes, frame: Win, house: HouseRules) -> Worth:
    found = []
    for kind in waits(counts, frame.melds, house):
        hand = (*kinds_of(counts), kind)
        tai = []
        for drawn in (False, True):
            won = Win(
                frame.variant,
                hand,
                kind,
                frame.melds,
                drawn,
                frame.seat_wind,
                frame.round_wind,
                frame.flowers,
                frame.flags,
            )
            scored = score(won, house)
            tai.append(0 if scored is None else scored.total)
        found.append((kind, tai[0], tai[1]))
    return tuple(found)
