"""The tic-tac-toe dialect as transcripts, letter by letter."""

from pathlib import Path
from typing import Any

import pytest

from tests.support.hall_simulation import HallSimulation
from tests.transcripts.hall_stage import next_frame, open_stage
from tests.transcripts.transcript import play

SCRIPTS = sorted((Path(__file__).parent / "tictactoe").glob("*.txt"))


class Player:
    """A Socket.IO client in the simulation; `stranger` has not logged in, `ann_2` is ann's second tab."""

    def __init__(self, simulation: HallSimulation, who: str) -> None:
        self.caller = simulation.socketio_client(who.split("_")[0], login=who != "stranger")

    def send(self, frame: str) -> None:
        self.caller.send_frame(frame.encode())
        self.caller.simulation.settle()

    def hear(self) -> Any | None:
        return next_frame(self.caller)

    def cut(self) -> None:
        self.caller.lose_transport()

    def back(self) -> None:
        self.caller.recover()

    def leave(self) -> None:
        self.caller.leave()


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_tictactoe_dialect(script: Path) -> None:
    with open_stage(Player) as transcript_stage:
        play(script, transcript_stage, exact=True)
