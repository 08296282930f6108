"""Plays the steps of chess lessons: from a FEN, with given dice and mines."""

from typing import Any

from msgspec.structs import replace

from qipai.games.chess.rules import RULES
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import DiceMode, Settings
from qipai.kernel.randomness import Random
from tests.games.chess.chess_table import FixedRandom, game_at, play

__all__ = ["RULES", "continued", "shown", "start"]


def start(step: dict[str, Any]) -> tuple[State, Random]:
    """Return the position of `fen` after the moves of `before`; `roll` falls first, then `dice`."""
    setup, options = step["setup"], step["options"]
    dice = DiceMode(options.get("dice", ""))
    rules = replace(
        Settings(),
        dice=dice,
        fog=options.get("fog", False),
        mines=options.get("mines", 0),
        rerolls=options.get("rerolls", 0),
    )
    state = game_at(setup["fen"], rules, rolled=setup.get("roll", ""), mines=setup.get("mines", ""))
    random = FixedRandom(setup.get("dice", ()))
    return play(state, *setup.get("before", ()), dice=random), random


def continued(state: State, stage: dict[str, Any], random: Random) -> State:
    """Return the state after the moves of the opponent."""
    return play(state, *stage.get("then", ()), dice=random)


def shown(view: dict[str, Any]) -> dict[str, Any]:
    """Return the whole view."""
    return view
