"""Delayed spectators on another worker than the players, or on one after another, see nothing early."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.support.server import Client, Message
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

DELAY = 2
GRAIN = 0.05
"""Seconds by which clocks of workers may differ."""
PAWNS = ("e2e4", "e7e5", "a2a3", "a7a6")
SEED = 8
"""A deal in which none of these squares has a mine: spectators hear where one explodes."""


class Watcher(threading.Thread):
    """A spectator that records its notices and when they arrived."""

    def __init__(self, worker: Worker, room: str, token: str = "", version: int = 0) -> None:
        super().__init__(daemon=True)
        self.client = Client(worker.port, token=token)
        self.room = room
        self.received: list[tuple[float, Message]] = []
        if version:
            self.client.send("resume", room=room, version=version)
        else:
            self.client.send("watch", room=room)
        self.start()

    def run(self) -> None:
        try:
            while True:
                message = self.client.receive(60)
                self.received.append((time.time(), message))
        except (ConnectionClosed, TimeoutError, EOFError):
            return

    def wait(self, version: int) -> None:
        """Wait until the table is seen as it was at this version."""
        until = time.time() + 60
        while self.version < version:
            assert time.time() < until, self.received
            time.sleep(0.02)

    @property
    def version(self) -> int:
        return max((message.get("version", 0) for _, message in list(self.received)), default=0)

    def events_after(self, after: int) -> list[tuple[int, Message]]:
        """Return what happened after a version."""
        events = [message for _, message in self.received if message["type"] == "events"]
        return [(each["version"], each["events"]) for each in events if each["version"] > after]

    def close(self) -> None:
        self.client.close()
        self.join(30)


class Game:
    """Chess with fog and mines between two at one worker, and when each step of it was asked for."""

    def __init__(self, house: ExitStack, worker: Worker) -> None:
        self.players = [Client(worker.port, name=name) for name in ("Ann", "Bob")]
        for client in self.players:
            house.callback(client.close)
        ann, bob = self.players
        opened = time.time()
        # The second version is Ann's own seat.
        self.asked: dict[int, float] = {1: opened, 2: opened}
        options = {"fog": True, "mines": 3}
        table = {"spectator_delay": DELAY, "undo_allowed": True}
        shown = ann.ask("open", "room", game="chess", nonce="t", options=options, table=table)
        self.room: str = shown["room"]["id"]
        self.asked[3] = time.time()
        seen = bob.ask("join", "room", room=self.room)
        ann.receive_event("game_started")
        self.version: int = seen["version"]
        if seen["room"]["to_act"] != [0]:
            self.players.reverse()

    def play(self, number: int) -> None:
        mover = self.players[number % 2]
        at = time.time()
        move = {"do": "move", "uci": PAWNS[number]}
        answer = mover.ask("play", "events", "refused", room=self.room, move=move, nonce=f"m{number}")
        while answer.get("nonce") != f"m{number}":
            answer = mover.receive_until("events", "refused")
        self.version = answer["version"]
        self.asked[self.version] = at

    def audit(self, watcher: Watcher) -> None:
        """Nothing was received early, nothing twice or out of order, and nothing that is hidden."""
        versions = []
        for at, message in watcher.received:
            if (version := message.get("version", 0)) > 1 and message["type"] != "unchanged":
                assert at - self.asked[version] >= DELAY - GRAIN, message
                versions.append(version)
            text = json.dumps(message)
            assert not any(move in text for move in ("seed", *PAWNS)), message
            assert set("".join(said(message, "fen") + said(message, "board"))) <= {"?"}, message
            assert all(field.keys() == {"left"} for field in said(message, "minefield")), message
        assert versions == sorted(set(versions))


def said(value: Any, name: str) -> list[Any]:
    """Return all that a message says under this name, however deep."""
    if isinstance(value, list):
        return [found for each in value for found in said(each, name)]
    if not isinstance(value, dict):
        return []
    deeper = [found for each in value.values() for found in said(each, name)]
    return [value[name], *deeper] if name in value else deeper


@pytest.fixture
def house() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def test_watchers_see_nothing_before_its_time_wherever_they_are_and_whatever_dies(
    tmp_path_factory: pytest.TempPathFactory, house: ExitStack
) -> None:
    _, (first, second) = house.enter_context(workers(tmp_path_factory.mktemp("delay"), seed=SEED))
    game = Game(house, first)
    eve, fay = Watcher(first, game.room), Watcher(second, game.room)
    for one in (eve, fay):
        one.wait(game.version)
    dealt = game.version
    for number in range(2):
        game.play(number)
    for one in (eve, fay):
        one.wait(game.version)
    assert fay.events_after(dealt) == eve.events_after(dealt) != []

    game.play(2)
    seen = fay.version
    second.kill()
    fay.join(30)
    back = Watcher(first, game.room, fay.client.token, seen)
    second.start()
    late = Watcher(second, game.room)
    late.wait(1)  # Only what comes after the first view is sent as events.
    game.play(3)
    for one in (eve, back, late):
        one.wait(game.version)
    assert back.events_after(seen) == eve.events_after(seen)
    assert late.events_after(game.version - 1) == eve.events_after(game.version - 1)
    assert said([message for _, message in eve.received], "board") != [], "a board was received"
    for one in (eve, fay, back, late):
        game.audit(one)
        fields = said([message for _, message in one.received], "minefield")
        assert all(field == {"left": 3} for field in fields), "no mine has exploded"
        one.close()
