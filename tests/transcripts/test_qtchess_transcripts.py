"""The qtchess dialect as transcripts, letter by letter."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.dialects.qtchess_room import Qt
from tests.support.stage import Stage
from tests.transcripts.script import Actor, play

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
        frames = self.peer.wire.frames
        if self.peer.read == len(frames):
            return None
        self.peer.read += 1
        return json.loads(frames[self.peer.read - 1])

    def cut(self) -> None:
        if isinstance(self.peer, Qt):
            self.peer.leave()
        else:
            self.peer.cut()

    leave = back = cut


class Room:
    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def enter(self, who: str) -> Actor:
        return Player(self.stage, who)

    def wait(self, seconds: float) -> None:
        self.stage.wait(seconds)


@pytest.fixture
def theatre() -> Iterator[Room]:
    with Stage() as stage:
        yield Room(stage)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_of_the_qtchess_dialect(script: Path, theatre: Room) -> None:
    play(script, theatre, exact=not script.stem.startswith("mixed"))
    assert theatre.stage.hall.incidents.count == 0
