"""Whatever workers do and whenever they end: living tables are looked after, and nothing is left of the rest.

The scripts are run one after the other on a real Redis in any order, as processes would that stall, are
given up, come back, lose their line for hints, leave, or are killed.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis as client
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from qipai.hall.journal.store_interface import Entry, Snapshot
from qipai.kernel.ids import Code, Millis, RoomId
from qipai.stores.redis.lua_scripts import (
    BEAT,
    COMMIT,
    ENROLL,
    FOLLOW,
    LEASE,
    LEAVE,
    PREFIX,
    SHELVE,
    UNFOLLOW,
    commit,
)
from qipai.stores.redis.shared_counters import NAME
from tests.support.redis import RedisServer

WORKERS = ("w1", "w2", "w3")
ROOMS = ("a", "b")
workers = st.sampled_from(WORKERS)
rooms = st.sampled_from(ROOMS)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with RedisServer(Path(tmp_path_factory.mktemp("redis"))) as server:
        yield server.address


class Crew(RuleBasedStateMachine):
    """`up` are the processes that run; what a process knows is not modelled, only what it may ask for."""

    address = ""

    def __init__(self) -> None:
        super().__init__()
        self.raw: Any = client.Redis.from_url(self.address, decode_responses=True)
        self.raw.flushall()
        self.names = dict.fromkeys(WORKERS, 0)
        self.lines: dict[str, Any] = {}
        self.up: set[str] = set()
        self.versions: dict[str, int] = {}

    @initialize()
    def begin(self) -> None:
        for worker in WORKERS:
            self.start(worker)

    def teardown(self) -> None:
        for line in self.lines.values():
            line.close()
        self.raw.close()

    def name(self, worker: str) -> str:
        """Return what a process is called: every one has a name of its own."""
        return f"{worker}x{self.names[worker]}"

    def run(self, script: str, *words: Any) -> Any:
        return self.raw.eval(script, 0, *words)

    def hear(self, worker: str) -> None:
        line = self.raw.pubsub()
        line.subscribe(f"{PREFIX}worker:{self.name(worker)}")
        assert line.get_message(timeout=60)["type"] == "subscribe"
        self.lines[worker] = line

    # What a process does

    @rule(worker=workers)
    def start(self, worker: str) -> None:
        if worker not in self.up:
            self.names[worker] += 1
            self.up.add(worker)
            self.hear(worker)
            self.beat(worker)

    @rule(worker=workers)
    def beat(self, worker: str) -> None:
        if worker in self.up:
            self.run(BEAT, self.name(worker), 1, "127.0.0.1 1")

    @rule(worker=workers, room=rooms)
    def write(self, worker: str, room: str) -> None:
        """Open the room, or take a step there."""
        if worker in self.up:
            self.commit(worker, room, live=True)

    @rule(worker=workers, room=rooms)
    def end(self, worker: str, room: str) -> None:
        if worker in self.up and room in self.raw.smembers(f"{PREFIX}living"):
            self.commit(worker, room, live=False)
            self.run(SHELVE, room, 60)
            self.raw.delete(f"{PREFIX}journal:{room}", f"{PREFIX}room:{room}")
            del self.versions[room]

    def commit(self, worker: str, room: str, *, live: bool) -> None:
        version = self.versions.get(room, 0) + 1
        entry = Entry(RoomId(room), version, Millis(1), b"{}")
        shots = [Snapshot(RoomId(room), version, live, b"{}", Code(f"C{room}"))]
        told = self.run(
            COMMIT, *commit(self.name(worker), [entry], shots if version == 1 or not live else [])
        )
        assert told == []
        self.versions[room] = version

    @rule(worker=workers, room=rooms)
    def follow(self, worker: str, room: str) -> None:
        if worker in self.up:
            self.run(FOLLOW, self.name(worker), room, 0)

    @rule(worker=workers, room=rooms)
    def unfollow(self, worker: str, room: str) -> None:
        if worker in self.up:
            self.run(UNFOLLOW, self.name(worker), room)

    @rule(worker=workers, room=rooms)
    def enter(self, worker: str, room: str) -> None:
        """Somebody comes to a table, under a nickname."""
        if worker in self.up:
            self.run(ENROLL, self.name(worker), room, 1, "place")
            self.run(NAME, self.name(worker), "game", f"somebody {worker}", "Guest", "Guest", 1)

    # What happens to it

    @rule(worker=workers)
    def stall(self, worker: str) -> None:
        """Let it be silent for too long."""
        if self.raw.zscore(f"{PREFIX}workers", self.name(worker)) is not None:
            seconds, micros = self.raw.time()
            long_ago = seconds * 1000 + micros // 1000 - LEASE - 1
            self.raw.zadd(f"{PREFIX}workers", {self.name(worker): long_ago})

    @rule(worker=workers)
    def lose_line(self, worker: str) -> None:
        """Cut what it listens by; when it has noticed it will connect and follow all its rooms again."""
        if worker in self.lines:
            self.lines.pop(worker).close()

    @rule(worker=workers)
    def kill(self, worker: str) -> None:
        if worker in self.up:
            self.up.discard(worker)
            self.lose_line(worker)
            self.stall(worker)

    @rule(worker=workers)
    def leave(self, worker: str) -> None:
        if worker in self.up:
            self.run(LEAVE, self.name(worker))
            self.up.discard(worker)
            self.lose_line(worker)

    @rule()
    def kill_all(self) -> None:
        for worker in WORKERS:
            self.kill(worker)

    # What holds

    def follows(self, name: str) -> set[str]:
        return set(self.raw.smembers(f"{PREFIX}follows:{name}"))

    @invariant()
    def every_living_table_has_somebody(self) -> None:
        known = {*self.raw.zrange(f"{PREFIX}workers", 0, -1), *self.raw.smembers(f"{PREFIX}gone")}
        kept = set(self.raw.smembers(f"{PREFIX}orphans")).union(*map(self.follows, known))
        assert set(self.raw.smembers(f"{PREFIX}living")) <= kept

    @invariant()
    def who_is_sent_hints_is_known_to_follow(self) -> None:
        for room in ROOMS:
            for name in self.raw.smembers(f"{PREFIX}followers:{room}"):
                assert room in self.follows(name)

    @invariant()
    def nothing_is_left_once_all_is_quiet(self) -> None:
        if self.up:
            return
        self.start("w1")
        for _ in range(3):
            self.beat("w1")
        (name,) = self.raw.zrange(f"{PREFIX}workers", 0, -1)
        living = set(self.raw.smembers(f"{PREFIX}living"))
        assert name == self.name("w1")
        assert self.follows(name) == living
        for key in ("people", "addresses", "hints"):
            assert set(self.raw.hkeys(f"{PREFIX}{key}")) <= {name}, key
        alone = {f"{PREFIX}{kind}:{name}" for kind in ("follows", "names")}
        plain = {"beat", "outage", "workers", "people", "addresses", "hints", "tables", "living", "codes"}
        known = {f"{PREFIX}{key}" for key in plain} | alone
        for room in living:
            known |= {f"{PREFIX}{kind}:{room}" for kind in ("journal", "room", "followers", "here")}
        assert set(self.raw.keys("*")) <= known
        assert set(self.raw.hvals(f"{PREFIX}codes")) == living


@pytest.fixture
def crew(address: str) -> Iterator[Crew]:
    Crew.address = address
    made = Crew()
    made.begin()
    yield made
    made.teardown()


def test_tables_are_looked_after_whatever_workers_do(address: str) -> None:
    Crew.address = address
    # Without making a failure smaller, which takes minutes: the steps are few.
    quick = settings(max_examples=100, stateful_step_count=40, phases=[Phase.generate])
    run_state_machine_as_test(Crew, settings=quick)


def test_who_follows_before_its_first_beat_after_a_stall_and_dies_leaves_no_table_alone(crew: Crew) -> None:
    crew.write("w1", "a")
    crew.stall("w1")
    crew.beat("w2")
    crew.follow("w1", "a")
    crew.enter("w1", "a")
    crew.kill("w1")
    crew.every_living_table_has_somebody()
    crew.kill_all()
    crew.nothing_is_left_once_all_is_quiet()


def test_hints_for_a_worker_that_has_just_left_are_not_counted_for_ever(crew: Crew) -> None:
    crew.write("w1", "a")
    crew.follow("w2", "a")
    crew.leave("w2")
    crew.write("w1", "a")
    crew.kill_all()
    crew.nothing_is_left_once_all_is_quiet()
