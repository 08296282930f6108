"""The gomoku dialect as transcripts."""

from pathlib import Path

import pytest

from tests.support.stage import Stage
from tests.transcripts.script import Actor, play
from tests.transcripts.staged import staged
from tests.transcripts.test_tictactoe_transcripts import Player

SCRIPTS = sorted((Path(__file__).parent / "gomoku").glob("*.txt"))


def enter(stage: Stage, who: str) -> Actor:
    """Nobody logs in: a nickname is all there is."""
    return Player(stage, "stranger")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_gomoku_dialect(script: Path) -> None:
    with staged(enter) as theatre:
        play(script, theatre)
