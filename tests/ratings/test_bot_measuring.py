"""The tool that measures ratings of bots."""

from math import exp

import pytest

from qipai.games.game_registry import OWN_GAMES
from qipai.ratings.glicko2 import SCALE
from tools.bot_ratings import OPTIONS, Pairing, Score, bot_named, fit, intervals, main, pairs, play_pairing

NAMES = ("a", "b", "c")


def expected(one: float, other: float) -> float:
    return 1 / (1 + exp((other - one) / SCALE))


def scores(games: int, ratings: dict[str, float]) -> list[Score]:
    """Return the results that players with these ratings have on average."""
    return [
        Score((one, other), expected(ratings[one], ratings[other]), 1.0, seed)
        for one, other in pairs(NAMES, (), 2)
        for seed in range(games)
    ]


def test_the_ratings_behind_results_are_found() -> None:
    true = {"a": 1300.0, "b": 1500.0, "c": 1850.0}
    found = fit(NAMES, {"b": 1500.0}, scores(2_000, true), SCALE)
    assert found == pytest.approx(true, abs=1)
    halves = intervals(NAMES, {"b": 1500.0}, scores(2_000, true), SCALE)
    assert max(halves.values()) < 1


def test_a_bot_that_lost_everything_has_a_rating_too() -> None:
    lost = [Score(("a", "b"), 0.0, 1.0, seed) for seed in range(60)]
    found = fit(("a", "b"), {"b": 1500.0}, lost, SCALE)
    assert 400 < found["a"] < 1000


def test_references_have_the_ratings_that_they_were_limited_to() -> None:
    level, reference = "level8", "stockfish-1500"
    even = [Score((level, reference), 0.5, 1.0, seed) for seed in range(20)]
    assert fit((level,), {reference: 1500.0}, even, SCALE)[level] == pytest.approx(1500)
    assert (level, reference) in list(pairs(("level7", level), (reference,), 1))
    bot = bot_named(Pairing("chess", "plain", (level, reference), 0, engine=False), reference)
    assert bot.name == reference


@pytest.mark.parametrize("game", OPTIONS)
def test_the_options_of_every_twist_are_those_of_the_twist(game: str) -> None:
    for twist, options in OPTIONS[game].items():
        assert OWN_GAMES[game].twist(OWN_GAMES[game].read_chosen_options(options)) == twist
    assert OWN_GAMES[game].bot_ratings.keys() <= OPTIONS[game].keys()


@pytest.mark.parametrize(
    ("game", "bots"), [("gomoku", ("easy", "normal")), ("mahjong", ("random", "normal"))]
)
def test_a_game_is_played_again_in_the_same_way(game: str, bots: tuple[str, str]) -> None:
    twist = next(iter(OPTIONS[game]))
    for number in range(2):
        pairing = Pairing(game, twist, bots, number, engine=False)
        played = play_pairing(pairing)
        assert played == play_pairing(pairing)
        assert 0 <= played.points <= played.of == (1.0 if game == "gomoku" else 4.0)


def test_without_a_rating_to_start_from_nothing_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exited:
        main(["gomoku", "free"])
    assert exited.value.code == 2
    assert "--references or --anchor" in capsys.readouterr().err
