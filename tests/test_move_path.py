"""CONTRIBUTING.md lists the modules that a move passes through; a real move shows that the list is true."""

import contextlib
import json
import re
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "CONTRIBUTING.md"

_TRACED = """
import os, signal, sys
from pathlib import Path
import qipai
from qipai.cli.main import main

root = os.path.dirname(qipai.__file__) + os.sep
PERIODIC = {periodic}
target = Path(os.environ["QIPAI_DATA"]) / "modules.txt"
entered = {}

def module(frame):
    name = frame.f_code.co_filename
    return name[len(root):] if name.startswith(root) else ""

def callback(frame):
    # The outermost frame of the package in the running callback of the event loop.
    outermost = None
    while frame and not frame.f_code.co_filename.endswith("asyncio/runners.py"):
        outermost = frame if module(frame) else outermost
        frame = frame.f_back
    return outermost

def periodic(frame):
    while frame and not frame.f_code.co_filename.endswith("asyncio/runners.py"):
        if (module(frame), frame.f_code.co_name) in PERIODIC:
            return True
        frame = frame.f_back
    return False

last = None

def profile(frame, event, argument):
    if event == "return" and frame is last:
        finish()
    elif event == "call" and (name := module(frame)) and not periodic(frame):
        entered.setdefault(name, None)

def begin(number, frame):
    entered.clear()
    sys.setprofile(profile)
    target.with_suffix(".begun").touch()

def end(number, frame):
    # The callback that sent the events may still be running.
    global last
    last = callback(frame)
    if last is None:
        finish()

def finish():
    global last
    last = None
    sys.setprofile(None)
    target.write_text("\\n".join(entered))
    target.with_suffix(".ended").touch()

signal.signal(signal.SIGUSR1, begin)
signal.signal(signal.SIGUSR2, end)
sys.exit(main(["serve"]))
"""
"""Records the modules of the package in the order in which they are first entered between two signals."""
PERIODIC: Final = (
    ("event_loop.py", "_tick"),
    ("hall/rooms/alarms.py", "_fire"),
    ("stores/redis/redis_bus.py", "_on_timer"),
    ("stores/redis/worker_heartbeat.py", "_on_reply"),
)
"""Timers and replies to them that may come during the move; what they call is not part of it."""


class TracedServer(ServerProcess):
    """A server that records which modules a move enters."""

    arguments = ("-c", _TRACED.replace("{periodic}", repr(PERIODIC)))

    def trace(self, number: signal.Signals, mark: str) -> None:
        file = self.data / f"modules.{mark}"
        file.unlink(missing_ok=True)
        self.signal(number)
        until = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < until, "the server does not answer the signal"
            time.sleep(0.01)

    @contextlib.contextmanager
    def recording(self) -> Iterator[list[str]]:
        modules: list[str] = []
        self.trace(signal.SIGUSR1, "begun")
        yield modules
        self.trace(signal.SIGUSR2, "ended")
        modules += (self.data / "modules.txt").read_text().split()


def documented(mode: str) -> list[str]:
    """Return the modules that the page lists for a mode, in their order."""
    text = PAGE.read_text()
    section = text[text.index("## How a move travels") :]
    section = section[: section.index("\n## ", 5)]
    part = section[section.index(f"### {mode}") :]
    end = part.find("\n### ", 5)
    part = part if end < 0 else part[:end]
    rows = re.findall(r"^\| \d+ \| `([\w/<>]+\.py)` \|", part, re.MULTILINE)
    return [row.replace("<game>", "tictactoe") for row in rows]


CELLS: Final = (4, 0, 8, 1, 5)
"""Five moves that end no round."""


def table(first: Client, second: Client) -> tuple[str, list[int]]:
    """Open a table without a clock for two players; return the room and the seats to act."""
    room = str(first.ask("open", "room", game="tictactoe", nonce="o")["room"]["id"])
    shown = second.ask("join", "room", room=room)
    first.receive_event("game_started")
    return room, shown["room"]["to_act"]


def play(clients: list[Client], room: str, turn: int, cell: int) -> None:
    """Make one move that both players hear of."""
    clients[turn].send("play", room=room, move={"do": "mark", "cell": cell}, nonce=f"n{cell}")
    assert clients[turn].receive_event("marked") == clients[1 - turn].receive_event("marked")


def orders(recordings: list[list[str]]) -> list[list[str]]:
    """Return the order in each recording of the modules that all of them have.

    A timer may fire during a move: then its recording has more modules, or some of them earlier.
    """
    shared = set.intersection(*map(set, recordings))
    return [[module for module in recording if module in shared] for recording in recordings]


def check(recordings: list[list[str]], mode: str) -> None:
    listed = documented(mode)
    assert listed, "the page lists nothing"
    missing = [module for module in listed if not (ROOT / "src" / "qipai" / module).exists()]
    assert missing == [], "the page names modules that do not exist"
    seen = orders(recordings)
    assert listed in seen, json.dumps(seen, indent=1)


def test_an_embedded_move_passes_through_the_listed_modules(tmp_path: Path) -> None:
    recordings = []
    with TracedServer(tmp_path) as server:
        clients = [Client(server.port, name=name) for name in ("Ann", "Bob")]
        room, (turn,) = table(*clients)
        for number, cell in enumerate(CELLS):
            with server.recording() as modules:
                play(clients, room, (turn + number) % 2, cell)
            recordings.append(modules)
        for client in clients:
            client.close()
    check(recordings, "Embedded")


def test_a_move_on_redis_passes_through_the_listed_modules(tmp_path: Path) -> None:
    writes, reads = [], []
    with RedisServer(tmp_path) as redis, contextlib.ExitStack() as stack:
        servers = [TracedServer(tmp_path / name) for name in ("first", "second")]
        for server in servers:
            server.environment = {"QIPAI_STORE": redis.address}
            stack.enter_context(server)
        clients = [
            Client(server.port, name=name) for server, name in zip(servers, ("Ann", "Bob"), strict=True)
        ]
        room, (turn,) = table(*clients)
        for number, cell in enumerate(CELLS):
            mover = (turn + number) % 2
            with servers[mover].recording() as here, servers[1 - mover].recording() as there:
                play(clients, room, mover, cell)
            writes.append(here)
            reads.append(there)
        for client in clients:
            client.close()
    check(writes, "With Redis: the worker of the player who moves")
    check(reads, "With Redis: a worker of another player")
