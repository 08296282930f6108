"""Whatever workers do and whenever they end: every open room has an owner, and no other key is left.

The scripts run one after the other on a real Redis in any order, as by processes that stall, are counted as
dead, return, lose their subscription, leave, or are killed.
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
    ANNOUNCE_MEMBER,
    COMMIT,
    MARK_ARCHIVED,
    PREFIX,
    SUBSCRIBE,
    UNSUBSCRIBE,
)
from qipai.stores.redis.script_replies import commit_arguments
from qipai.stores.redis.shared_counters import CLAIM_NICKNAME
from qipai.stores.redis.worker_heartbeat import DEAD_AFTER, HEARTBEAT, LEAVE
from tests.support.redis import RedisServer

WORKERS = ("w1", "w2", "w3")
ROOMS = ("a", "b")
workers = st.sampled_from(WORKERS)
rooms = st.sampled_from(ROOMS)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with RedisServer(Path(tmp_path_factory.mktemp("redis"))) as server:
        yield server.address


class Workers(RuleBasedStateMachine):
    """Model of the workers: `running` are the processes that run; what a process knows is not modelled."""

    address = ""

    def __init__(self) -> None:
        super().__init__()
        self.redis: Any = client.Redis.from_url(self.address, decode_responses=True)
        self.redis.flushall()
        self.generations = dict.fromkeys(WORKERS, 0)
        self.subscriptions: dict[str, Any] = {}
        self.running: set[str] = set()
        self.versions: dict[str, int] = {}

    @initialize()
    def begin(self) -> None:
        for worker in WORKERS:
            self.start(worker)

    def teardown(self) -> None:
        for subscription in self.subscriptions.values():
            subscription.close()
        self.redis.close()

    def name(self, worker: str) -> str:
        """Return the name of the present process of a worker: each process has another one."""
        return f"{worker}x{self.generations[worker]}"

    def run(self, script: str, *arguments: Any) -> Any:
        return self.redis.eval(script, 0, *arguments)

    def listen(self, worker: str) -> None:
        subscription = self.redis.pubsub()
        subscription.subscribe(f"{PREFIX}worker:{self.name(worker)}")
        assert subscription.get_message(timeout=60)["type"] == "subscribe"
        self.subscriptions[worker] = subscription

    # Actions of a process

    @rule(worker=workers)
    def start(self, worker: str) -> None:
        if worker not in self.running:
            self.generations[worker] += 1
            self.running.add(worker)
            self.listen(worker)
            self.heartbeat(worker)

    @rule(worker=workers)
    def heartbeat(self, worker: str) -> None:
        if worker in self.running:
            self.run(HEARTBEAT, self.name(worker), 1, "127.0.0.1 1")

    @rule(worker=workers, room=rooms)
    def write(self, worker: str, room: str) -> None:
        """Open the room, or append a record."""
        if worker in self.running:
            self.commit(worker, room, live=True)

    @rule(worker=workers, room=rooms)
    def close(self, worker: str, room: str) -> None:
        if worker in self.running and room in self.redis.smembers(f"{PREFIX}open_rooms"):
            self.commit(worker, room, live=False)
            self.run(MARK_ARCHIVED, room, 60)
            self.redis.delete(f"{PREFIX}journal:{room}", f"{PREFIX}room:{room}")
            del self.versions[room]

    def commit(self, worker: str, room: str, *, live: bool) -> None:
        version = self.versions.get(room, 0) + 1
        entry = Entry(RoomId(room), version, Millis(1), b"{}")
        snapshots = [Snapshot(RoomId(room), version, live, b"{}", Code(f"C{room}"))]
        if version > 1 and live:
            snapshots = []
        assert self.run(COMMIT, *commit_arguments(self.name(worker), [entry], snapshots)) == []
        self.versions[room] = version

    @rule(worker=workers, room=rooms)
    def subscribe(self, worker: str, room: str) -> None:
        if worker in self.running:
            self.run(SUBSCRIBE, self.name(worker), room, 0)

    @rule(worker=workers, room=rooms)
    def unsubscribe(self, worker: str, room: str) -> None:
        if worker in self.running:
            self.run(UNSUBSCRIBE, self.name(worker), room)

    @rule(worker=workers, room=rooms)
    def enter(self, worker: str, room: str) -> None:
        """A player with a nickname connects to a room."""
        if worker in self.running:
            self.run(ANNOUNCE_MEMBER, self.name(worker), room, 1, "member")
            self.run(CLAIM_NICKNAME, self.name(worker), "game", f"person {worker}", "Guest", "Guest", 1)

    # Faults

    @rule(worker=workers)
    def stall(self, worker: str) -> None:
        """Let it send no heartbeat for too long."""
        if self.redis.zscore(f"{PREFIX}workers", self.name(worker)) is not None:
            seconds, micros = self.redis.time()
            long_ago = seconds * 1000 + micros // 1000 - DEAD_AFTER - 1
            self.redis.zadd(f"{PREFIX}workers", {self.name(worker): long_ago})

    @rule(worker=workers)
    def lose_subscription(self, worker: str) -> None:
        """Close its pub/sub connection; a real worker would reconnect and subscribe again."""
        if worker in self.subscriptions:
            self.subscriptions.pop(worker).close()

    @rule(worker=workers)
    def kill(self, worker: str) -> None:
        if worker in self.running:
            self.running.discard(worker)
            self.lose_subscription(worker)
            self.stall(worker)

    @rule(worker=workers)
    def leave(self, worker: str) -> None:
        if worker in self.running:
            self.run(LEAVE, self.name(worker))
            self.running.discard(worker)
            self.lose_subscription(worker)

    @rule()
    def kill_all(self) -> None:
        for worker in WORKERS:
            self.kill(worker)

    # Invariants

    def subscribed_rooms(self, name: str) -> set[str]:
        return set(self.redis.smembers(f"{PREFIX}subscriptions:{name}"))

    @invariant()
    def every_open_room_has_an_owner(self) -> None:
        known = {*self.redis.zrange(f"{PREFIX}workers", 0, -1), *self.redis.smembers(f"{PREFIX}dead")}
        owned = set(self.redis.smembers(f"{PREFIX}unowned")).union(*map(self.subscribed_rooms, known))
        assert set(self.redis.smembers(f"{PREFIX}open_rooms")) <= owned

    @invariant()
    def every_subscriber_lists_the_room_among_its_subscriptions(self) -> None:
        for room in ROOMS:
            for name in self.redis.smembers(f"{PREFIX}subscribers:{room}"):
                assert room in self.subscribed_rooms(name)

    @invariant()
    def no_other_key_is_left_once_all_workers_have_ended(self) -> None:
        if self.running:
            return
        self.start("w1")
        for _ in range(3):
            self.heartbeat("w1")
        (name,) = self.redis.zrange(f"{PREFIX}workers", 0, -1)
        open_rooms = set(self.redis.smembers(f"{PREFIX}open_rooms"))
        assert name == self.name("w1")
        assert self.subscribed_rooms(name) == open_rooms
        for key in ("persons", "addresses", "record_counts"):
            assert set(self.redis.hkeys(f"{PREFIX}{key}")) <= {name}, key
        of_worker = {f"{PREFIX}{kind}:{name}" for kind in ("subscriptions", "nicknames")}
        single = {"heartbeat", "outage", "workers", "persons", "addresses", "record_counts"}
        single |= {"snapshots", "open_rooms", "codes", "schema"}
        known = {f"{PREFIX}{key}" for key in single} | of_worker
        for room in open_rooms:
            known |= {f"{PREFIX}{kind}:{room}" for kind in ("journal", "room", "subscribers", "members")}
        assert set(self.redis.keys("*")) <= known
        assert set(self.redis.hvals(f"{PREFIX}codes")) == open_rooms


@pytest.fixture
def cluster(address: str) -> Iterator[Workers]:
    Workers.address = address
    made = Workers()
    made.begin()
    yield made
    made.teardown()


def test_open_rooms_have_an_owner_whatever_workers_do(address: str) -> None:
    Workers.address = address
    # Without shrinking, which takes minutes: a failure has few steps.
    few = settings(max_examples=100, stateful_step_count=40, phases=[Phase.generate])
    run_state_machine_as_test(Workers, settings=few)


def test_a_worker_that_subscribes_after_a_stall_and_dies_before_its_heartbeat_leaves_no_room_unowned(
    cluster: Workers,
) -> None:
    cluster.write("w1", "a")
    cluster.stall("w1")
    cluster.heartbeat("w2")
    cluster.subscribe("w1", "a")
    cluster.enter("w1", "a")
    cluster.kill("w1")
    cluster.every_open_room_has_an_owner()
    cluster.kill_all()
    cluster.no_other_key_is_left_once_all_workers_have_ended()


def test_record_counts_of_a_worker_that_has_left_are_removed(cluster: Workers) -> None:
    cluster.write("w1", "a")
    cluster.subscribe("w2", "a")
    cluster.leave("w2")
    cluster.write("w1", "a")
    cluster.kill_all()
    cluster.no_other_key_is_left_once_all_workers_have_ended()
