"""Transcripts on the stage: one theatre for every dialect, which says who comes in."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from tests.support.stage import FakeWire, Stage
from tests.transcripts.script import Actor


class Staged:
    """The hall without a socket; `actor` makes a client of whoever a transcript names."""

    def __init__(self, stage: Stage, actor: Callable[[Stage, str], Actor]) -> None:
        self.stage = stage
        self._actor = actor

    def enter(self, who: str) -> Actor:
        return self._actor(self.stage, who)

    def wait(self, seconds: float) -> None:
        self.stage.wait(seconds)


@contextmanager
def staged(actor: Callable[[Stage, str], Actor], theatre: type[Staged] = Staged) -> Iterator[Staged]:
    """Open a theatre in which nothing of ours may break."""
    with Stage() as stage:
        yield theatre(stage, actor)
        assert stage.hall.internal_errors.count == 0


class Reader(Protocol):
    """Somebody on the stage, and how many frames he has read."""

    wire: FakeWire
    read: int


def following(reader: Reader) -> Any | None:
    """Return the next frame that somebody has not read yet."""
    frames = reader.wire.frames
    if reader.read == len(frames):
        return None
    reader.read += 1
    return json.loads(frames[reader.read - 1])
