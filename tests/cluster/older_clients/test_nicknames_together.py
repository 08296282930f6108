"""A nickname is given once, at however many workers it is asked for in the same moment."""

import json
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
import redis as client

from tests.cluster.older_clients.test_sessions import quiet
from tests.cluster.operations.test_health_and_metrics import soon
from tests.socketio.raw_engineio import WebSocket
from tests.socketio.raw_socketio import connect, emit
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

ROUNDS, SOCKETS = 15, 4


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Worker]]:
    with workers(tmp_path_factory.mktemp("names")) as (_, made):
        yield made
        quiet(*made)


class Guest:
    """Somebody with a nickname over a raw WebSocket."""

    def __init__(self, worker: Worker) -> None:
        self.line = WebSocket(worker.port)
        connect(self.line)

    def until(self, name: str) -> Any:
        while True:
            said = json.loads(str(self.line.receive(60))[2:])
            if said[0] == name:
                return said[1]

    def open(self, nickname: str) -> str:
        """Come in, open a room in the same breath, and return the name that the seat has."""
        emit(self.line, "join-lobby", {"nickname": nickname})
        emit(self.line, "create-room", {"name": "mine"})
        return str(self.until("room-joined")["room"]["players"]["black"]["nickname"])


def test_many_who_want_the_same_name_at_once_all_have_different_ones(crew: list[Worker]) -> None:
    start = Barrier(SOCKETS)

    def race(number: int) -> list[str]:
        guests = [Guest(crew[number % 2]) for _ in range(ROUNDS)]
        names = []
        for turn, guest in enumerate(guests):
            start.wait(60)
            names.append(guest.open(f"Ann{turn}"))
        for guest in guests:
            guest.line.close()
        return names

    with ThreadPoolExecutor(SOCKETS) as pool:
        given = list(pool.map(race, range(SOCKETS)))
    for turn in range(ROUNDS):
        assert {names[turn] for names in given} == {f"Ann{turn}", *(f"Ann{turn}#{n}" for n in (2, 3, 4))}


def test_the_names_of_a_worker_that_is_given_up_are_free_and_when_it_is_back_nobody_has_the_same(
    crew: list[Worker],
) -> None:
    first, second = crew
    ann = Guest(first)
    assert ann.open("Zoe") == "Zoe"
    zoe = Guest(second)
    first.signal(signal.SIGSTOP)
    try:
        with client.Redis.from_url(first.environment["QIPAI_STORE"]) as raw:
            soon(lambda: raw.zcard("qipai:workers") == 1 and not raw.exists("qipai:dead"))
        assert zoe.open("Zoe") == "Zoe"
    finally:
        first.signal(signal.SIGCONT)
    while (view := ann.until("room-updated"))["players"]["black"]["nickname"] != "Zoe#2":
        assert view["players"]["black"]["nickname"] == "Zoe"
    for guest in (ann, zoe):
        guest.line.close()
