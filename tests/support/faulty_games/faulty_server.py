"""A program: `qipai` with a faulty game."""

import sys

from qipai.cli.main import main
from qipai.games import game_registry
from tests.support.faulty_games.faulty_game import FaultyRules

if __name__ == "__main__":
    game_registry.GAMES["tictactoe"].rules = FaultyRules()
    sys.exit(main())
