"""The tic-tac-toe dialect as transcripts, letter by letter."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.stage import Stage
from tests.transcripts.script import Actor, play

SCRIPTS = sorted((Path(__file__).parent / "tictactoe").glob("*.txt"))


class Player:
    """A Socket.IO client on the stage; `stranger` has not logged in, `ann_2` is ann's second tab."""

    def __init__(self, stage: Stage, who: str) -> None:
        self.caller = stage.caller(who.split("_")[0], login=who != "stranger")

    def send(self, frame: str) -> None:
        self.caller.raw(frame.encode())
        self.caller.stage.settle()

    def hear(self) -> Any | None:
        frames = self.caller.wire.frames
        if self.caller.read == len(frames):
            return None
        self.caller.read += 1
        return json.loads(frames[self.caller.read - 1])

    def cut(self) -> None:
        self.caller.cut()

    def back(self) -> None:
        self.caller.back()

    def leave(self) -> None:
        self.caller.leave()


class StageTheatre:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def enter(self, who: str) -> Actor:
        return Player(self.stage, who)

    def wait(self, seconds: float) -> None:
        self.stage.wait(seconds)


@pytest.fixture
def theatre() -> Iterator[StageTheatre]:
    with Stage() as stage:
        yield StageTheatre(stage)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_tictactoe_dialect(script: Path, theatre: StageTheatre) -> None:
    play(script, theatre, exact=True)
    assert theatre.stage.hall.incidents.count == 0
