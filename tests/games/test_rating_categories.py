"""In which category a table is rated, by the table of docs/ratings.md."""

from typing import Any

import pytest

from qipai.games.game_registry import GAMES, OWN_GAMES
from qipai.kernel.clock import ClockPlan

MINUTE = 60_000


def clock(minutes: float, increment: int = 0) -> ClockPlan:
    return ClockPlan((int(minutes * MINUTE),), increment * 1_000)


def category(game: str, options: dict[str, Any], plan: ClockPlan | None) -> str:
    found = GAMES[game]
    name = found.rating_category(found.read_chosen_options(options), plan)
    assert not name or name in found.rating_categories
    return name


@pytest.mark.parametrize(
    ("plan", "name"),
    [
        (clock(1), "bullet"),
        (clock(2, 1), "bullet"),
        (clock(2.99), "bullet"),
        (clock(3), "blitz"),
        (clock(2, 2), "blitz"),
        (clock(3, 2), "blitz"),
        (clock(7.99), "blitz"),
        (clock(8), "rapid"),
        (clock(5, 5), "rapid"),
        (clock(10), "rapid"),
        (clock(24.99), "rapid"),
        (clock(25), "classical"),
        (clock(15, 15), "classical"),
        (ClockPlan((0,), move=4_000), "bullet"),
        (ClockPlan((0,), move=60_000), "classical"),
    ],
)
def test_plain_chess_is_rated_by_speed(plan: ClockPlan, name: str) -> None:
    assert category("chess", {}, plan) == f"chess-{name}"


@pytest.mark.parametrize(
    ("options", "name"),
    [
        ({"dice": "sequential"}, "dice"),
        ({"dice": "free", "rerolls": 2}, "dice"),
        ({"fog": True}, "fog"),
        ({"mines": 1}, "mines"),
        ({"fog": True, "mines": 5}, "mixed"),
        ({"dice": "free", "fog": True, "mines": 5}, "mixed"),
        ({"dice": "free", "mines": 5}, "mixed"),
    ],
)
def test_chess_with_a_twist_is_rated_by_the_twist(options: dict[str, Any], name: str) -> None:
    for plan in (clock(1), clock(60)):
        assert category("chess", options, plan) == f"chess-{name}"


def test_gomoku_is_rated_by_opening_rule_and_mahjong_by_tiles() -> None:
    for rule in ("free", "swap2", "renju"):
        for size in (15, 19):
            assert category("gomoku", {"rule": rule, "size": size}, clock(5)) == f"gomoku-{rule}"
    for tiles in (13, 16):
        assert category("mahjong", {"tiles": tiles}, clock(5)) == f"mahjong-{tiles}"


def test_tictactoe_is_not_rated() -> None:
    assert category("tictactoe", {}, clock(5)) == ""
    assert GAMES["tictactoe"].rating_categories == ()


@pytest.mark.parametrize("game", OWN_GAMES)
@pytest.mark.parametrize("plan", [None, ClockPlan(), ClockPlan((0,), 5_000)])
def test_nothing_is_rated_without_a_clock(game: str, plan: ClockPlan | None) -> None:
    assert category(game, {}, plan) == ""


def test_a_game_with_another_budget_for_each_side_has_no_category() -> None:
    assert category("chess", {}, ClockPlan((60_000, 120_000))) == ""


def test_a_category_belongs_to_one_game() -> None:
    names = [name for game in GAMES.values() for name in game.rating_categories]
    assert len(names) == len(set(names))


def test_rooms_of_older_clients_have_no_category() -> None:
    chess, mahjong = GAMES["chess"], GAMES["mahjong"]
    for field in ("legacy_rules", "unchecked_moves"):
        assert chess.rating_category(chess.read_options({field: True}, chess.rules_number), clock(5)) == ""
    by_hand = mahjong.read_options({"manual_steps": True}, mahjong.rules_number)
    assert mahjong.rating_category(by_hand, clock(5)) == ""
