"""Tic-tac-toe whose rules raise an exception on the centre cell."""

from copy import copy
from typing import Any

from qipai.games import game_registry
from qipai.games.game import Game
from qipai.games.tictactoe import rules as tictactoe

CENTRE = 4


class FaultyRules:
    """The rules of tic-tac-toe, except that a mark in the centre is a fault of the program."""

    def __getattr__(self, name: str) -> Any:
        return getattr(tictactoe.RULES, name)

    def play(self, state: Any, seat: Any, move: Any, *others: Any) -> Any:
        if isinstance(move, tictactoe.Mark) and move.cell == CENTRE:
            raise IndexError(f"no cell {move.cell}")
        return tictactoe.RULES.play(state, seat, move, *others)


def faulty_game() -> Game:
    """Return tic-tac-toe with these rules."""
    game = copy(game_registry.OWN_GAMES["tictactoe"])
    game.rules = FaultyRules()
    return game
