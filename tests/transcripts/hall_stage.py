"""Plays transcripts on the hall without sockets."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Protocol

from qipai.clients.gomoku import DEFAULT_RULES, ServerRules
from tests.support.hall_simulation import HallSimulation, RecordingTransport
from tests.transcripts.transcript import TranscriptClient


class HallStage:
    """The hall without a socket; `make_client` makes the client that a transcript names."""

    def __init__(
        self, simulation: HallSimulation, client: Callable[[HallSimulation, str], TranscriptClient]
    ) -> None:
        self.simulation = simulation
        self._make_client = client

    def enter(self, who: str) -> TranscriptClient:
        return self._make_client(self.simulation, who)

    def wait(self, seconds: float) -> None:
        self.simulation.wait(seconds)


@contextmanager
def open_stage(
    client: Callable[[HallSimulation, str], TranscriptClient],
    transcript_stage: type[HallStage] = HallStage,
    gomoku: ServerRules = DEFAULT_RULES,
) -> Iterator[HallStage]:
    """Open a simulation in which no internal error may occur."""
    with HallSimulation(gomoku=gomoku) as simulation:
        yield transcript_stage(simulation, client)
        assert simulation.hall.internal_errors.count == 0


class FrameReader(Protocol):
    """A client in the simulation, and how many frames it has read."""

    transport: RecordingTransport
    read_count: int


def next_frame(reader: FrameReader) -> Any | None:
    """Return the next frame that a client has not read yet."""
    frames = reader.transport.frames
    if reader.read_count == len(frames):
        return None
    reader.read_count += 1
    return json.loads(frames[reader.read_count - 1])
