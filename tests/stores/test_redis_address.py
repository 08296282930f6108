"""A Redis URL means the same to both clients, and no part of it is ignored."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.store_interface import StoreError
from qipai.stores.redis.redis_connection import call, connect
from qipai.stores.redis.redis_store import RedisStore
from tests.support.proxies.tls import Authority, TlsProxy
from tests.support.redis import RedisServer
from tests.support.server import Client
from tests.support.workers import Worker

Connect = Callable[[str], str]
"""Connects to a URL and returns the user and the stored number of the database."""


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        with client.Redis.from_url(server.address) as admin:
            admin.execute_command("ACL", "SETUSER", "ann", "on", ">p/a?s#s", "~*", "&*", "+@all")
            for number in range(4):
                admin.select(number)
                admin.set("qipai:heartbeat", 1000 + number)
        yield server


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def front(redis: RedisServer, authority: Authority) -> Iterator[TlsProxy]:
    with TlsProxy(redis.port, authority) as proxy:
        yield proxy


def by_store(address: str) -> str:
    """Connect as a command does."""
    with closing(RedisStore(address)) as store:
        return f"{store._client.execute_command('ACL', 'WHOAMI').decode()} {store.last_heartbeat()}"


def by_bus(address: str) -> str:
    """Connect as a worker does."""

    async def request() -> str:
        connection = await connect(address, lambda: None)
        try:
            user = await call(connection, "ACL", "WHOAMI")
            number = await call(connection, "GET", "qipai:heartbeat")
            return f"{user.decode()} {number.decode()}"
        finally:
            connection.close()

    return asyncio.run(request())


@pytest.fixture(params=[by_store, by_bus])
def connected(request: pytest.FixtureRequest) -> Connect:
    client: Connect = request.param
    return client


def test_user_and_database_may_be_in_the_path_or_in_the_options(
    redis: RedisServer, connected: Connect
) -> None:
    server, password = f"127.0.0.1:{redis.port}", "p%2Fa%3Fs%23s"
    assert connected(f"redis://{server}") == "default 1000"
    assert connected(f"redis://{server}/2") == "default 1002"
    assert connected(f"redis://{server}?db=3") == "default 1003"
    assert connected(f"redis://ann:{password}@{server}/1") == "ann 1001"
    assert connected(f"redis://{server}/1?username=ann&password={password}") == "ann 1001"
    with pytest.raises(StoreError, match="invalid username-password"):
        connected(f"redis://ann:wrong@{server}")


def test_a_unix_socket_has_a_path(tmp_path: Path, connected: Connect) -> None:
    path = tmp_path / "redis.sock"
    with RedisServer(tmp_path, more={"--unixsocket": str(path)}) as server:
        with client.Redis.from_url(f"{server.address}/2") as admin:
            admin.set("qipai:heartbeat", 7)
        assert connected(f"unix://{path}?db=2") == "default 7"
        with pytest.raises(StoreError):
            connected(f"unix://{tmp_path}/none.sock")
    with pytest.raises(StoreError, match="path of a socket"):
        RedisStore("unix://")


def test_only_a_trusted_certificate_of_the_right_name_is_accepted(
    front: TlsProxy, authority: Authority, connected: Connect
) -> None:
    by_name, by_ip = f"rediss://localhost:{front.port}", f"rediss://127.0.0.1:{front.port}"
    trust = f"ssl_ca_certs={authority.file}"
    assert connected(f"{by_name}/1?{trust}") == "default 1001"
    assert connected(f"{by_name}?ssl_cert_reqs=none") == "default 1000"
    assert connected(f"{by_ip}?{trust}&ssl_check_hostname=false") == "default 1000"
    for refused in (by_name, f"{by_ip}?{trust}", f"{by_name}?ssl_check_hostname=no"):
        with pytest.raises(StoreError, match="certificate"):
            connected(refused)
    with pytest.raises(StoreError):
        connected(f"redis://127.0.0.1:{front.port}")


def test_a_client_certificate_is_sent_to_a_redis_that_requires_one(
    redis: RedisServer, authority: Authority, connected: Connect
) -> None:
    certificate, key = authority.sign("worker")
    with TlsProxy(redis.port, authority, show=True) as strict:
        address = f"rediss://localhost:{strict.port}?ssl_ca_certs={authority.file}"
        assert connected(f"{address}&ssl_certfile={certificate}&ssl_keyfile={key}") == "default 1000"
        with pytest.raises(StoreError):
            connected(address)


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("redis://:hush@h?ssl_ca_certs=x", "ssl_ca_certs: only for a URL that begins with rediss://"),
        ("redis://:hush@h?socket_timeout=3", "unknown option 'socket_timeout'"),
        ("rediss://:hush@h?ssl_ciphers=x", "unknown option 'ssl_ciphers'"),
        ("rediss://:hush@h?ssl_cert_reqs=maybe", "ssl_cert_reqs: expected none, optional, required"),
        ("rediss://:hush@h?ssl_check_hostname=perhaps", "ssl_check_hostname: expected true or false"),
        ("rediss://:hush@h?ssl_keyfile=x", "needs ssl_certfile"),
        ("rediss://:hush@h?ssl_ca_certs=/no/where.pem", "ssl_ca_certs or ssl_ca_path: No such file"),
        ("rediss://:hush@h?ssl_certfile=/no/where.pem", "ssl_certfile or ssl_keyfile: No such file"),
        ("redis://h?db=1&db=2", "twice"),
        ("redis://h/one", "the database is not a number"),
        ("redis://:hush/hush@h:1", "the port is not a number"),
        ("redis://:hush#hush@h:1", "%23"),
    ],
)
def test_an_invalid_url_is_named_without_its_password(address: str, reason: str) -> None:
    with pytest.raises(StoreError, match="invalid Redis URL") as failure:
        RedisStore(address)
    assert reason in str(failure.value)
    assert "hush" not in str(failure.value)


@pytest.mark.slow
def test_workers_play_over_tls(front: TlsProxy, authority: Authority, tmp_path: Path) -> None:
    address = f"rediss://localhost:{front.port}?ssl_ca_certs={authority.file}"
    with Worker(tmp_path / "one", address) as one, Worker(tmp_path / "two", address) as two:
        ann, bob = Client(one.port, name="Ann"), Client(two.port, name="Bob")
        room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
        shown = bob.ask("join", "room", room=room)
        ann.receive_event("game_started")
        mover, other = (ann, bob) if shown["room"]["to_act"] == [0] else (bob, ann)
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="m")
        assert mover.receive_event("marked") == other.receive_event("marked")
        for each in (ann, bob):
            each.close()
        assert one.errors == two.errors == []
