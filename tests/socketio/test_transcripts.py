"""The transcripts of the older dialects once more: a real server process, and the official client in Node."""

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

from tests.socketio.programs import HERE, node, ours
from tests.transcripts.script import Actor, play

pytestmark = [pytest.mark.slow, ours("it plays no games")]

TRANSCRIPTS = HERE.parent / "transcripts"
SCRIPTS = sorted((*(TRANSCRIPTS / "gomoku").glob("*.txt"), *(TRANSCRIPTS / "tictactoe").glob("*.txt")))
CUT_SHORT = {
    "gomoku/cut": "a seat is kept for two minutes",
    "gomoku/leaving": "a deserted room is kept for five minutes",
    "gomoku/rematch": "a request is waited for for thirty seconds",
    "gomoku/timer": "a turn lasts thirty seconds",
    "tictactoe/again": "nothing happens for a minute",
    "tictactoe/cut": "a seat is kept for fifteen seconds",
}
"""Transcripts whose time only the stage can let pass: here they run up to their first long wait."""
PATIENCE = 1.0
"""Seconds; a longer wait is left to the stage."""
LOBBY = frozenset({"online-count", "room-list"})
"""Told to everybody at most every 100 ms, so that they come between other events when they may."""


def name(script: Path) -> str:
    return f"{script.parent.name}/{script.stem}"


def program(*command: str) -> "subprocess.Popen[str]":
    root = HERE.parents[1]
    return subprocess.Popen(
        command,
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def said(process: "subprocess.Popen[str]", line: str) -> "IO[str]":
    """Say a line to a program and return where it answers."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()
    return process.stdout


class Troupe:
    """The clients, all in one process, and what each of them has heard and nobody has asked for yet."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self.process = process
        self.heard: list[deque[Any]] = []

    def do(self, actor: int, deed: str, *how: Any) -> None:
        """Have a deed done, and everything that it causes."""
        for line in said(self.process, json.dumps([actor, deed, *how])):
            who, what = json.loads(line)
            if who == "done":
                assert what is None, what
                return
            self.heard[who].append(what)
        raise AssertionError("the clients are gone")


class Player:
    """One of the clients."""

    def __init__(self, troupe: Troupe, url: str, headers: dict[str, str]) -> None:
        self.troupe = troupe
        self.number = len(troupe.heard)
        troupe.heard.append(deque())
        troupe.do(self.number, "enter", url, headers)

    def send(self, frame: str) -> None:
        event = json.loads(frame)
        # What has no name is no event; the protocol below would end the connection.
        if event and isinstance(event[0], str):
            self.troupe.do(self.number, "send", event)

    def hear(self) -> Any | None:
        heard = self.troupe.heard[self.number]
        return heard.popleft() if heard else None

    def cut(self) -> None:
        self.troupe.do(self.number, "cut")

    def back(self) -> None:
        self.troupe.do(self.number, "back")

    def leave(self) -> None:
        self.troupe.do(self.number, "leave")


class House:
    """A server of its own for each transcript, in a process for all of them."""

    def __init__(self, port: int, troupe: Troupe, *, logins: bool) -> None:
        self.port = port
        self.troupe = troupe
        self.logins = logins
        self.players: list[Player] = []
        self._cookies: dict[str, str] = {}

    def enter(self, who: str) -> Actor:
        logged_in = self.logins and who != "stranger"
        headers = {"Cookie": self._cookie(who.split("_")[0])} if logged_in else {}
        self.players.append(Player(self.troupe, f"http://127.0.0.1:{self.port}", headers))
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
        self.troupe.do(-1, "wait", seconds)


@pytest.fixture(scope="module")
def server() -> Iterator["subprocess.Popen[str]"]:
    with program(sys.executable, "-m", "tests.socketio.house") as process:
        try:
            yield process
            assert process.stdin is not None
            process.stdin.close()
            assert process.wait(60) == 0
        finally:
            process.kill()


@pytest.fixture(scope="module")
def troupe() -> Iterator[Troupe]:
    with program(node(), str(HERE / "troupe.mjs")) as process:
        try:
            yield Troupe(process)
        finally:
            process.kill()


@pytest.mark.parametrize("script", SCRIPTS, ids=name)
def test_transcript_with_the_official_client(
    script: Path, server: "subprocess.Popen[str]", troupe: Troupe
) -> None:
    logins = script.parent.name == "tictactoe"
    port = int(said(server, "open").readline().split()[0])
    house = House(port, troupe, logins=logins)
    try:
        whole = play(script, house, exact=logins, leisurely=LOBBY, patience=PATIENCE)
    finally:
        for player in house.players:
            player.leave()
    assert whole is (name(script) not in CUT_SHORT)


def test_no_server_logged_a_fault(server: "subprocess.Popen[str]") -> None:
    assert said(server, "open").readline().split()[1] == "0"
