"""Plays the steps of gomoku lessons: from stones and choices in order."""

from typing import Any

from qipai.games.gomoku.rules import RULES
from qipai.games.gomoku.state import State
from qipai.games.gomoku.wire_types import PLACES, Choice, Choose, OpeningRule, Options
from qipai.kernel.randomness import Random

__all__ = ["RULES", "continued", "shown", "start"]


def start(step: dict[str, Any]) -> tuple[State, Random]:
    """Return the board after the stones (numbers of points) and choices (words) of `before`."""
    random = Random(bytes(32))
    state = RULES.deal(Options(OpeningRule(step["options"].get("rule", "free"))), random)
    for one in step["setup"]["before"]:
        (seat,) = RULES.to_act(state)
        move = PLACES[one] if isinstance(one, int) else Choose(Choice(one))
        state = RULES.play(state, seat, move, random).state
    return state, random


def continued(state: State, stage: dict[str, Any], random: Random) -> State:
    """Return the same state: the opponent does not answer."""
    return state


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Return the whole view."""
    return view
