"""The key that signs tokens: what becomes of it when Redis loses its data, and workers that disagree."""

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

import pytest
import redis as client

from qipai.cli.main import main
from qipai.hall.people.signing_keys import StoredKeys, parse_keys
from qipai.stores.redis import redis_store
from qipai.stores.redis.lua_scripts import PREFIX
from qipai.stores.redis.redis_store import RedisStore
from qipai.stores.redis.worker_heartbeat import HEARTBEAT_SECONDS
from tests.cluster.operations.test_health_and_metrics import soon
from tests.support.redis import RedisServer
from tests.support.server import Client
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

KEY = f"{PREFIX}secret"
SCHEMA = f"{PREFIX}schema"
SECRET = "a text of thirty-two characters or more"
CONFIG = f'secret = "{SECRET}"\n'
GUARD = 60.0


def guest(worker: Worker, token: str = "", name: str = "") -> tuple[str, str]:
    """Return the token and the name of a guest that connects to a worker."""
    joined = Client(worker.port, token=token, name=name)
    found = joined.token, str(joined.welcome["name"])
    joined.close()
    return found


def knows(worker: Worker, token: str) -> bool:
    """Tell whether a worker knows the guest of this token."""
    return guest(worker, token)[1] == "Ada"


def test_guests_stay_known_when_redis_loses_its_data_and_a_worker_starts_again(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (one, two)):
        token = guest(one, name="Ada")[0]
        assert knows(two, token)
        admin = client.Redis.from_url(redis.address)
        admin.flushall()
        soon(lambda: admin.exists(KEY, SCHEMA) == 2)
        one.stop()
        one.start()
        assert knows(one, token)
        assert knows(two, token)
        assert knows(two, guest(one, token)[0])
        admin.close()


def test_a_worker_that_starts_just_after_redis_lost_its_data_waits_for_the_key_of_those_that_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RedisServer(tmp_path) as redis, client.Redis.from_url(redis.address) as admin:
        key = RedisStore(redis.address).secret()
        admin.flushall()
        slept = []

        def heartbeat_of_another_worker(seconds: float) -> None:
            slept.append(seconds)
            if sum(slept) >= HEARTBEAT_SECONDS:
                admin.setnx(KEY, key)

        monkeypatch.setattr(redis_store, "sleep", heartbeat_of_another_worker)
        assert RedisStore(redis.address).secret() == key
        slept.clear()
        assert RedisStore(redis.address).secret() == key
        assert slept == [], "a key that is there is not waited for"


def test_redis_may_lose_its_data_while_a_worker_reads_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(redis_store, "sleep", lambda _: None)
    with RedisServer(tmp_path) as redis, client.Redis.from_url(redis.address) as admin:
        store = RedisStore(redis.address)
        read, reads = store._client.get, []

        def lose_data_first(key: str) -> object:
            reads.append(key)
            if len(reads) == 1:
                admin.flushall()
            return read(key)

        monkeypatch.setattr(store._client, "get", lose_data_first)
        assert store.secret() == admin.get(KEY)
        assert admin.exists(SCHEMA)


def test_the_first_worker_on_an_empty_redis_waits_about_a_heartbeat_for_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slept: list[float] = []
    monkeypatch.setattr(redis_store, "sleep", slept.append)
    with RedisServer(tmp_path) as redis, client.Redis.from_url(redis.address) as admin:
        assert len(RedisStore(redis.address).secret()) == 32
        assert HEARTBEAT_SECONDS < sum(slept) <= 2 * HEARTBEAT_SECONDS
        slept.clear()
        admin.flushall()
        assert RedisStore(redis.address).secret(bytes(range(32))) == bytes(range(32))
        assert slept == [], "a configured key is that of all workers"


def test_a_worker_whose_key_is_not_that_of_the_store_says_so_and_stops(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (one, two)):
        token = guest(one, name="Ada")[0]
        admin = client.Redis.from_url(redis.address)
        two.kill()
        admin.set(KEY, bytes(32))
        two.start()
        assert one.wait(GUARD) == 1
        assert [line["event"] for line in one.errors] == [
            "the store has another signing key than this worker, which stops"
        ]
        one.start()
        assert not knows(one, token)
        assert two.process is not None
        assert two.process.poll() is None
        both = guest(one, name="Ada")[0]
        assert knows(two, both), "the two agree again"
        admin.close()


def test_with_a_configured_secret_guests_stay_known_without_redis_or_any_worker(tmp_path: Path) -> None:
    with workers(tmp_path, config=CONFIG) as (redis, (one, two)):
        token = guest(one, name="Ada")[0]
        assert knows(two, token)
        one.stop()
        two.stop()
        with client.Redis.from_url(redis.address) as admin:
            admin.flushall()
        one.start()
        two.start()
        assert knows(one, token)
        assert knows(two, token)


def test_a_worker_with_another_secret_than_those_that_run_rotates_the_key_of_all(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, Worker(tmp_path / "one", redis.address) as one:
        before = guest(one, name="Ada")[0]
        with Worker(tmp_path / "other", redis.address, config=CONFIG) as other:
            assert knows(other, before)
            assert knows(one, guest(other, name="Ada")[0])
            assert knows(other, guest(one, name="Ada")[0])
            with client.Redis.from_url(redis.address) as admin:
                stored = admin.get(KEY)
            assert isinstance(stored, bytes)
            assert parse_keys(stored).last.key == sha256(SECRET.encode()).digest()
            one.stop()
            one.start()
            assert knows(one, before), "a worker without the setting follows the store"
            assert one.errors == other.errors == []


@pytest.fixture
def rotate(monkeypatch: pytest.MonkeyPatch) -> Callable[[RedisServer, int], StoredKeys]:
    """Return what types the command, and returns the keys that it has stored."""

    def rotating(redis: RedisServer, days: int) -> StoredKeys:
        monkeypatch.setenv("QIPAI_STORE", redis.address)
        assert main(["key", "rotate", "--days", str(days)]) == 0
        return parse_keys(RedisStore(redis.address).secret())

    return rotating


def adopted(worker: Worker) -> int:
    return worker.log.read_text().count("signing key rotated")


def test_the_key_is_rotated_while_workers_run_and_guests_stay_connected(
    tmp_path: Path, rotate: Callable[[RedisServer, int], StoredKeys]
) -> None:
    with workers(tmp_path) as (redis, (one, two)):
        ada = Client(one.port, name="Ada")
        room = ada.ask("open", "room", game="tictactoe", nonce="a", table={"disconnect_timeout": 0})
        bo = Client(two.port, name="Bo")
        bo.ask("join", "room", room=room["room"]["id"])
        keys = rotate(redis, 180)
        soon(lambda: adopted(one) == adopted(two) == 1)
        assert knows(two, ada.token)
        # Nobody is disconnected, and the new key signs when its time has come.
        soon(lambda: time.time() * 1000 > keys.last.since + 1_000)
        assert bo.ask("ping", "pong", n=1)["n"] == 1
        assert ada.ask("ping", "pong", n=1)["n"] == 1
        for first, second in ((one, two), (two, one)):
            token = guest(first, ada.token)[0]
            assert token != ada.token
            assert knows(second, token)
            assert guest(second, token)[0] == token
        one.stop()
        one.start()
        assert knows(one, ada.token)
        assert knows(one, guest(two, ada.token)[0])
        ada.close()
        bo.close()
        assert one.errors == two.errors == []


def test_after_the_overlap_no_worker_accepts_a_token_of_the_old_key(
    tmp_path: Path, rotate: Callable[[RedisServer, int], StoredKeys]
) -> None:
    with workers(tmp_path) as (redis, (one, two)):
        token = guest(one, name="Ada")[0]
        keys = rotate(redis, 0)
        soon(lambda: adopted(one) == adopted(two) == 1)
        soon(lambda: time.time() * 1000 > keys.last.since + 1_000)
        assert not knows(one, token)
        assert not knows(two, token)
        new = guest(one, name="Ada")[0]
        assert knows(two, new)


def test_a_rotation_that_redis_loses_is_written_again(
    tmp_path: Path, rotate: Callable[[RedisServer, int], StoredKeys]
) -> None:
    with workers(tmp_path) as (redis, (one, two)), client.Redis.from_url(redis.address) as admin:
        guest(one)
        guest(two)
        before = admin.get(KEY)
        assert isinstance(before, bytes)
        rotate(redis, 180)
        soon(lambda: adopted(one) == adopted(two) == 1)
        after = admin.get(KEY)
        admin.set(KEY, before)  # As after a failover to a replica that is behind.
        soon(lambda: admin.get(KEY) == after)
        assert one.process is not None
        assert one.process.poll() is None
        assert one.errors == two.errors == []
