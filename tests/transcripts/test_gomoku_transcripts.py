"""The gomoku dialect as transcripts."""

from pathlib import Path

import pytest

from tests.support.hall_simulation import HallSimulation
from tests.transcripts.hall_stage import open_stage
from tests.transcripts.test_tictactoe_transcripts import Player
from tests.transcripts.transcript import TranscriptClient, play

SCRIPTS = sorted((Path(__file__).parent / "gomoku").glob("*.txt"))


def enter(simulation: HallSimulation, who: str) -> TranscriptClient:
    """Nobody logs in: a nickname is all there is."""
    return Player(simulation, "stranger")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_gomoku_dialect(script: Path) -> None:
    with open_stage(enter) as transcript_stage:
        play(script, transcript_stage)
