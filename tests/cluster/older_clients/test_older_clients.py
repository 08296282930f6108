"""Unmodified clients of the older protocols on several workers: any transport, whichever worker."""

import os
import signal
from collections.abc import Iterator
from functools import partial

import pytest

from tests.cluster.operations.test_supervisor import Crew, children, wait_for
from tests.socketio.older_programs.test_gomoku_clients import Guest
from tests.support.redis import RedisServer

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def crew(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crew]:
    folder = tmp_path_factory.mktemp("older")
    with RedisServer(folder) as redis:
        made = Crew(folder / "data")
        made.environment = {"QIPAI_STORE": redis.address}
        with made:
            assert wait_for(lambda: made.log.read_text().count('"serving"') == 2)
            yield made


def guest(crew: Crew, way: str, name: str) -> Guest:
    made = Guest(crew.port, "socket.io-client", way, name)
    made.puppet.command("emit", "join-lobby", {"nickname": name})
    made.until("room-list")
    return made


def stone(mover: Guest, other: Guest, x: int, y: int) -> None:
    mover.say("place-stone", x=x, y=y)
    for each in (mover, other):
        placed = each.until("stone-placed")
        assert (placed["x"], placed["y"]) == (x, y)


@pytest.mark.parametrize("way", ["polling", "upgrade"])
def test_sessions_are_answered_by_their_own_worker_wherever_requests_arrive(crew: Crew, way: str) -> None:
    # Four clients on two workers, each with several connections: some come to the wrong one.
    people = [guest(crew, way, f"{way}{number}") for number in range(4)]
    for ann, bob in (people[:2], people[2:]):
        ann.enter("create-room", name=f"of {ann.nickname}")
        bob.enter("join-room", roomId=ann.room)
        for x in range(3):
            stone(ann, bob, x, 7)
            stone(bob, ann, x, 8)
    for each in people:
        each.puppet.close()


def again(crew: Crew, served: int) -> bool:
    """Tell whether a worker has begun to serve after so many others."""
    return crew.log.read_text().count('"serving"') > served


@pytest.mark.parametrize("way", ["websocket", "polling"])
def test_a_client_recovers_on_another_worker_when_its_own_is_killed(crew: Crew, way: str) -> None:
    ann, bob = guest(crew, way, f"Ann {way}"), guest(crew, way, f"Bob {way}")
    ann.enter("create-room", name="lasting")
    bob.enter("join-room", roomId=ann.room)
    stone(ann, bob, 7, 7)
    before = {each.sid: each for each in (ann, bob)}
    for victim in children(crew):
        served = crew.log.read_text().count('"serving"')
        os.kill(victim, signal.SIGKILL)
        assert wait_for(partial(again, crew, served), 60)
    for sid, each in before.items():
        back = each.puppet.observe("connect")
        assert (back["id"], back["recovered"]) == (sid, True)
    stone(bob, ann, 8, 8)
    stone(ann, bob, 6, 6)
    for each in (ann, bob):
        each.puppet.close()
