"""Mahjong for the laws: any moves, tables with rules of their own, players who get somewhere."""

import random
from typing import Final

from qipai.games.mahjong.house_rules import HouseRules
from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import State
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Deal,
    Discard,
    Draw,
    Flowers,
    Hu,
    Kong,
    Next,
    Pass,
    Pong,
    Roll,
    Settings,
    Size,
    Stage,
)
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.games.mahjong.mahjong_walls import anything, eager, waiting

HOUSE: Final = HouseRules(
    dead_wall=64,
    act_after_claim=True,
    no_swap_call=True,
    orphans_rob_concealed=True,
    several_winners=False,
    passed_hu="until_change",
    passed_pong=True,
    seat_winds="opening",
    declare_ting=True,
)
"""A table where much is otherwise, and where hands are short enough to end."""

# What hints cost would be paid at every look; the tests of the game itself try them.
TABLES: Final = (
    Settings(rounds=1, hints=False),
    Settings(tiles=Size.SIXTEEN, rounds=1, hints=False, manual_steps=True),
    Settings(tiles=Size.SIXTEEN, house=HOUSE, rounds=1, hints=False),
    Settings(flowers=Flowers.KEEP, house=HOUSE, rounds=1, hints=False),
)

_RUNS: Final = tuple(
    Chow((low, high))
    for low in range(108)
    for high in range(low + 1, 108)
    if low // 36 == high // 36 and kind_of(high) - kind_of(low) in (1, 2)
)
_OF_TILES: Final = (
    *(Discard(tile, ready) for tile in range(144) for ready in (False, True)),
    *(Kong(tile) for tile in range(144)),
    *_RUNS,
    *(Chow(pair) for pair in ((4, 0), (0, 0), (0, 1), (0, 12), (32, 36), (108, 112), (136, 137))),
)
MOVES: Final = (
    *(Pass(), Pong(), Kong(), Hu(), Next(), Roll(), Deal(), Draw()),
    # In no order, so that the first few are of every sort.
    *random.Random(1).sample(_OF_TILES, len(_OF_TILES)),
)


def hides(state: State) -> bool:
    """Before a deal and after a hand all lies open; while flowers of a deal are replaced nothing may move."""
    over = state.stage in (Stage.HAND_OVER, Stage.GAME_OVER)
    return bool(state.wall) and not over and state.replacing is None


def choose(state: State, who: int, pick: int) -> tuple[Seat, AnyMove]:
    """Return the move of a seat that mostly plays to win; seldom one that has already answered."""
    acting = (pick % 8 and waiting(state)) or RULES.to_act(state)
    seat = acting[who % len(acting)]
    return seat, (eager if pick % 6 else anything)(state, seat, Random(bytes([pick]) * 32))
