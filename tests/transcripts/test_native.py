"""The native protocol as transcripts: without a socket, and again over a real one."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.hall_simulation import HallSimulation, NativeClient
from tests.support.server import Client
from tests.transcripts.socket_stage import SocketStage
from tests.transcripts.transcript import TranscriptClient, play

SCRIPTS = sorted((Path(__file__).parent / "native").glob("*.txt"))
TIMELESS = [script for script in SCRIPTS if "\n+" not in script.read_text("utf-8")]


class Player:
    """A client in the simulation."""

    def __init__(self, simulation: HallSimulation) -> None:
        self.peer = NativeClient(simulation)

    def send(self, frame: str) -> None:
        self.peer.send_frame(frame.encode())
        self.peer.simulation.settle()

    def hear(self) -> dict[str, Any] | None:
        frames = self.peer.transport.frames
        if self.peer.read_count == len(frames):
            return None
        self.peer.read_count += 1
        message: dict[str, Any] = json.loads(frames[self.peer.read_count - 1])
        return message

    def cut(self) -> None:
        self.peer.disconnect()

    def back(self) -> None:
        raise NotImplementedError("native clients resume")

    def leave(self) -> None:
        self.peer.disconnect()


class StageTheatre:
    def __init__(self, simulation: HallSimulation) -> None:
        self.simulation = simulation

    def enter(self, who: str) -> TranscriptClient:
        return Player(self.simulation)

    def wait(self, seconds: float) -> None:
        self.simulation.wait(seconds)


class Caller:
    """A client on a socket."""

    def __init__(self, port: int) -> None:
        self.client = Client(port, greet=False)

    def send(self, frame: str) -> None:
        self.client.socket.send(frame)

    def hear(self) -> dict[str, Any] | None:
        try:
            return self.client.receive(0.25)
        except (TimeoutError, ConnectionClosed):
            return None

    def cut(self) -> None:
        self.client.close()

    def back(self) -> None:
        raise NotImplementedError("native clients resume")

    def leave(self) -> None:
        self.client.close()


@pytest.fixture
def transcript_stage() -> Iterator[StageTheatre]:
    with HallSimulation(bot_pause=0) as simulation:
        yield StageTheatre(simulation)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_transcript_on_the_stage(script: Path, transcript_stage: StageTheatre) -> None:
    play(script, transcript_stage)


@pytest.mark.slow
@pytest.mark.parametrize("script", TIMELESS, ids=lambda script: script.stem)
def test_transcript_over_a_real_socket(script: Path) -> None:
    with SocketStage(lambda port, _: Caller(port)) as transcript_stage:
        play(script, transcript_stage)


def test_most_transcripts_run_in_both_places() -> None:
    assert len(TIMELESS) >= 4
