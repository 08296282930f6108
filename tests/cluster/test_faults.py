"""Whatever breaks between workers and Redis: nothing acknowledged is lost, nothing is done twice, all agree.

Several clients play many tables at once over several workers. Each remembers what was acknowledged to it;
when it is cut off it comes back to any worker, resumes, and sends again what had no answer. `QIPAI_SOAK` is
how many times as long as usual it goes on.
"""

import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.ids import RoomId
from qipai.stores.redis.redis_store import RedisStore
from tests.support.players import Player
from tests.support.proxies.faulty_redis_proxy import FaultyRedisProxy
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

SOAK = int(os.environ.get("QIPAI_SOAK", "1"))
PAIRS, TABLES = 3, 3
CLOCK = {"main": [600_000], "increment": 0}


class Company:
    """Pairs of players in their own rooms, each player on any worker."""

    def __init__(self, crew: list[Worker], seed: int = 7) -> None:
        self.crew = crew
        self.choose = random.Random(seed)
        self.players: list[Player] = []
        for pair in range(PAIRS):
            host, guest = (Client(worker.port) for worker in self.choose.sample(crew, 2))
            rooms = []
            for number in range(TABLES):
                table = {"clock": CLOCK, "disconnect_timeout": 0, "public": False}
                shown = host.ask("open", "room", game="tictactoe", nonce=f"t{number}", table=table)
                rooms.append(shown["room"]["id"])
                guest.ask("join", "room", room=rooms[-1])
            for number, client in enumerate((host, guest)):
                client.close()
                self.players.append(Player(self.port, client.token, rooms, seed + 2 * pair + number))
        # A clock that runs out in the midst of it all, and nobody there to see it.
        hasty, other = (Client(worker.port) for worker in crew[:2])
        table = {"clock": {"main": [3_000], "increment": 0}, "disconnect_timeout": 0}
        self.short = hasty.ask("open", "room", game="tictactoe", nonce="short", table=table)["room"]["id"]
        other.ask("join", "room", room=self.short)
        for client in (hasty, other):
            client.close()
        self.began = time.monotonic()

    def port(self) -> int:
        return self.choose.choice(self.crew).port

    def play(self, trouble: Callable[[], None]) -> None:
        """Let all play while the trouble happens and a while after."""
        for player in self.players:
            player.start()
        try:
            time.sleep(0.5)
            trouble()
            done = self.acked
            until = time.monotonic() + 60
            while self.acked < done + 30 and time.monotonic() < until:
                time.sleep(0.1)
            assert self.acked >= done + 30, "nobody plays on"
        finally:
            for player in self.players:
                player.stopped.set()
            for player in self.players:
                player.join(60)
        assert [player.failure for player in self.players if player.failure] == []

    @property
    def acked(self) -> int:
        return sum(len(table.acked) for player in self.players for table in list(player.tables.values()))

    def audit(self, redis: RedisServer) -> None:
        """Compare what everybody knows with what is written, and with what every worker shows."""
        store = RedisStore(redis.address)
        for player in self.players:
            for table in player.tables.values():
                entries = store.history(RoomId(table.room))
                assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
                records = {entry.version: read_record(entry) for entry in entries}
                used = [(record.actor, record.nonce) for record in records.values() if record.nonce]
                assert len(used) == len(set(used)), "a command was applied twice"
                assert table.version <= entries[-1].version
                for version, nonce in table.acked.items():
                    assert (records[version].nonce, records[version].actor) == (nonce, table.seat)
        store.close()
        self.converge()
        self.settle_deadline()

    def converge(self) -> None:
        """Every worker shows every seat the same, as soon as a lost hint has been looked for."""
        until = time.monotonic() + 60
        while len({repr(self.views(worker)) for worker in self.crew}) > 1:
            assert time.monotonic() < until, [self.views(worker) for worker in self.crew]
            time.sleep(0.3)

    def views(self, worker: Worker) -> list[object]:
        """Return how each player sees the own rooms on a worker, without presence and clocks."""
        seen: list[object] = []
        for player in self.players:
            client = Client(worker.port, token=player.token)
            for room in player.tables:
                shown = client.ask("join", "room", room=room)["room"]
                seen.append([shown.get(key) for key in ("id", "phase", "position", "match", "to_act")])
            client.close()
        return seen

    def settle_deadline(self) -> None:
        """The short clock has run out, on whichever worker."""
        watcher = Client(self.crew[-1].port)
        until = time.monotonic() + 60
        while (shown := watcher.ask("watch", "room", "refused", room=self.short))["type"] == "room":
            if shown["room"]["phase"] == "over":
                break
            assert time.monotonic() < until, "a deadline is stuck"
            time.sleep(0.2)
        watcher.close()


def check_leftovers(redis: RedisServer, alive: int) -> None:
    """Soon nothing is kept of workers that are gone, and no lock is held."""
    store = RedisStore(redis.address)
    until = time.monotonic() + 60
    while (left := leftovers(store._client, alive)) and time.monotonic() < until:
        time.sleep(0.2)
    assert left == []
    store.close()


def leftovers(client: Any, alive: int) -> list[object]:
    """Return what is kept now of workers that are gone, and the locks that are held."""
    names = set(client.zrange("qipai:workers", 0, -1))
    left: list[object] = [] if len(names) == alive else [names]
    left += client.keys("qipai:lock:*")
    left += set(client.hkeys("qipai:persons")) ^ names
    left += client.keys("qipai:dead")
    for kind in (b"subscriptions:", b"nicknames:"):
        left += {key.partition(kind)[2] for key in client.keys(b"qipai:%b*" % kind)} - names
    left += set(client.hkeys("qipai:record_counts")) - names
    living = client.smembers("qipai:open_rooms")
    for kind in (b"subscribers:", b"members:"):
        left += {key.partition(kind)[2] for key in client.keys(b"qipai:%b*" % kind)} - living
    return left


def stop(crew: list[Worker], *, quietly: bool = True) -> None:
    for worker in crew:
        assert worker.stop() == 0
        if quietly:
            assert worker.errors == []


def test_workers_killed_at_random(tmp_path: Path) -> None:
    with workers(tmp_path, 3) as (redis, crew):
        company = Company(crew)

        def kill() -> None:
            for _ in range(4 * SOAK):
                victim = company.choose.choice(crew)
                victim.kill()
                time.sleep(company.choose.uniform(0, 0.3))
                victim.start()
                time.sleep(company.choose.uniform(0.2, 0.8))

        company.play(kill)
        company.audit(redis)
        check_leftovers(redis, 3)
        stop(crew)


def test_redis_paused_and_restarted(tmp_path: Path) -> None:
    with workers(tmp_path, 2, keep=True) as (redis, crew):
        company = Company(crew)

        def trouble() -> None:
            for _ in range(SOAK):
                redis.pause()
                time.sleep(3)
                redis.unpause()
                time.sleep(1)
                redis.kill()
                time.sleep(0.5)
                redis.start()
                time.sleep(1.5)

        company.play(trouble)
        assert sum(player.unavailable for player in company.players) > 0, "nobody noticed"
        company.audit(redis)
        check_leftovers(redis, 2)
        stop(crew, quietly=False)


def test_hints_dropped_and_repeated_and_lines_cut_and_slow(tmp_path: Path) -> None:
    with (
        RedisServer(tmp_path) as redis,
        FaultyRedisProxy(redis.port, 1) as one,
        FaultyRedisProxy(redis.port, 2) as two,
    ):
        crew = [Worker(tmp_path / f"w{n}", each.address) for n, each in enumerate((one, two))]
        with crew[0], crew[1]:
            company = Company(crew)

            def trouble() -> None:
                for _ in range(SOAK):
                    for each in (one, two):
                        each.drop, each.repeat = 0.2, 0.2
                    time.sleep(3)
                    until = time.monotonic() + 60
                    while min(one.dropped, two.dropped, one.repeated, two.repeated) <= 10:
                        assert time.monotonic() < until, "nobody plays"
                        time.sleep(0.1)
                    one.delay = 0.05
                    time.sleep(1)
                    one.delay = 0
                    for each in (one, two, one):
                        each.cut()
                        time.sleep(0.5)
                        each.restore()
                        time.sleep(0.7)

            company.play(trouble)
            for each in (one, two):
                each.drop = each.repeat = 0
                assert each.dropped > 10
                assert each.repeated > 10
            company.audit(redis)
            check_leftovers(redis, 2)
            stop(crew, quietly=False)


def test_clocks_that_differ_by_two_seconds(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis:
        skews = (-2_000, 2_000)
        crew = [Worker(tmp_path / f"w{n}", redis.address, skew=skew) for n, skew in enumerate(skews)]
        with crew[0], crew[1]:
            check_clock(crew)
            company = Company(crew)
            company.play(lambda: time.sleep(2 * SOAK))
            company.audit(redis)
            stop(crew)


def test_no_clock_runs_while_every_worker_is_down(tmp_path: Path) -> None:
    with workers(tmp_path, 2) as (_, crew):
        ann, bob = (Client(worker.port) for worker in crew)
        table = {"clock": {"main": [60_000], "increment": 0}}
        room = ann.ask("open", "room", game="tictactoe", nonce="o", table=table)["room"]["id"]
        began = time.monotonic()
        bob.ask("join", "room", room=room)
        for worker in crew:
            worker.kill()
        ran = time.monotonic() - began
        time.sleep(5)
        crew[0].start()
        again = Client(crew[0].port, token=ann.token)
        shown = again.ask("join", "room", room=room)
        assert min(shown["room"]["clock"]["left"]) > 60_000 - 1_000 * (ran + 2)
        for client in (ann, bob, again):
            client.close()


def check_clock(crew: list[ServerProcess] | list[Worker]) -> None:
    """Who moves at once loses no time, and who has six seconds has them."""
    ann, bob = Client(crew[0].port, name="Ann"), Client(crew[1].port, name="Bob")
    table = {"clock": {"main": [6_000], "increment": 0}}
    room = ann.ask("open", "room", game="tictactoe", nonce="c", table=table)["room"]["id"]
    began = time.monotonic()
    shown = bob.ask("join", "room", room=room)
    ann.receive_event("game_started")
    mover, other = (ann, bob) if shown["room"]["to_act"] == [0] else (bob, ann)
    for cell in (4, 0, 8, 1):
        mover.send("play", room=room, move={"do": "mark", "cell": cell}, nonce=f"n{cell}")
        notice = mover.receive_until("events")
        other.receive_until("events")
        mover, other = other, mover
    took = time.monotonic() - began
    assert min(notice["clock"]["left"]) > 6_000 - 1_000 * took - 100
    other.receive_event("game_over")
    # What was used before counts for one of them only.
    assert 5.9 < time.monotonic() - began < 6 + took + 3
    for client in (ann, bob):
        client.close()
