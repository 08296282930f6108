"""Transcripts of the mahjong dialect over real HTTP and real sockets, as far as nobody prepares a wall."""

import json
from collections import deque
from typing import Any
from urllib.error import HTTPError

import pytest
from websockets.exceptions import ConnectionClosed

from tests.clients.mahjong.mahjong_socket import post
from tests.support.server import Client
from tests.transcripts.script import Actor, play
from tests.transcripts.socketed import SocketTheatre
from tests.transcripts.test_mahjong_transcripts import PLACE

PATIENCE = 1.0
SILENCE = 0.25
"""Seconds after which nothing more is expected."""
SCRIPTS = ("start", "single", "envelopes", "tokens", "seats")


class Player:
    """A socket; a frame is sent when the one before has its answer, as on the stage."""

    def __init__(self, port: int) -> None:
        self._client = Client(port, path="/ws", greet=False)
        self._heard: deque[Any] = deque()

    def send(self, frame: str) -> None:
        self._client.socket.send(frame)
        while (message := self._client.hear())["type"] == "event":
            self._heard.append(message)
        self._heard.append(message)

    def hear(self) -> Any | None:
        if not self._heard:
            try:
                self._heard.append(self._client.hear(SILENCE))
            except (TimeoutError, ConnectionClosed):
                return None
        return self._heard.popleft()

    def cut(self) -> None:
        self._client.close()

    leave = back = cut


class Front:
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


def enter(port: int, who: str) -> Actor:
    """Return whoever starts games or plays."""
    return Front(port) if who == "rest" else Player(port)


@pytest.mark.slow
@pytest.mark.parametrize("script", SCRIPTS)
def test_transcript_over_a_real_socket(script: str) -> None:
    with SocketTheatre(enter) as theatre:
        assert play(PLACE / f"{script}.txt", theatre, patience=PATIENCE) or script == "seats"
