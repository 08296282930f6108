"""The page recomputes draws by the rules that the server has now."""

import re
from pathlib import Path
from typing import Final

import pytest

from qipai.games.game_registry import GAMES

PAGE_GAMES: Final = Path(__file__).parents[2] / "web/src/games"
NUMBER: Final = re.compile(r"(?:drawVerification: \{ rules: |RULES_NUMBER = )(\d+)")


@pytest.mark.parametrize("game", ["chess", "mahjong", "tictactoe"])
def test_the_page_verifies_the_draws_of_the_present_rules(game: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (PAGE_GAMES / game).glob("*.ts*")]
    numbers = {int(number) for source in sources for number in NUMBER.findall(source)}
    assert numbers == {GAMES[game].rules_number}
