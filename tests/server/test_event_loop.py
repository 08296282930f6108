"""The event loop of a server: its lag in the metrics, and when the garbage collector runs."""

import asyncio
import gc
import re
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from qipai import event_loop
from qipai.event_loop import EventLoopMonitor
from tests.socketio.raw_engineio import WebSocket
from tests.socketio.raw_socketio import connect
from tests.support.server import Client, ServerProcess

CONNECTIONS = 20
_SERVE = """
from qipai import event_loop
event_loop.FULL_AFTER = 0.2
from qipai.cli.main import main
raise SystemExit(main(["serve"]))
"""


class OftenCollecting(ServerProcess):
    """A server that visits all its objects five times a second while nothing happens."""

    arguments = ("-c", _SERVE)

    def metric(self, name: str) -> float:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics", timeout=60) as answer:
            found = re.search(rf"^{re.escape(name)} (\S+)$", answer.read().decode(), re.MULTILINE)
        assert found, name
        return float(found[1])

    def collected(self) -> float:
        """Return how many objects in cycles were found so far, after two more full passes."""
        passes = 'python_gc_collections_total{generation="2"}'
        enough = self.metric(passes) + 2
        until = time.monotonic() + 60
        while self.metric(passes) < enough:
            assert time.monotonic() < until
            time.sleep(0.1)
        return sum(
            self.metric(f'python_gc_objects_collected_total{{generation="{number}"}}') for number in range(3)
        )


@pytest.fixture
def server(tmp_path: Path) -> Iterator[OftenCollecting]:
    with OftenCollecting(tmp_path / "data") as made:
        yield made


def play_natively(port: int) -> None:
    client = Client(port)
    room = client.ask("open", "room", game="gomoku", nonce="1", bot="easy")["room"]["id"]
    client.send("play", room=room, move={"do": "place", "x": 7, "y": 7})
    client.receive_event("placed")
    client.receive_event("placed")
    client.send("leave", room=room)
    client.close()


def connect_older_client(port: int) -> None:
    session = WebSocket(port)
    connect(session)
    session.send("41")
    session.socket.close()


@pytest.mark.slow
@pytest.mark.parametrize("visit", [play_natively, connect_older_client])
def test_connections_and_moves_leave_no_reference_cycles(
    server: OftenCollecting, visit: Callable[[int], None]
) -> None:
    visit(server.port)
    before = server.collected()
    for _ in range(CONNECTIONS):
        visit(server.port)
    # Less than one object a connection. The requests for the metrics may leave some.
    assert server.collected() - before < CONNECTIONS


@pytest.mark.slow
def test_lag_is_measured(server: OftenCollecting) -> None:
    before = server.metric("qipai_event_loop_lag_seconds_count")
    until = time.monotonic() + 60
    while server.metric("qipai_event_loop_lag_seconds_count") < before + 5:
        assert time.monotonic() < until


@pytest.fixture
def collections(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The generations that were collected, in order."""
    made: list[int] = []

    def collect(generation: int = 2) -> int:
        made.append(generation)
        return 0

    monkeypatch.setattr(gc, "collect", collect)
    monkeypatch.setattr(gc, "freeze", lambda: None)
    monkeypatch.setattr(gc, "unfreeze", lambda: None)
    monkeypatch.setattr(event_loop, "TICK", 0.001)
    return made


async def run_ticks(count: int, *, busy: bool = False) -> None:
    """Run so many ticks, with a command in each if players are busy."""
    done = asyncio.Event()
    ticks = 0

    def commands() -> int:
        nonlocal ticks
        ticks += 1
        if ticks == count:
            done.set()
        return ticks if busy else 0

    monitor = EventLoopMonitor(commands)
    monitor.start()
    await done.wait()
    monitor.stop()


@pytest.mark.parametrize("busy", [True, False])
def test_all_objects_are_visited_only_while_nobody_plays(
    collections: list[int], monkeypatch: pytest.MonkeyPatch, *, busy: bool
) -> None:
    monkeypatch.setattr(event_loop, "FULL_AFTER", 0.0)
    monkeypatch.setattr(gc, "get_count", lambda: (0, 0, 0))
    asyncio.run(run_ticks(20, busy=busy))
    assert collections[0] == 2  # At the start.
    assert (2 in collections[1:]) is not busy


@pytest.mark.parametrize(("new", "expected"), [(0, []), (event_loop.YOUNG_OBJECTS + 1, [0, 0, 0, 0, 0])])
def test_cycles_among_new_objects_are_looked_for_when_there_are_many(
    collections: list[int], monkeypatch: pytest.MonkeyPatch, new: int, expected: list[int]
) -> None:
    monkeypatch.setattr(gc, "get_count", lambda: (new, 0, 0))
    asyncio.run(run_ticks(5))
    assert collections == [2, *expected]
    assert gc.isenabled()
