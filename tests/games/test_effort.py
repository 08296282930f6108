"""Slow bots can compute less for a move: a percentage of their limits, never of the clock."""

import pytest

from qipai.games.chess.bots.levels import LEVELS
from qipai.games.game_registry import GAMES
from qipai.games.gomoku.bots import levels as gomoku
from qipai.games.gomoku.bots.search import Search
from qipai.games.gomoku.wire_types import PLACES, View
from qipai.games.mahjong.bots.levels import VALUE_EFFORT
from qipai.kernel.game_interface.bot_interface import AdjustableBot, Bot, is_slow
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

SLOW = [(name, bot) for name, game in GAMES.items() for bot in game.bots.values() if is_slow(bot)]
OPENING = (112, 97, 98, 126, 84, 140)


@pytest.mark.parametrize(("game", "bot"), SLOW, ids=lambda value: getattr(value, "name", value))
def test_every_slow_bot_is_adjustable(game: str, bot: Bot) -> None:
    assert isinstance(bot, AdjustableBot)
    assert bot.with_effort(10).name == bot.name
    assert is_slow(bot.with_effort(10))


def test_the_gomoku_search_places_a_part_of_its_stones(monkeypatch: pytest.MonkeyPatch) -> None:
    searches: list[Search] = []

    class Counted(Search):
        def best_move(self) -> int | None:
            searches.append(self)
            return super().best_move()

    monkeypatch.setattr(gomoku, "Search", Counted)
    view = View(Seat(0), Seat(0), OPENING, ())
    free = [place for cell, place in enumerate(PLACES) if cell not in OPENING]
    for effort in (10, 5, 1):
        assert gomoku.Hard().with_effort(effort).choose(view, Seat(0), free, Random(bytes(32))) in free
    for search, effort in zip(searches, (10, 5, 1), strict=True):
        assert search.placed <= gomoku.SEARCH_BUDGET * effort / 100 * 1.2


def test_a_chess_level_shrinks_its_search_its_samples_and_its_engine_time() -> None:
    level = LEVELS[-1].with_effort(10)
    assert (level.nodes, level.samples, level.plans, level.engine_millis) == (7_000, 2, 12, 80)
    assert LEVELS[-1].with_effort(100) == LEVELS[-1]
    least = LEVELS[0].with_effort(1)
    assert min(least.nodes, least.samples, least.plans, least.engine_millis) == 1


def test_with_little_effort_the_hard_mahjong_bot_chooses_as_the_normal_one() -> None:
    rules, bots = GAMES["mahjong"].rules, GAMES["mahjong"].bots
    hard = bots["hard"]
    assert isinstance(hard, AdjustableBot)
    random, differ = Random(bytes([3]) * 32), 0
    state = rules.deal(GAMES["mahjong"].read_chosen_options(None), random)
    for _ in range(150):
        for seat in rules.to_act(state):
            view, legal = rules.view(state, seat), rules.legal(state, seat)
            full, weak, normal = (
                bot.choose(view, seat, legal, Random(bytes(32)))
                for bot in (
                    hard.with_effort(VALUE_EFFORT),
                    hard.with_effort(VALUE_EFFORT - 1),
                    bots["normal"],
                )
            )
            assert weak == normal
            differ += full != normal
            if normal is not None:
                break
        state = rules.play(state, seat, normal or legal[0], random).state
    assert differ
