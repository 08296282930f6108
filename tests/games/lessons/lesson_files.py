"""Lessons as files of the page: reading them, playing their steps by the rules, and writing their positions.

A step has a `setup`, from which the rules make its first position, and stages with moves to try. The
positions follow from these: run `python -m tests.games.lessons.lesson_files` after a change of a step.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from qipai.kernel.game_interface.rules_interface import IllegalCommand
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random

from . import chess_lessons, gomoku_lessons, mahjong_lessons, tictactoe_lessons

GAMES: Final = Path(__file__).parents[3] / "web" / "src" / "games"
Json = dict[str, Any]


class LessonRules(Protocol):
    """How the lessons of a game are played: its rules, and what the other players do."""

    RULES: Any

    def start(self, step: Json) -> tuple[Any, Random]:
        """Return the state in which a step begins, and its randomness."""

    def continued(self, state: Any, stage: Json, random: Random) -> Any:
        """Return the state after the answers of the others to the reader's move."""

    def shown(self, view: Json) -> Json:
        """Return the part of a view that the page needs."""


RULES_OF: Final[dict[str, LessonRules]] = {
    "chess": chess_lessons,
    "gomoku": gomoku_lessons,
    "mahjong": mahjong_lessons,
    "tictactoe": tictactoe_lessons,
}


def pages() -> Iterator[tuple[str, Path]]:
    """Yield every page of lessons: its game and its file."""
    for path in sorted(GAMES.glob("*/learn/pages/*.json")):
        yield path.parents[2].name, path


def read(path: Path) -> Json:
    """Return a page of lessons."""
    found: Json = json.loads(path.read_text(encoding="utf-8"))
    return found


def attempt(rules: LessonRules, state: Any, seat: int, move: Json, random: Random) -> Any:
    """Return the state after a move of the reader; None if the rules refuse it."""
    try:
        command = msgspec.convert(move, rules.RULES.move_type)
        return rules.RULES.play(state, Seat(seat), command, random).state
    except IllegalCommand:
        return None


def states(game: str, step: Json) -> Iterator[tuple[Json, Any]]:
    """Yield each stage of a step with its state."""
    rules = RULES_OF[game]
    state, random = rules.start(step)
    for number, stage in enumerate(step["stages"]):
        yield stage, state
        if number + 1 < len(step["stages"]):
            (move,) = stage["right"]
            state = rules.continued(attempt(rules, state, step["you"], move, random), stage, random)


def view(game: str, state: Any, seat: int) -> Json:
    """Return the view of a seat as the page gets it."""
    rules = RULES_OF[game]
    return rules.shown(msgspec.to_builtins(rules.RULES.view(state, Seat(seat))))


def with_positions(game: str, page: Json) -> Json:
    """Return the page with the positions that follow from its steps."""
    return {"steps": [_step_with_positions(game, step) for step in page["steps"]]}


def _step_with_positions(game: str, step: Json) -> Json:
    stages, after = [], []
    rules = RULES_OF[game]
    for stage, state in states(game, step):
        stages.append({"position": view(game, state, step["you"])} | _without(stage, "position"))
        for move in stage["right"] if stage is step["stages"][-1] else ():
            _, random = rules.start(step)
            moved = rules.continued(attempt(rules, state, step["you"], move, random), stage, random)
            after.append(view(game, moved, step["you"]))
    return _without(step, "stages", "after") | {"stages": stages, "after": after}


def _without(values: Json, *names: str) -> Json:
    return {name: value for name, value in values.items() if name not in names}


def write(path: Path, page: Json) -> None:
    """Write a page: each step begins on a line, and so does each of its stages."""
    path.write_text(text_of(page), encoding="utf-8")


def text_of(page: Json) -> str:
    """Return the text of a page."""
    return '{"steps": [\n' + ",\n".join(_step_text(step) for step in page["steps"]) + "\n]}\n"


def _step_text(step: Json) -> str:
    head = _line(_without(step, "stages", "after"))[:-1]
    stages = ",\n   ".join(_line(stage) for stage in step["stages"])
    after = ",\n   ".join(_line(position) for position in step.get("after", ()))
    return f' {head},\n  "stages": [\n   {stages}],\n  "after": [\n   {after}]}}'


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


if __name__ == "__main__":
    for game, path in pages():
        write(path, with_positions(game, read(path)))
