"""The gomoku dialect as transcripts."""

from pathlib import Path

import pytest

from qipai.clients.gomoku import ServerRules
from tests.support.hall_simulation import HallSimulation
from tests.transcripts.hall_stage import open_stage
from tests.transcripts.test_tictactoe_transcripts import Player
from tests.transcripts.transcript import TranscriptClient, play

SCRIPTS = sorted((Path(__file__).parent / "gomoku").glob("*.txt"))
LATER = sorted((Path(__file__).parent / "gomoku" / "later").glob("*.txt"))
"""For hosts who want the rules of the later program."""
LATER_RULES = ServerRules(always_timed=True, undo_limit=2)


class GomokuPlayer(Player):
    """A socket without login; `ann_2` is another tab of ann's browser."""

    def __init__(self, simulation: HallSimulation, who: str) -> None:
        self.caller = simulation.socketio_client(login=False, browser=who.split("_")[0])


def enter(simulation: HallSimulation, who: str) -> TranscriptClient:
    return GomokuPlayer(simulation, who)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_gomoku_dialect(script: Path) -> None:
    with open_stage(enter) as transcript_stage:
        play(script, transcript_stage)


@pytest.mark.parametrize("script", LATER, ids=lambda script: script.stem)
def test_transcript_of_the_gomoku_dialect_with_the_rules_of_the_later_program(script: Path) -> None:
    with open_stage(enter, gomoku=LATER_RULES) as transcript_stage:
        play(script, transcript_stage)
