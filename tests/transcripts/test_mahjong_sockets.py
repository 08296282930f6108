"""Transcripts of the mahjong dialect over real HTTP and sockets, as far as they need no prepared wall."""

import json
from collections import deque
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed

from tests.clients.mahjong.mahjong_socket import post
from tests.support.server import Client
from tests.transcripts.socket_stage import SocketStage
from tests.transcripts.test_mahjong_transcripts import PLACE
from tests.transcripts.transcript import TranscriptClient, play

PATIENCE = 1.0
SILENCE = 0.25
"""Seconds after which nothing more is expected."""
SCRIPTS = ("start", "single", "envelopes", "tokens", "seats")


class Player:
    """A socket; a frame is sent when the one before has its answer, as in the simulation."""

    def __init__(self, port: int) -> None:
        self._client = Client(port, path="/ws", greet=False)
        self._heard: deque[Any] = deque()

    def send(self, frame: str) -> None:
        self._client.socket.send(frame)
        while (message := self._client.receive())["type"] == "event":
            self._heard.append(message)
        self._heard.append(message)

    def hear(self) -> Any | None:
        if not self._heard:
            try:
                self._heard.append(self._client.receive(SILENCE))
            except (TimeoutError, ConnectionClosed):
                return None
        return self._heard.popleft()

    def cut(self) -> None:
        self._client.close()

    leave = back = cut


class RestClient:
    """The REST side."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._answers: deque[Any] = deque()

    def send(self, frame: str) -> None:
        try:
            self._answers.append(post(self._port, frame.encode()))
        except HTTPError as error:
            with error:
                self._answers.append({"status": error.code, **json.loads(error.read())})

    def hear(self) -> Any | None:
        return self._answers.popleft() if self._answers else None

    def cut(self) -> None:
        """Nothing is kept open."""

    leave = back = cut


def enter(port: int, who: str) -> TranscriptClient:
    """Return the REST client or a player."""
    return RestClient(port) if who == "rest" else Player(port)


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_transcript_over_a_real_socket(script: str) -> None:
    with SocketStage(enter) as transcript_stage:
        assert play(PLACE / f"{script}.txt", transcript_stage, longest_wait=PATIENCE) or script == "seats"
