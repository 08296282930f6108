"""`qipai serve --workers N`: one port, several processes, begun again when they die."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import WebSocketException

from tests.cluster.test_shared_rooms import insist
from tests.support.redis import RedisServer
from tests.support.server import Client, ServerProcess

pytestmark = pytest.mark.slow


class Crew(ServerProcess):
    """`qipai serve --workers 2`."""

    arguments = ("-m", "qipai", "serve", "--workers", "2")


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    with RedisServer(tmp_path) as redis:
        made = Crew(tmp_path / "data")
        made.environment = {"QIPAI_STORE": redis.address}
        with made:
            assert wait_for(lambda: made.log.read_text().count('"serving"') == 2)
            yield made


def wait_for(true: object, seconds: float = 60) -> bool:
    assert callable(true)
    until = time.monotonic() + seconds
    while not true():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def children(crew: Crew) -> list[int]:
    assert crew.process is not None
    pid = crew.process.pid
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(word) for word in text.split()]


def come_back(port: int, token: str) -> Client:
    """Connect as clients do: again if it does not succeed, for instance because it came to a dying worker."""
    until = time.monotonic() + 60
    while True:
        try:
            return Client(port, token=token)
        except (OSError, WebSocketException):
            assert time.monotonic() < until
            time.sleep(0.05)


def resumed(crew: Crew, people: list[Client], room: str, version: int) -> list[Client]:
    """Return these people as they are back at their table, by new connections."""
    again = []
    for client in people:
        again.append(fresh := come_back(crew.port, client.token))
        fresh.send("resume", room=room, version=version)
        fresh.receive_until("unchanged", "events", "room")
    return again


def test_a_game_goes_on_when_the_worker_of_one_player_is_killed(crew: Crew) -> None:
    ann, bob = Client(crew.port, name="Ann"), Client(crew.port, name="Bob")
    room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
    seen = bob.ask("join", "room", room=room)
    began = time.monotonic()
    first = resumed(crew, [ann, bob], room, seen["version"])
    usual = time.monotonic() - began
    assert len(children(crew)) == 2
    killed = children(crew)[0]
    os.kill(killed, signal.SIGKILL)
    fell = time.monotonic()
    again = resumed(crew, [ann, bob], room, seen["version"])
    assert time.monotonic() - fell < 2 + 10 * usual
    mover, other = again if seen["room"]["to_act"] == [0] else again[::-1]
    mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="x")
    assert mover.receive_event("marked") == other.receive_event("marked")
    assert wait_for(lambda: len(children(crew)) == 2 and killed not in children(crew))
    for client in (ann, bob, *first, *again):
        client.close()


def test_all_stop_together_and_clients_are_told_to_come_back(crew: Crew) -> None:
    ann = Client(crew.port, name="Ann")
    workers = children(crew)
    assert crew.stop() == 0
    with pytest.raises(Exception, match="4503"):
        ann.receive_until("never")
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert crew.errors == []


def test_workers_end_with_their_supervisor(crew: Crew) -> None:
    workers = children(crew)
    crew.kill()
    assert wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))


def test_a_worker_that_dies_while_redis_is_away_does_not_take_the_others_along(tmp_path: Path) -> None:
    with RedisServer(tmp_path, keep=True) as redis:
        crew = Crew(tmp_path / "data")
        crew.environment = {"QIPAI_STORE": redis.address}
        with crew:
            assert wait_for(lambda: crew.log.read_text().count('"serving"') == 2)
            redis.kill()
            killed, spared = children(crew)
            os.kill(killed, signal.SIGKILL)
            # The killed one, and at least one that found no Redis when it began.
            assert wait_for(lambda: crew.log.read_text().count('"worker ended"') >= 2)
            redis.start()
            assert wait_for(lambda: crew.log.read_text().count('"serving"') == 3)
            assert spared in children(crew)
            ann = Client(crew.port, name="Ann")
            assert insist(ann, "tictactoe", "1")
            ann.close()


def test_several_workers_need_a_store_they_can_share(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "qipai", "serve", "--workers", "2"]
    environment = os.environ | {"QIPAI_DATA": str(tmp_path), "PORT": "0"}
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert ended.returncode == 2
    assert "--workers" in ended.stderr
    environment["QIPAI_STORE"] = "redis://127.0.0.1:1"
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60, check=False)
    assert ended.returncode == 2
    assert "Redis" in ended.stderr
