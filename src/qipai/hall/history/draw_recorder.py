"""Rules that note every draw from the keystream, for the archive."""

from collections.abc import Mapping
from copy import copy
from typing import Any, cast

from qipai.games.game import Game
from qipai.kernel.game_interface.rules_interface import PLAIN, AnyRules, MoveResult, StartConditions
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

Draw = tuple[int, int]
"""Bound and result."""


class DrawRecorder:
    """Passes everything on to the rules of a game, and notes the draws of the methods that may draw."""

    def __init__(self, rules: AnyRules) -> None:
        self._rules = rules
        self._draws: list[Draw] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)

    def take_draws(self) -> tuple[Draw, ...]:
        """Return the draws since the last call."""
        draws, self._draws = self._draws, []
        return tuple(draws)

    def deal(
        self, options: Any, random: Random, before: Any = None, conditions: StartConditions = PLAIN
    ) -> Any:
        """Start a game by the rules."""
        state = self._rules.deal(options, random, before, conditions)
        self._draws += random.draws or ()
        return state

    def play(self, state: Any, seat: Seat, move: Any, random: Random) -> MoveResult:
        """Make a move by the rules."""
        result = self._rules.play(state, seat, move, random)
        self._draws += random.draws or ()
        return result

    def overdue(self, state: Any, seat: Seat, random: Random) -> Any:
        """Return the move that the rules make for a seat without time."""
        move = self._rules.overdue(state, seat, random)
        self._draws += random.draws or ()
        return move


def record_draws(games: Mapping[str, Game]) -> tuple[dict[str, Game], dict[str, DrawRecorder]]:
    """Return the same games with rules that note their draws, and the recorder of each."""
    recorders = {name: DrawRecorder(game.rules) for name, game in games.items()}
    recorded: dict[str, Game] = {}
    for name, game in games.items():
        recorded[name] = copy(game)
        recorded[name].rules = cast(AnyRules, recorders[name])
    return recorded, recorders
