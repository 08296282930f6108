"""The twist of a game is the word by which people tell its options apart."""

from typing import Any

import pytest

from qipai.games.game_registry import GAMES


@pytest.mark.parametrize(
    ("game", "options", "twist"),
    [
        ("chess", {}, "plain"),
        ("chess", {"dice": "free"}, "dice"),
        ("chess", {"dice": "sequential", "rerolls": 1}, "dice"),
        ("chess", {"fog": True}, "fog"),
        ("chess", {"mines": 5}, "mines"),
        ("chess", {"fog": True, "mines": 1}, "mixed"),
        ("gomoku", {}, "free"),
        ("gomoku", {"rule": "renju", "size": 19}, "renju"),
        ("gomoku", {"rule": "swap2"}, "swap2"),
        ("mahjong", {}, "13"),
        ("mahjong", {"tiles": 16}, "16"),
        ("tictactoe", {}, ""),
    ],
)
def test_a_game_names_its_twist(game: str, options: dict[str, Any], twist: str) -> None:
    assert GAMES[game].twist(GAMES[game].read_chosen_options(options)) == twist
