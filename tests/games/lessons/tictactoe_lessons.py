"""Plays the steps of tic-tac-toe lessons: from a board in the middle of a match."""

from typing import Any

from qipai.games.tictactoe.rules import RULES, State
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

__all__ = ["RULES", "continued", "shown", "start"]


def start(step: dict[str, Any]) -> tuple[State, Random]:
    """Return the board; seat 0 plays X and has the turn."""
    setup, seat = step["setup"], Seat(0)
    wins = tuple(setup.get("wins", (0, 0)))
    state = State(seat, seat, seat, seat, setup["board"], setup.get("round", 0), (wins[0], wins[1]))
    return state, Random(bytes(32))


def continued(state: State, stage: dict[str, Any], random: Random) -> State:
    """Return the same state: the opponent does not answer."""
    return state


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Return the whole view."""
    return view
