"""Socket.IO sessions on two workers: a request that comes to the wrong one is answered by the right one."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from qipai.server.listen_addresses import route_address
from tests.socketio.raw_engineio import PATH, SEPARATOR, Polling, WebSocket, request
from tests.socketio.raw_socketio import connect, emit
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    with workers(tmp_path_factory.mktemp("sessions")) as (_, made):
        yield made[0].port, made[1].port
        quiet(*made)


def quiet(*crew: Worker) -> None:
    """Nothing has gone wrong that a worker would have to speak of."""
    for worker in crew:
        assert worker.stop() == 0
        assert worker.errors == []


def search(line: Polling | WebSocket, code: str) -> None:
    """Search for a room that does not exist, and receive the answer."""
    emit(line, "search-room", {"roomId": code})
    assert str(line.receive()).startswith('42["search-result",{"found":false}')


def test_polls_and_posts_are_answered_wherever_they_arrive(ports: tuple[int, int]) -> None:
    line = Polling(ports[0])
    line.port = ports[1]
    assert set(connect(line)) == {"sid", "pid"}
    search(line, "12")
    with ThreadPoolExecutor(1) as pool:
        # A poll that waits at one worker gets what a post by the other brings about.
        waiting = pool.submit(request, ports[1], sid=line.sid)
        line.port = ports[0]
        emit(line, "search-room", {"roomId": "34"})
        response = waiting.result(60)
    assert response.body.startswith('42["search-result"')
    assert len(response.headers.get_all("content-security-policy", [])) == 1
    line.port = ports[1]
    big = SEPARATOR.join(["42" + json.dumps(["search-room", {"roomId": "9" * 4_000}])] * 20)
    assert request(line.port, "POST", big, sid=line.sid).body == "ok"
    assert [str(line.receive())[:19] for _ in range(20)] == ['42["search-result",'] * 20
    assert request(line.port, "POST", "x" * 200_000, sid=line.sid).status == 413
    assert request(ports[0], sid=line.sid).json == {"code": 1, "message": "Session ID unknown"}


def test_a_forwarded_request_is_judged_as_it_was_sent(ports: tuple[int, int]) -> None:
    line = Polling(ports[0])
    ours = {"Origin": f"http://127.0.0.1:{ports[1]}"}
    assert request(ports[1], "POST", "40", ours, sid=line.sid).body == "ok"
    assert request(ports[1], "POST", "40", {"Origin": "http://evil.example"}, sid=line.sid).status == 403


@pytest.mark.parametrize("sid", ["0badc0de~x", "~", "x~", "0badc0de" * 40 + "~", "no worker at all", "é~é"])
def test_a_session_of_nobody_is_unknown_everywhere(ports: tuple[int, int], sid: str) -> None:
    for port in ports:
        for method in ("GET", "POST"):
            response = request(port, method, "40" if method == "POST" else None, sid=sid)
            assert (response.status, response.json["code"]) == (400, 1)


@pytest.mark.parametrize(
    "store", ["redis://127.0.0.1:1", "redis://:word@127.0.0.1", "unix:///run/redis.sock"]
)
def test_a_worker_is_reached_where_it_talks_to_redis_from(store: str) -> None:
    assert route_address(store) == "127.0.0.1"


def test_a_websocket_takes_over_a_session_of_another_worker(ports: tuple[int, int]) -> None:
    line = Polling(ports[0])
    connect(line)
    probe = WebSocket(ports[1], line.sid)
    probe.send("5")
    for number in range(50):
        search(probe, f"{number}")
    emit(probe, "search-room", {"roomId": "9" * 50_000})
    assert str(probe.receive()).startswith('42["search-result"')
    assert request(ports[1], sid=line.sid).status == 400
    probe.close()


def test_who_hangs_up_on_one_worker_is_gone_at_the_other(ports: tuple[int, int]) -> None:
    line = Polling(ports[0])
    connect(line)
    with socket.create_connection(("127.0.0.1", ports[1])) as raw:
        raw.sendall(f"GET {PATH}?EIO=4&transport=polling&sid={line.sid} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        raw.settimeout(0.3)
        with pytest.raises(TimeoutError):
            raw.recv(1)
    response = request(ports[0], sid=line.sid, seconds=60)
    while response.status == 200:
        response = request(ports[0], sid=line.sid, seconds=60)
    assert response.json["code"] in {1, 3}
