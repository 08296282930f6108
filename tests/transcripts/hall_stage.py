"""Plays transcripts on the hall without sockets."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from tests.support.stage import FakeWire, Stage
from tests.transcripts.transcript import TranscriptClient


class HallStage:
    """The hall without a socket; `make_client` makes the client that a transcript names."""

    def __init__(self, stage: Stage, client: Callable[[Stage, str], TranscriptClient]) -> None:
        self.stage = stage
        self._make_client = client

    def enter(self, who: str) -> TranscriptClient:
        return self._make_client(self.stage, who)

    def wait(self, seconds: float) -> None:
        self.stage.wait(seconds)


@contextmanager
def open_stage(
    client: Callable[[Stage, str], TranscriptClient], transcript_stage: type[HallStage] = HallStage
) -> Iterator[HallStage]:
    """Open a stage on which no internal error may occur."""
    with Stage() as stage:
        yield transcript_stage(stage, client)
        assert stage.hall.internal_errors.count == 0


class FrameReader(Protocol):
    """A client on the stage, and how many frames it has read."""

    wire: FakeWire
    read: int


def next_frame(reader: FrameReader) -> Any | None:
    """Return the next frame that a client has not read yet."""
    frames = reader.wire.frames
    if reader.read == len(frames):
        return None
    reader.read += 1
    return json.loads(frames[reader.read - 1])
