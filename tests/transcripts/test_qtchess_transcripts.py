"""The qtchess dialect as transcripts, letter by letter."""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.qtchess.qtchess_room import Qt
from tests.support.stage import Stage
from tests.transcripts.script import play
from tests.transcripts.staged import following, staged

SCRIPTS = sorted((Path(__file__).parent / "qtchess").glob("*.txt"))


class Player:
    """A client on the stage; whoever is called `web` is at our own page."""

    def __init__(self, stage: Stage, who: str) -> None:
        self.peer = stage.peer(who) if who.startswith("web") else Qt(stage)
        self.peer.heard()

    def send(self, frame: str) -> None:
        self.peer.raw(frame.encode())
        self.peer.stage.settle()

    def hear(self) -> Any | None:
        return following(self.peer)

    def cut(self) -> None:
        if isinstance(self.peer, Qt):
            self.peer.leave()
        else:
            self.peer.cut()

    leave = back = cut


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_qtchess_dialect(script: Path) -> None:
    with staged(Player) as theatre:
        play(script, theatre, exact=not script.stem.startswith("mixed"))
