"""An address of Redis means the same to both clients, and no word of it is ignored."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.store_interface import StoreError
from qipai.stores.redis.redis_connection import answer, connect
from qipai.stores.redis.redis_store import RedisStore
from tests.support.redis import RedisServer
from tests.support.server import Client
from tests.support.tls import Authority, Front
from tests.support.workers import Worker

Knock = Callable[[str], str]


@pytest.fixture(scope="module")
def redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("redis")) as server:
        with client.Redis.from_url(server.address) as admin:
            admin.execute_command("ACL", "SETUSER", "ann", "on", ">p/a?s#s", "~*", "&*", "+@all")
            for number in range(4):
                admin.select(number)
                admin.set("qipai:beat", 1000 + number)
        yield server


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def front(redis: RedisServer, authority: Authority) -> Iterator[Front]:
    with Front(redis.port, authority) as made:
        yield made


def by_store(address: str) -> str:
    """Ask as tools do; return who we are and where."""
    with closing(RedisStore(address)) as store:
        return f"{store._client.execute_command('ACL', 'WHOAMI').decode()} {store.last_heartbeat()}"


def by_line(address: str) -> str:
    """Ask as workers do."""

    async def ask() -> str:
        line = await connect(address, lambda: None)
        try:
            who, beat = await answer(line, "ACL", "WHOAMI"), await answer(line, "GET", "qipai:beat")
            return f"{who.decode()} {beat.decode()}"
        finally:
            line.close()

    return asyncio.run(ask())


@pytest.fixture(params=[by_store, by_line])
def knock(request: pytest.FixtureRequest) -> Knock:
    found: Knock = request.param
    return found


def test_who_and_which_database_may_stand_before_or_after(redis: RedisServer, knock: Knock) -> None:
    where, word = f"127.0.0.1:{redis.port}", "p%2Fa%3Fs%23s"
    assert knock(f"redis://{where}") == "default 1000"
    assert knock(f"redis://{where}/2") == "default 1002"
    assert knock(f"redis://{where}?db=3") == "default 1003"
    assert knock(f"redis://ann:{word}@{where}/1") == "ann 1001"
    assert knock(f"redis://{where}/1?username=ann&password={word}") == "ann 1001"
    with pytest.raises(StoreError, match="invalid username-password"):
        knock(f"redis://ann:wrong@{where}")


def test_a_socket_of_the_machine_has_a_path(tmp_path: Path, knock: Knock) -> None:
    door = tmp_path / "redis.sock"
    with RedisServer(tmp_path, more={"--unixsocket": str(door)}) as server:
        with client.Redis.from_url(f"{server.address}/2") as admin:
            admin.set("qipai:beat", 7)
        assert knock(f"unix://{door}?db=2") == "default 7"
        with pytest.raises(StoreError):
            knock(f"unix://{tmp_path}/none.sock")
    with pytest.raises(StoreError, match="path of a socket"):
        RedisStore("unix://")


def test_only_a_certificate_that_we_believe_and_of_the_right_name_is_taken(
    front: Front, authority: Authority, knock: Knock
) -> None:
    named, numbered = f"rediss://localhost:{front.port}", f"rediss://127.0.0.1:{front.port}"
    believe = f"ssl_ca_certs={authority.file}"
    assert knock(f"{named}/1?{believe}") == "default 1001"
    assert knock(f"{named}?ssl_cert_reqs=none") == "default 1000"
    assert knock(f"{numbered}?{believe}&ssl_check_hostname=false") == "default 1000"
    for refused in (named, f"{numbered}?{believe}", f"{named}?ssl_check_hostname=no"):
        with pytest.raises(StoreError, match="certificate"):
            knock(refused)
    with pytest.raises(StoreError):
        knock(f"redis://127.0.0.1:{front.port}")


def test_a_redis_that_wants_our_certificate_is_shown_it(
    redis: RedisServer, authority: Authority, knock: Knock
) -> None:
    certificate, key = authority.sign("worker")
    with Front(redis.port, authority, show=True) as strict:
        address = f"rediss://localhost:{strict.port}?ssl_ca_certs={authority.file}"
        assert knock(f"{address}&ssl_certfile={certificate}&ssl_keyfile={key}") == "default 1000"
        with pytest.raises(StoreError):
            knock(address)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("redis://:hush@h?ssl_ca_certs=x", "ssl_ca_certs: is for an address that begins with rediss://"),
        ("redis://:hush@h?socket_timeout=3", "nothing is called 'socket_timeout'"),
        ("rediss://:hush@h?ssl_ciphers=x", "nothing is called 'ssl_ciphers'"),
        ("rediss://:hush@h?ssl_cert_reqs=maybe", "ssl_cert_reqs: expected none, optional, required"),
        ("rediss://:hush@h?ssl_check_hostname=perhaps", "ssl_check_hostname: expected true or false"),
        ("rediss://:hush@h?ssl_keyfile=x", "needs an ssl_certfile"),
        ("rediss://:hush@h?ssl_ca_certs=/no/where.pem", "ssl_ca_certs or ssl_ca_path: No such file"),
        ("rediss://:hush@h?ssl_certfile=/no/where.pem", "ssl_certfile or ssl_keyfile: No such file"),
        ("redis://h?db=1&db=2", "twice"),
        ("redis://h/one", "the database is no number"),
        ("redis://:hush/hush@h:1", "the port is no number"),
        ("redis://:hush#hush@h:1", "%23"),
    ],
)
def test_what_is_wrong_with_an_address_is_told_without_its_password(address: str, told: str) -> None:
    with pytest.raises(StoreError, match="cannot be read") as failure:
        RedisStore(address)
    assert told in str(failure.value)
    assert "hush" not in str(failure.value)


@pytest.mark.slow
def test_workers_play_over_tls(front: Front, authority: Authority, tmp_path: Path) -> None:
    address = f"rediss://localhost:{front.port}?ssl_ca_certs={authority.file}"
    with Worker(tmp_path / "one", address) as one, Worker(tmp_path / "two", address) as two:
        ann, bob = Client(one.port, name="Ann"), Client(two.port, name="Bob")
        room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
        shown = bob.ask("join", "room", room=room)
        ann.event("dealt")
        mover, other = (ann, bob) if shown["room"]["to_act"] == [0] else (bob, ann)
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="m")
        assert mover.event("marked") == other.event("marked")
        for each in (ann, bob):
            each.close()
        assert one.errors == two.errors == []
