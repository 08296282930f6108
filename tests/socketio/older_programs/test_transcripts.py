"""The transcripts of the Socket.IO dialects on a real server process, with the official client."""

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlencode

import pytest

from qipai.clients.connection_recovery.browser_tag import COOKIE
from tests.socketio.client_programs import HERE, node, only_ours
from tests.transcripts.transcript import TranscriptClient, play

pytestmark = [pytest.mark.slow, only_ours("it plays no games")]

TRANSCRIPTS = HERE.parent / "transcripts"
SCRIPTS = sorted((*(TRANSCRIPTS / "gomoku").glob("*.txt"), *(TRANSCRIPTS / "tictactoe").glob("*.txt")))
ENDED_EARLY = {
    "gomoku/cut": "a seat is kept for two minutes",
    "gomoku/finished_room": "a request is waited for for thirty seconds",
    "gomoku/leaving": "a deserted room is kept for five minutes",
    "gomoku/reload": "a seat is kept for two minutes",
    "gomoku/rematch": "a request is waited for for thirty seconds",
    "gomoku/timer": "a turn lasts thirty seconds",
    "tictactoe/again": "nothing happens for a minute",
    "tictactoe/cut": "a seat is kept for fifteen seconds",
}
"""Transcripts with long waits, which only virtual time can pass: here they end before the first one."""
LONGEST_WAIT = 1.0
"""Seconds of the longest wait here."""
LOBBY = frozenset({"online-count", "room-list"})
"""Events sent at most every 100 ms, whose place among other events is not fixed."""


def name(script: Path) -> str:
    return f"{script.parent.name}/{script.stem}"


def program(*command: str) -> "subprocess.Popen[str]":
    root = HERE.parents[1]
    return subprocess.Popen(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(root), str(root / "src")))},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def answer_to(process: "subprocess.Popen[str]", line: str) -> "IO[str]":
    """Write a line to a program and return where it answers."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout


class ClientGroup:
    """The clients, all in one process, and the messages of each that the test has not read."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.received: list[deque[Any]] = []

    def do(self, actor: int, command: str, *how: Any) -> None:
        """Run a command and wait for all that it causes."""
        for line in answer_to(self.process, json.dumps([actor, command, *how])):
            who, what = json.loads(line)
            if who == "done":
                assert what is None, what
                return
            self.received[who].append(what)
        raise AssertionError("the clients are gone")


class Player:
    """One of the clients."""

    def __init__(self, client_group: ClientGroup, url: str, headers: dict[str, str]) -> None:
        self.client_group = client_group
        self.number = len(client_group.received)
        client_group.received.append(deque())
        client_group.do(self.number, "enter", url, headers)

    def send(self, frame: str) -> None:
        event = json.loads(frame)
        # An array without a name is no event; Socket.IO would close the connection.
        if event and isinstance(event[0], str):
            self.client_group.do(self.number, "send", event)

    def hear(self) -> Any | None:
        received = self.client_group.received[self.number]
        return received.popleft() if received else None

    def cut(self) -> None:
        self.client_group.do(self.number, "cut")

    def back(self) -> None:
        self.client_group.do(self.number, "back")

    def leave(self) -> None:
        self.client_group.do(self.number, "leave")


class TranscriptServer:
    """A server of its own for each transcript, in a process for all of them."""

    def __init__(self, port: int, client_group: ClientGroup, *, logins: bool) -> None:
        self.port = port
        self.client_group = client_group
        self.logins = logins
        self.players: list[Player] = []
        self._cookies: dict[str, str] = {}

    def enter(self, who: str) -> TranscriptClient:
        person = who.split("_")[0]
        logged_in = self.logins and who != "stranger"
        headers = {"Cookie": self._cookie(person) if logged_in else f"{COOKIE}={person}"}
        self.players.append(Player(self.client_group, f"http://127.0.0.1:{self.port}", headers))
        return self.players[-1]

    def _cookie(self, who: str) -> str:
        if who not in self._cookies:
            line = HTTPConnection("127.0.0.1", self.port, timeout=60)
            form = urlencode({"username": who, "icon": "🦊"})
            line.request("POST", "/login", form, {"Content-Type": "application/x-www-form-urlencoded"})
            answer = line.getresponse()
            answer.read()
            line.close()
            self._cookies[who] = answer.headers["set-cookie"].split(";")[0]
        return self._cookies[who]

    def wait(self, seconds: float) -> None:
        self.client_group.do(-1, "wait", seconds)


@pytest.fixture(scope="module")
def server() -> Iterator["subprocess.Popen[str]"]:
    with program(sys.executable, "-m", "tests.socketio.older_programs.transcript_server") as process:
        try:
            yield process
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(60) == 0
        finally:
            process.kill()


@pytest.fixture(scope="module")
def client_group() -> Iterator[ClientGroup]:
    with program(node(), str(HERE / "transcript_clients.mjs")) as process:
        try:
            yield ClientGroup(process)
        finally:
            process.kill()


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_transcript_with_the_official_client(
    script: Path, server: "subprocess.Popen[str]", client_group: ClientGroup
) -> None:
    logins = script.parent.name == "tictactoe"
    port = int(answer_to(server, "open").readline().split()[0])
    transcript_server = TranscriptServer(port, client_group, logins=logins)
    try:
        complete = play(script, transcript_server, exact=logins, deferrable=LOBBY, longest_wait=LONGEST_WAIT)
    finally:
        for player in transcript_server.players:
            player.leave()
    assert complete is (name(script) not in ENDED_EARLY)


def test_no_server_logged_a_fault(server: "subprocess.Popen[str]") -> None:
    assert answer_to(server, "open").readline().split()[1] == "0"
