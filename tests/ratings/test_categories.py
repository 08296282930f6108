"""In which category a table counts; the page must know the same (web/test/ratings/categories.test.ts)."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from qipai.games.game_registry import GAMES
from qipai.kernel.clock import ClockPlan

CASES = json.loads((Path(__file__).parents[2] / "web/test/ratings/categories.json").read_text())


@pytest.mark.parametrize(("game", "options", "clock", "category"), CASES)
def test_options_and_clock_give_the_category(
    game: str, options: dict[str, Any], clock: dict[str, Any], category: str
) -> None:
    plan = msgspec.convert(clock, ClockPlan)
    found = GAMES[game].rating_category(GAMES[game].read_chosen_options(options), plan)
    assert found == category
    assert category in GAMES[game].rating_categories


def test_every_category_has_a_case() -> None:
    known = {category for game in GAMES.values() for category in game.rating_categories}
    assert {category for *_, category in CASES} == known
