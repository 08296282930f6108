"""Every lesson of the page teaches what the server plays: positions, moves to try, refused moves."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .lesson_files import GAMES, RULES_OF, Json, attempt, pages, read, states, text_of, with_positions

PAGES = list(pages())
STEPS = [(game, path.stem, step) for game, path in PAGES for step in read(path)["steps"]]


def named(value: Any) -> str | None:
    return value["id"] if isinstance(value, dict) else getattr(value, "stem", None)


def moments(game: str, step: Json) -> Iterator[tuple[Json, Any, Any]]:
    """Yield each stage of a step with its state and randomness that lasts for any move."""
    for stage, state in states(game, step):
        yield stage, state, RULES_OF[game].start(step)[1]


def test_every_game_of_the_page_has_lessons() -> None:
    assert {game for game, _ in PAGES} == set(RULES_OF)
    assert {folder.parent.name for folder in GAMES.glob("*/learn")} == set(RULES_OF)


@pytest.mark.parametrize(("game", "path"), PAGES, ids=named)
def test_the_positions_of_a_page_follow_from_the_rules(game: str, path: Path) -> None:
    expected = text_of(with_positions(game, read(path)))
    assert path.read_text(encoding="utf-8") == expected, "run python -m tests.games.lessons.lesson_files"


@pytest.mark.parametrize(("game", "page", "step"), STEPS, ids=named)
def test_moves_of_a_step_are_allowed_or_refused_as_it_says(game: str, page: str, step: Json) -> None:
    rules = RULES_OF[game]
    for stage, state, random in moments(game, step):
        if not stage["right"]:
            continue
        assert step["you"] in rules.RULES.to_act(state)
        for listed in stage.get("refused", ()):
            assert attempt(rules, state, step["you"], listed["move"], random) is None, listed
        moves = [*stage["right"], *(listed["move"] for listed in stage.get("other", ()))]
        for move in moves:
            fresh = rules.start(step)[1]
            assert attempt(rules, state, step["you"], move, fresh) is not None, move


@pytest.mark.parametrize(("game", "path"), PAGES, ids=named)
def test_the_steps_of_a_page_have_different_names(game: str, path: Path) -> None:
    names = [step["id"] for step in read(path)["steps"]]
    assert len(set(names)) == len(names) > 0


ENDINGS = {
    ("chess", "plain", "mate"): ((0,), "mate"),
    ("chess", "plain", "draw"): ((0,), "mate"),
    ("chess", "mines", "king"): ((1,), "mined"),
    ("gomoku", "free", "five"): ((0,), "five"),
    ("gomoku", "free", "overline"): ((0,), "five"),
    ("gomoku", "renju", "overline"): ((0,), "five"),
    ("gomoku", "renju", "white"): ((1,), "five"),
}
"""Steps whose last move ends the game: the winners and the reason."""


@pytest.mark.parametrize(("game", "page", "step"), STEPS, ids=named)
def test_a_step_ends_the_game_only_if_its_text_says_so(game: str, page: str, step: Json) -> None:
    rules = RULES_OF[game]
    *_, (stage, state, _) = moments(game, step)
    expected = ENDINGS.get((game, page, step["id"]))
    for move in stage["right"]:
        outcome = rules.RULES.outcome(attempt(rules, state, step["you"], move, rules.start(step)[1]))
        assert (None if outcome is None else (outcome.winners, outcome.reason)) == expected


def test_a_listed_stalemate_is_one() -> None:
    (step,) = (one for game, page, one in STEPS if (game, page, one["id"]) == ("chess", "plain", "draw"))
    ((stage, state, random),) = moments("chess", step)
    (listed,) = stage["other"]
    rules = RULES_OF["chess"]
    assert rules.RULES.outcome(attempt(rules, state, 0, listed["move"], random)).reason == "stalemate"


def test_a_listed_forbidden_point_has_the_kind_that_the_lesson_names() -> None:
    kinds = {}
    for game, page, step in STEPS:
        if (game, page) == ("gomoku", "renju"):
            for stage, _ in states(game, step):
                points = {point["cell"]: point["kind"] for point in stage["position"].get("forbidden", ())}
                for listed in stage.get("refused", ()):
                    kinds[step["id"]] = points[listed["move"]["x"] + 15 * listed["move"]["y"]]
                    assert kinds[step["id"]] == listed["reason"]
    assert kinds == {"doubleThree": "double_three", "doubleFour": "double_four", "overline": "overline"}
