"""Five hundred guests watch one table and chat; moves at other tables are not later for it."""

import contextlib
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from qipai.hall.people.person_quota import CHAT_WINDOW, CROWD_LINES
from tests.attacks.crowds.crowd import Crowd
from tests.attacks.crowds.loop_turns import LONGEST_TURN, LoopTurns
from tests.attacks.other_players import (
    Attack,
    OtherPlayers,
    assert_others_do_not_notice,
    assert_players_do_not_notice,
)
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess, clients
from tests.support.workers import Worker

pytestmark = pytest.mark.slow

SPECTATORS = 500
LINES = 5
CONFIG = "bot_pause = 20\n"
PAUSE = 0.8
"""Seconds between two attacks of the crowd."""
EVERYBODY_MAY_SPEAK = CHAT_WINDOW / 1000
"""Seconds after which the quotas allow as many lines as before."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path / "data", config=CONFIG) as made:
        yield made


@contextlib.contextmanager
def table(port: int, game: str = "tictactoe") -> Iterator[tuple[Client, Client, str]]:
    """Yield the two players of a running game, and its room."""
    with clients(port, 2) as (ann, bob):
        room = ann.ask("open", "room", game=game, seat=0, nonce="t")["room"]["id"]
        bob.ask("join", "room", room=room)
        yield ann, bob, room


def talk(*crowds: Crowd) -> Attack:
    """Return an attack: everybody in the crowds talks at once, again and again."""

    def attack(stop: threading.Event) -> None:
        while not stop.is_set():
            with ThreadPoolExecutor(len(crowds)) as pool:
                list(pool.map(lambda crowd: crowd.do(f"talk {LINES}"), crowds))
            stop.wait(PAUSE)

    return attack


def come_and_go(*crowds: Crowd) -> Attack:
    """Return an attack: everybody in the crowds leaves and comes back at once, again and again."""

    def attack(stop: threading.Event) -> None:
        while not stop.is_set():
            with ThreadPoolExecutor(len(crowds)) as pool:
                list(pool.map(lambda crowd: (crowd.do("leave"), crowd.do("watch")), crowds))
            stop.wait(PAUSE)

    return attack


def settled(crowd: Crowd) -> dict[str, Any]:
    """Return what the crowd has seen once it receives nothing more."""
    seen = crowd.do("report")
    for _ in range(600):
        time.sleep(0.1)
        before, seen = seen, crowd.do("report")
        if before == seen and len(seen["versions"]) == 1:
            return seen
    raise AssertionError("the crowd still receives frames")


def test_a_crowd_that_chats_delays_no_move_elsewhere(server: ServerProcess) -> None:
    with table(server.port) as (_, _, room), Crowd(server.port, room, SPECTATORS) as crowd:
        with OtherPlayers(server) as players:
            observed = assert_players_do_not_notice(players, talk(crowd), pause=EVERYBODY_MAY_SPEAK)
        seen = settled(crowd)
    print(observed, seen)
    assert (seen["open"], seen["in_order"]) == (SPECTATORS, True), "all of them have seen every version"
    assert seen["lines"] >= [CROWD_LINES]
    assert seen["refused"] > 0
    assert server.errors == []


def test_a_crowd_that_comes_and_goes_delays_no_move_elsewhere(server: ServerProcess) -> None:
    with table(server.port) as (_, _, room), Crowd(server.port, room, SPECTATORS) as crowd:
        observed = assert_others_do_not_notice(server, come_and_go(crowd))
    print(observed)
    assert server.errors == []


def test_a_players_own_move_is_not_delayed_by_the_crowd_at_the_table(server: ServerProcess) -> None:
    with table(server.port, "gomoku") as (ann, bob, room), Crowd(server.port, room, SPECTATORS) as crowd:
        players = [ann, bob] if ann.ask("watch", "room", room=room)["room"]["to_act"] == [0] else [bob, ann]

        def seconds_to_answer(number: int) -> float:
            # Black in columns 0 and 1, white in 3 and 4, with gaps: nobody has five in a row.
            player, row = players[number % 2], number // 2
            begin = time.perf_counter()
            move = {"do": "place", "x": 3 * (number % 2) + row % 2, "y": row // 2 + row // 8}
            player.send("play", room=room, move=move, nonce=f"{number}")
            while (answer := player.receive()).get("nonce") != f"{number}":
                pass
            assert answer["type"] == "events", answer
            return time.perf_counter() - begin

        idle = sorted(seconds_to_answer(number) for number in range(20))
        during = []
        for number in range(20, 40):
            crowd.do(f"talk {LINES}")
            during.append(seconds_to_answer(number))
    print(f"median alone {idle[10] * 1000:.1f} ms, with the crowd's chat {sorted(during)[10] * 1000:.1f} ms")
    # The median: a single step may have to wait for the machine.
    assert sorted(during)[10] - idle[10] < 0.25


class Cluster(NamedTuple):
    """Two workers, players at and across them, and a crowd at each that watches one other table."""

    workers: list[Worker]
    turns: list[LoopTurns]
    players: OtherPlayers
    crowds: list[Crowd]

    def assert_nobody_notices(self, attack: Attack, pause: float = 0.0) -> None:
        """Attack; fail if moves elsewhere are late, or a turn of an event loop so long that they can be."""
        for turns in self.turns:
            turns.longest()
        observed = assert_players_do_not_notice(self.players, attack, pause=pause)
        longest = [turns.longest() for turns in self.turns]
        print(observed, f"longest turns {longest}")
        assert max(longest) <= LONGEST_TURN
        assert [crowd.do("report")["open"] for crowd in self.crowds] == [SPECTATORS, SPECTATORS]
        assert [worker.errors for worker in self.workers] == [[], []]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with contextlib.ExitStack() as stack:
        redis = stack.enter_context(RedisServer(tmp_path))
        pair = [Worker(tmp_path / name, redis.address, config=CONFIG) for name in ("first", "second")]
        turns = [LoopTurns(worker) for worker in pair]
        for worker in pair:
            stack.enter_context(worker)
        _, _, room = stack.enter_context(table(pair[0].port))
        crowds = [stack.enter_context(Crowd(worker.port, room, SPECTATORS)) for worker in pair]
        yield Cluster(pair, turns, stack.enter_context(OtherPlayers(*pair, store=redis.process)), crowds)


def test_with_redis_a_crowd_at_two_workers_delays_no_move_elsewhere(cluster: Cluster) -> None:
    cluster.assert_nobody_notices(talk(*cluster.crowds), pause=EVERYBODY_MAY_SPEAK)
    seen = [settled(crowd) for crowd in cluster.crowds]
    assert [each["in_order"] for each in seen] == [True, True]
    assert seen[0]["versions"] == seen[1]["versions"], "the limit of the table is that of both workers"
    assert min(each["refused"] for each in seen) > 0


def test_with_redis_a_crowd_that_comes_and_goes_delays_no_move_elsewhere(cluster: Cluster) -> None:
    cluster.assert_nobody_notices(come_and_go(*cluster.crowds))
