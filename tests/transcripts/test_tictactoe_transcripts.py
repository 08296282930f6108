"""The tic-tac-toe dialect as transcripts, letter by letter."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.stage import Stage
from tests.transcripts.script import play
from tests.transcripts.staged import following, staged

SCRIPTS = sorted((Path(__file__).parent / "tictactoe").glob("*.txt"))


class Player:
    """A Socket.IO client on the stage; `stranger` has not logged in, `ann_2` is ann's second tab."""

    def __init__(self, stage: Stage, who: str) -> None:
        self.caller = stage.caller(who.split("_")[0], login=who != "stranger")

    def send(self, frame: str) -> None:
        self.caller.raw(frame.encode())
        self.caller.stage.settle()

    def hear(self) -> Any | None:
        return following(self.caller)

    def cut(self) -> None:
        self.caller.cut()

    def back(self) -> None:
        self.caller.back()

    def leave(self) -> None:
        self.caller.leave()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_tictactoe_dialect(script: Path) -> None:
    with staged(Player) as theatre:
        play(script, theatre, exact=True)
