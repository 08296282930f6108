"""One guest with many tables against slow bots does not make other people's bots late."""

import contextlib
import statistics
import threading
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from qipai.games.gomoku.bots.levels import Normal
from qipai.games.gomoku.wire_types import PLACES, Place, View
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.attacks.other_players import assert_others_do_not_notice, running
from tests.support.server import Client, ServerProcess, clients

TABLES = 16
"""Tables that one guest plays at once."""
ANSWERS = 10
"""Answers of the bot that are measured at the table of somebody else."""
LATEST = 3.0
"""Seconds until an answer that is not late."""
SIZE = 15
NORMAL = Normal()

pytestmark = pytest.mark.slow


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "data", config="bot_pause = 600\n") as server:
        yield server


class Table:
    """A table against the hard gomoku bot; the stones of the player are those of a quick bot."""

    def __init__(self) -> None:
        self.moves: list[int] = []
        self.black = Seat(0)

    def stone(self, seed: int) -> dict[str, object]:
        """Return the next move of the player."""
        view = View(self.black, Seat(0), tuple(self.moves), ())
        free = [place for cell, place in enumerate(PLACES) if cell not in self.moves]
        place = NORMAL.choose(view, Seat(0), free, Random(seed.to_bytes(32, "big")))
        assert isinstance(place, Place)
        return {"do": "place", "x": place.x, "y": place.y}


class Tables:
    """Tables of one guest, who answers at once."""

    def __init__(self, client: Client, number: int, seed: int) -> None:
        self._client = client
        self._tables: dict[str, Table] = {}
        self._numbers = count(1_000 * seed)
        self.answers = 0
        for _ in range(number):
            self._open()

    def _open(self) -> None:
        self._client.send("open", game="gomoku", nonce=f"{next(self._numbers)}", bot="hard")

    def answer(self, seconds: float) -> None:
        """Receive what comes next, and answer the bot at once."""
        message = self._client.receive(seconds)
        if message["type"] == "room":
            self._tables[message["room"]["id"]] = Table()
            return
        if message["type"] != "events" or (table := self._tables.get(message["room"])) is None:
            return
        for event in message["events"]:
            if event["e"] == "placed":
                table.black = table.black if table.moves else event["seat"]
                table.moves.append(event["y"] * SIZE + event["x"])
                self.answers += event["seat"] == 1
            if event["e"] == "game_over":
                del self._tables[message["room"]]
                self._client.send("leave", room=message["room"])
                self._open()
                return
        if message.get("to_act") == [0]:
            move = table.stone(next(self._numbers))
            self._client.send("play", room=message["room"], move=move)


def attack(server: ServerProcess, stop: threading.Event) -> None:
    """Play many tables until told to stop."""
    with clients(server.port, 1) as (eve,):
        tables = Tables(eve, TABLES, 1)
        while not stop.is_set():
            with contextlib.suppress(TimeoutError):
                tables.answer(0.2)


def answer_times(server: ServerProcess, seed: int) -> list[float]:
    """Return how long each answer of the bot takes at a table of somebody else."""
    times: list[float] = []
    with clients(server.port, 1) as (ann,):
        tables = Tables(ann, 1, seed)
        asked, end = time.monotonic(), time.monotonic() + 300
        while len(times) < ANSWERS:
            assert time.monotonic() < end, times
            before = tables.answers
            tables.answer(60)
            if tables.answers > before:
                times.append(time.monotonic() - asked)
                asked = time.monotonic()
    return times


def test_many_tables_of_one_guest_do_not_delay_the_bots_of_others(server: ServerProcess) -> None:
    answer_times(server, 2)
    idle = max(answer_times(server, 3))
    with running(lambda stop: attack(server, stop)):
        during = answer_times(server, 3)
    # If others had to wait for the guest's tables, most of their answers would be late. A single late answer
    # says nothing: bots have a low priority, and on a busy machine answers take longer without an attack too.
    assert statistics.median(during) < max(LATEST, 2 * idle), (idle, during)


def test_tables_without_bots_do_not_wait_for_them(server: ServerProcess) -> None:
    assert_others_do_not_notice(server, lambda stop: attack(server, stop))
