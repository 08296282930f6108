"""The transcripts of all older dialects once more, every other player at the other one of two workers."""

import contextlib
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.cluster.older_clients.test_sessions import quiet
from tests.socketio.older_programs.test_gomoku_clients import Guest, like
from tests.socketio.older_programs.test_transcripts import (
    LOBBY,
    TRANSCRIPTS,
    ClientGroup,
    Player,
    TranscriptServer,
    client_group,
)
from tests.support.server import Client
from tests.support.workers import workers
from tests.transcripts.test_mahjong_sockets import RestClient
from tests.transcripts.transcript import TranscriptClient, play

pytestmark = pytest.mark.slow

__all__ = ["client_group"]

SILENCE = 0.25
"""Seconds after which nothing more is expected, from whichever worker."""
PLAIN = ("qtchess/rooms", "mahjong/tokens", "mahjong/envelopes")
"""Transcripts that depend neither on dice, nor on the time, nor on which client is served first."""


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    with workers(tmp_path_factory.mktemp("dialects")) as (_, made):
        yield made[0].port, made[1].port
        quiet(*made)


class Patient(Player):
    """An official client that waits until the other worker has forwarded the effects of its requests."""

    def send(self, frame: str) -> None:
        super().send(frame)
        self.client_group.do(-1, "wait", 0.05)

    def hear(self) -> Any | None:
        if not self.client_group.received[self.number]:
            self.client_group.do(-1, "wait", 0.1)
        return super().hear()


class TwoWorkerServer(TranscriptServer):
    """Two workers."""

    def __init__(self, ports: tuple[int, int], client_group: ClientGroup, *, logins: bool) -> None:
        super().__init__(ports[0], client_group, logins=logins)
        self._ports = ports

    def enter(self, who: str) -> TranscriptClient:
        logged_in = self.logins and who != "stranger"
        headers = {"Cookie": self._cookie(who.split("_")[0])} if logged_in else {}
        url = f"http://127.0.0.1:{self._ports[len(self.players) % 2]}"
        self.players.append(Patient(self.client_group, url, headers))
        return self.players[-1]


def test_nicknames_lists_and_counts_are_those_of_all_workers(
    ports: tuple[int, int], client_group: ClientGroup
) -> None:
    servers = TwoWorkerServer(ports, client_group, logins=False)
    try:
        assert play(TRANSCRIPTS / "gomoku" / "lobby.txt", servers, deferrable=LOBBY, longest_wait=1)
    finally:
        for player in servers.players:
            player.leave()


class Plain:
    """A client of a protocol that is JSON over a WebSocket."""

    def __init__(self, port: int, path: str) -> None:
        self._client = Client(port, path=path, greet=False)

    def send(self, frame: str) -> None:
        self._client.socket.send(frame)

    def hear(self) -> Any | None:
        try:
            return json.loads(self._client.socket.recv(SILENCE))
        except (TimeoutError, ConnectionClosed):
            return None

    def cut(self) -> None:
        self._client.close()

    leave = back = cut


class Workers:
    """Each new client connects to the next worker."""

    def __init__(self, ports: tuple[int, int], path: str) -> None:
        self._ports = ports
        self._path = path
        self.actors: list[TranscriptClient] = []

    def enter(self, who: str) -> TranscriptClient:
        port = self._ports[len(self.actors) % 2]
        self.actors.append(RestClient(port) if who == "rest" else Plain(port, self._path))
        return self.actors[-1]

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


@pytest.mark.parametrize("script", PLAIN)
def test_transcript_of_plain_clients_at_two_workers(script: str, ports: tuple[int, int]) -> None:
    stage = Workers(ports, "/" if script.startswith("qtchess") else "/ws")
    try:
        play(Path(TRANSCRIPTS / f"{script}.txt"), stage, longest_wait=1)
    finally:
        for actor in stage.actors:
            actor.leave()


def test_watchers_are_counted_in_lists_of_workers_that_have_nobody_there(ports: tuple[int, int]) -> None:
    with contextlib.ExitStack() as stack:
        people = []
        for name, port in (("Ann", ports[0]), ("Cy", ports[0]), ("Dora", ports[1])):
            people.append(guest := Guest(port, "socket.io-client", "websocket", name))
            stack.callback(guest.puppet.close)
            guest.say("join-lobby", nickname=name)
            guest.until("room-list")
        ann, cy, dora = people
        ann.enter("create-room", name="watched")
        cy.enter("join-room", roomId=ann.room, asWatcher=True)
        dora.until("room-list", like({"id": ann.room, "watcherCount": 1}))
        cy.disconnect()
        dora.until("room-list", like({"id": ann.room, "watcherCount": 0}))
