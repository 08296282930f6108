"""The gomoku dialect as transcripts."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.stage import Stage
from tests.transcripts.script import Actor, play
from tests.transcripts.test_tictactoe_transcripts import Player, StageTheatre

SCRIPTS = sorted((Path(__file__).parent / "gomoku").glob("*.txt"))


class Room(StageTheatre):
    def enter(self, who: str) -> Actor:
        """Nobody logs in: a nickname is all there is."""
        return Player(self.stage, "stranger")


@pytest.fixture
def theatre() -> Iterator[Room]:
    with Stage() as stage:
        yield Room(stage)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_gomoku_dialect(script: Path, theatre: Room) -> None:
    play(script, theatre)
    assert theatre.stage.hall.incidents.count == 0
