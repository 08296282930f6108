"""Plays the steps of mahjong lessons: from a prepared wall; the others pass and discard what they draw."""

from typing import Any, Final

from qipai.games.mahjong.rules import RULES
from qipai.games.mahjong.state import State
from qipai.games.mahjong.view import ENDED_STAGES
from qipai.games.mahjong.wire_types import Discard, Hu, Pass, Stage
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.games.mahjong.mahjong_walls import drop, play, table

__all__ = ["RULES", "continued", "shown", "start"]

READER: Final = Seat(0)
HIDDEN: Final = ("wall", "seed", "commitment", "hands", "best")
"""Fields that lessons do not show."""


def start(step: dict[str, Any]) -> tuple[State, Random]:
    """Return the first moment at which the reader has something to decide.

    `hands`, `extra`, `front` and `back` are tiles as in a prepared wall; `discards` are the first discards,
    as pairs of a seat and a tile; `hu`: the reader has won already.
    """
    setup, options = step["setup"], step["options"]
    hands = {int(seat): tiles for seat, tiles in setup["hands"].items()}
    names = ("extra", "front", "back", "dealer", "streak", "place", "left")
    more = {name: setup[name] for name in names if name in setup}
    state = table(hands, size=options["tiles"], hints=False, **more)
    for seat, tile in setup.get("discards", ()):
        state = _until(state, seat)
        state = drop(state, seat, tile)
    state = _settled(state)
    if setup.get("hu"):
        state = _settled(play(state, READER, Hu()))
    return state, Random(bytes(32))


def continued(state: State, stage: dict[str, Any], random: Random) -> State:
    """Return the reader's discard, or the next moment of choice, or the end of the hand."""
    return state if state.stage is Stage.CLAIMING and state.turn == READER else _settled(state)


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Return the view without what proves that the wall is fair."""
    return {name: value for name, value in view.items() if name not in HIDDEN}


def _settled(state: State) -> State:
    """Let the others pass and discard what they draw until the reader has a choice."""
    while state.stage not in ENDED_STAGES and not _has_choice(state):
        state = _step(state)
    return state


def _until(state: State, seat: int) -> State:
    """Let all pass and discard what they draw until it is this seat's turn to discard."""
    while state.stage is not Stage.DISCARDING or state.turn != seat:
        state = _step(state)
    return state


def _has_choice(state: State) -> bool:
    moves = RULES.legal(state, READER)
    return state.answers[READER] is None and any(not isinstance(move, Pass) for move in moves)


def _step(state: State) -> State:
    if state.stage is Stage.CLAIMING:
        waiting = [seat for seat in RULES.to_act(state) if state.answers[seat] is None]
        return play(state, waiting[0], Pass())
    assert state.drawn is not None
    return play(state, state.turn, Discard(state.drawn))
