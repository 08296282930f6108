"""Quotas of a person are counted across all workers; the order of intents stays."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest

from qipai.hall.journal.record_format import SayRecord
from qipai.hall.journal.room_rebuilding import read_record
from qipai.hall.people.person_quota import CROWD_WINDOW
from qipai.kernel.ids import RoomId
from qipai.stores.redis.redis_store import RedisStore
from tests.cluster.replicas.test_lost_messages import table
from tests.socketio.older_programs.test_tictactoe_server import Caller, login
from tests.support.redis import RedisServer
from tests.support.server import Client, Message
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow

Cluster = tuple[RedisServer, list[Worker]]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with workers(tmp_path_factory.mktemp("limits")) as (redis, made):
        yield redis, made
        for worker in made:
            assert worker.stop() == 0
            # What is lost while Redis is away is logged.
            assert [line for line in worker.errors if line["event"] != "commit failed"] == []


@pytest.fixture
def house(cluster: Cluster) -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def come(house: ExitStack, worker: Worker, name: str = "", token: str = "") -> Client:
    client = Client(worker.port, name=name, token=token)
    house.callback(client.close)
    return client


def answers(client: Client, type_: str, count: int, **fields: str) -> list[str]:
    """Ask for the same many times at once, and return what each came to."""
    for number in range(count):
        client.send(type_, nonce=f"{type_}{id(client)}-{number}", **fields)
    ends: list[str] = []
    while len(ends) < count:
        message = client.receive_until("events", "unchanged", "refused")
        if message.get("nonce", "").startswith(f"{type_}{id(client)}-"):
            ends.append(message.get("code", "taken"))
    return ends


def lines(redis: RedisServer, room: str) -> list[str]:
    store = RedisStore(redis.address)
    records = [read_record(entry) for entry in store.history(RoomId(room))[1:]]
    store.close()
    return [record.text for record in records if isinstance(record, SayRecord)]


def test_three_connections_to_two_workers_may_say_no_more_than_one(
    cluster: Cluster, house: ExitStack
) -> None:
    redis, (first, second) = cluster
    ann, bob = come(house, first, "Ann"), come(house, second, "Bob")
    room = table(ann, bob)
    others = [come(house, worker, token=ann.token) for worker in (second, first)]
    tables = [room]
    for number, client in enumerate(others):
        shown = client.ask("open", "room", game="gomoku", nonce=f"own{number}")
        tables.append(shown["room"]["id"])
    with ThreadPoolExecutor(3) as pool:
        speaking = [
            pool.submit(answers, one, "say", 8, room=where, text="hi")
            for one, where in zip((ann, *others), tables, strict=True)
        ]
        ends = Counter(end for one in speaking for end in one.result())
    assert ends == {"taken": 5, "rate_limited": 19}
    assert sum(len(lines(redis, where)) for where in tables) == 5
    assert answers(bob, "say", 1, room=room, text="me too") == ["taken"], "nobody else is meant"


def test_what_is_said_and_done_in_one_breath_happens_in_that_order(
    cluster: Cluster, house: ExitStack
) -> None:
    redis, (first, second) = cluster
    ann, bob = come(house, first, "Ann"), come(house, second, "Bob")
    room = table(ann, bob)
    for text in ("one", "two", "three"):
        bob.send("say", room=room, text=text)
    bob.send("resign", room=room, nonce="r")
    bob.send("say", room=room, text="four")
    bob.send("leave", room=room)
    bob.receive_until("left")
    names: list[str] = []
    while names[-1:] != ["seat_left"]:
        names += [
            event.get("line", {}).get("text", event["e"]) for event in ann.receive_until("events")["events"]
        ]
    kept = [each for each in names if each in {"one", "two", "three", "game_over", "four", "seat_left"}]
    assert kept == ["one", "two", "three", "game_over", "four", "seat_left"]
    assert lines(redis, room) == ["one", "two", "three", "four"]


def test_a_chat_quota_used_up_on_one_worker_applies_to_the_lobby_chat_of_another(
    cluster: Cluster, house: ExitStack
) -> None:
    _, (first, second) = cluster
    cookie = login(first, "Ann")
    anns = [Caller(worker, cookie) for worker in (first, second, second)]
    bob = Caller(second, login(second, "Bob"))
    for caller in (*anns, bob):
        house.callback(caller.close)
    for number in range(12):
        anns[number % 3].emit("chat message", f"line {number}")
    for _ in range(5):
        anns[1].until("chat message")
    # Lines beyond the limit are dropped in silence. Bob has the same address, with half of all lines.
    time.sleep(CROWD_WINDOW / 1000)
    bob.emit("chat message", "enough?")
    chat_lines: list[str] = []
    while "enough?" not in str(chat_lines[-1:]):
        chat_lines.append(json.dumps(bob.until("chat message"), ensure_ascii=False))
    assert len(chat_lines) == 5 + 1


def test_reports_are_counted_over_all_workers(cluster: Cluster, house: ExitStack) -> None:
    _, (first, second) = cluster
    ann, bob = come(house, first, "Ann"), come(house, second, "Bob")
    room = table(ann, bob)
    again = come(house, second, token=ann.token)
    watched = bob.ask("open", "room", game="gomoku", nonce="w")["room"]["id"]
    again.ask("watch", "room", room=watched)
    ends = answers(ann, "report", 3, room=room, text="rude")
    ends += answers(again, "report", 3, room=watched, text="rude")
    assert ends == ["taken"] * 5 + ["rate_limited"]


def test_while_redis_is_away_a_line_is_refused_soon_and_said_again_when_it_is_back(
    cluster: Cluster, house: ExitStack
) -> None:
    redis, (first, second) = cluster
    ann, bob = come(house, first, "Ann"), come(house, second, "Bob")
    room = table(ann, bob)
    redis.pause()
    for number in range(3):
        ann.send("say", room=room, text=f"lost {number}", nonce=f"lost{number}")
    ann.send("ping", n=7)
    replies: list[Message] = [ann.receive_until("refused", "events", "pong") for _ in range(4)]
    refused = [(one["nonce"], one["code"]) for one in replies if one["type"] == "refused"]
    assert refused == [(f"lost{number}", "unavailable") for number in range(3)]
    redis.unpause()
    until = time.monotonic() + 60
    while answers(ann, "say", 1, room=room, text="again") != ["taken"]:
        assert time.monotonic() < until
        time.sleep(0.3)
    while bob.receive_event("said")["line"]["text"] != "again":
        pass
