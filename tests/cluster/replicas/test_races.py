"""Hints and answers arrive over different connections; nothing between a request and its answer is missed."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis as client

from tests.support.proxies.faulty_redis_proxy import FaultyRedisProxy
from tests.support.redis import RedisServer
from tests.support.server import Client
from tests.support.workers import Worker

pytestmark = pytest.mark.slow


def test_a_move_that_is_heard_of_before_the_table_is_read_is_not_missed(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, FaultyRedisProxy(redis.port) as slow:
        first, second = Worker(tmp_path / "w1", redis.address), Worker(tmp_path / "w2", slow.address)
        with first, second:
            ann, bob, eve = Client(first.port), Client(first.port), Client(second.port)
            room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
            joined = bob.ask("join", "room", room=room)
            to_act = joined["room"]["to_act"][0]
            raw = client.Redis.from_url(redis.address)
            slow.late = 0.4
            eve.send("watch", room=room)
            # The table has been read, and the answer is under way.
            assert soon(lambda: raw.scard(f"qipai:subscribers:{room}") == 2)
            raw.close()
            (ann, bob)[to_act].send("play", room=room, move={"do": "mark", "cell": 4}, nonce="2")
            began = time.monotonic()
            # The room that is shown may have the move already.
            while eve.receive_until("room", "events")["version"] <= joined["version"]:
                pass
            assert time.monotonic() - began < 6, "later it would be found anyway"
            for person in (ann, bob, eve):
                person.close()


def test_who_leaves_while_the_line_is_cut_is_not_kept_as_present(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, FaultyRedisProxy(redis.port) as line:
        first, second = Worker(tmp_path / "w1", line.address), Worker(tmp_path / "w2", redis.address)
        with first, second:
            ann, bob, eve = Client(first.port), Client(second.port), Client(first.port)
            room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
            bob.ask("join", "room", room=room)
            eve.ask("watch", "room", room=room)
            raw = client.Redis.from_url(redis.address)
            assert soon(lambda: raw.hlen(f"qipai:members:{room}") == 3)
            line.cut()
            eve.close()
            time.sleep(0.3)
            line.restore()
            assert soon(lambda: raw.hlen(f"qipai:members:{room}") == 2)
            raw.close()
            ann.close()
            bob.close()


def test_a_worker_that_knows_more_than_redis_believes_redis_though_others_went_on(tmp_path: Path) -> None:
    with (
        RedisServer(tmp_path) as redis,
        FaultyRedisProxy(redis.port) as one,
        FaultyRedisProxy(redis.port) as two,
    ):
        first, second = Worker(tmp_path / "w1", one.address), Worker(tmp_path / "w2", two.address)
        with first, second:
            seated = Client(first.port), Client(second.port)
            room = seated[0].ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
            to_act = seated[1].ask("join", "room", room=room)["room"]["to_act"][0]
            seated[0].receive_event("game_started")
            mover, other = seated[to_act], seated[1 - to_act]
            raw: Any = client.Redis.from_url(redis.address)
            stream = f"qipai:journal:{room}"
            written = raw.dump(stream)
            mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="2")
            mover.receive_event("marked")
            other.receive_event("marked")
            for line in (one, two):
                line.cut()
            length = raw.xlen(stream)
            # As if Redis had ended with its last second unwritten.
            raw.restore(stream, 0, written, replace=True)
            assert raw.xlen(stream) == length - 1
            (one, two)[to_act].restore()
            mover.receive_until("room")
            mover.send("play", room=room, move={"do": "mark", "cell": 0}, nonce="3")
            mover.receive_event("marked")
            assert raw.xlen(stream) == length
            raw.close()
            (one, two)[1 - to_act].restore()
            shown = other.receive_until("room")["room"]
            assert shown["position"] == mover.ask("watch", "room", room=room)["room"]["position"]
            other.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="4")
            assert mover.receive_event("marked")["cell"] == 4
            for person in seated:
                person.close()


def test_the_clock_of_a_worker_that_is_a_minute_ahead_does_not_stand_still(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, Worker(tmp_path / "w", redis.address, skew=60_000) as worker:
        ann, bob = Client(worker.port), Client(worker.port)
        table = {"clock": {"main": [1_000], "increment": 0}}
        room = ann.ask("open", "room", game="tictactoe", nonce="1", table=table)["room"]["id"]
        bob.ask("join", "room", room=room)
        assert ann.receive_event("game_over")["reason"] == "time"
        ann.close()
        bob.close()


def soon(true: Callable[[], bool]) -> bool:
    """Tell whether something comes true within a minute."""
    until = time.monotonic() + 60
    while not (found := true()) and time.monotonic() < until:
        time.sleep(0.05)
    return found
