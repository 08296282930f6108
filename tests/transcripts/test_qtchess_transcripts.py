"""The qtchess dialect as transcripts, letter by letter."""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.qtchess.qtchess_clients import Qt
from tests.support.hall_simulation import HallSimulation
from tests.transcripts.hall_stage import next_frame, open_stage
from tests.transcripts.transcript import play

SCRIPTS = sorted((Path(__file__).parent / "qtchess").glob("*.txt"))


class Player:
    """A client in the simulation; `web` is a web client."""

    def __init__(self, simulation: HallSimulation, who: str) -> None:
        self.peer = simulation.native_client(who) if who.startswith("web") else Qt(simulation)
        self.peer.received()

    def send(self, frame: str) -> None:
        self.peer.send_frame(frame.encode())
        self.peer.simulation.settle()

    def hear(self) -> Any | None:
        return next_frame(self.peer)

    def cut(self) -> None:
        if isinstance(self.peer, Qt):
            self.peer.leave()
        else:
            self.peer.disconnect()

    leave = back = cut


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_qtchess_dialect(script: Path) -> None:
    with open_stage(Player) as transcript_stage:
        play(script, transcript_stage, exact=not script.stem.startswith("mixed"))
