"""Recovery from lost messages: heartbeats, disconnects, refused records, whole rooms."""

import signal
import time
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.record_format import OutageEndedRecord, TimeUpRecord
from qipai.hall.journal.room_rebuilding import read_record
from qipai.kernel.ids import RoomId
from qipai.stores.redis.redis_store import RedisStore
from tests.support.proxies.faulty_redis_proxy import FaultyRedisProxy
from tests.support.redis import RedisServer
from tests.support.server import Client
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow


def table(ann: Client, bob: Client) -> str:
    room: str = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
    bob.ask("join", "room", room=room)
    ann.receive_event("game_started")
    return room


def event_names(listener: Client, seconds: float) -> list[str]:
    """Return the names of all events that arrive in this time."""
    until, names = time.monotonic() + seconds, []
    while (left := until - time.monotonic()) > 0:
        try:
            message = listener.receive(left)
        except TimeoutError:
            break
        names += [event["e"] for event in message.get("events", ())]
    return names


def test_who_is_at_a_worker_that_stood_still_is_not_away_afterwards(tmp_path: Path) -> None:
    with workers(tmp_path) as (_, (first, second)):
        ann, bob = Client(first.port, name="Ann"), Client(second.port, name="Bob")
        table(ann, bob)
        first.signal(signal.SIGSTOP)
        time.sleep(4.5)
        first.signal(signal.SIGCONT)
        assert event_names(bob, 6) == []
        ann.close()
        bob.close()


def test_who_leaves_while_redis_is_away_is_missed_when_it_is_back(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (first, second)):
        ann, bob = Client(first.port, name="Ann"), Client(second.port, name="Bob")
        table(ann, bob)
        redis.pause()
        ann.close()
        time.sleep(6.5)
        redis.unpause()
        bob.receive_event("disconnected")
        bob.close()


@pytest.mark.parametrize("crew", [1, 2])
def test_no_clock_runs_while_redis_is_out_of_reach(tmp_path: Path, crew: int) -> None:
    with workers(tmp_path, crew) as (redis, running):
        ann, bob = Client(running[0].port, name="Ann"), Client(running[-1].port, name="Bob")
        clock = {"clock": {"main": [14_000], "increment": 0}}
        room = ann.ask("open", "room", game="tictactoe", nonce="1", table=clock)["room"]["id"]
        to_act = bob.ask("join", "room", room=room)["room"]["to_act"][0]
        mover = (ann, bob)[to_act]
        redis.pause()
        time.sleep(5)
        mover.send("play", room=room, move={"do": "mark", "cell": 0}, nonce="early")
        time.sleep(6)
        redis.unpause()
        for person in (ann, bob):
            person.receive_event("outage_ended")
        left = mover.ask("watch", "room", room=room)["room"]["clock"]["left"]
        assert left[to_act] > 5_000, "eleven seconds would leave three"
        mover.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="late")
        (ann, bob)[1 - to_act].receive_event("marked")
        # It runs again: the seat to act loses the rest of the fourteen seconds, and not more.
        over = mover.receive_event("game_over")
        assert over["reason"] == "time"
        store = RedisStore(redis.address)
        records = [read_record(entry) for entry in store.history(RoomId(room))]
        store.close()
        assert [type(record) for record in records].count(OutageEndedRecord) == 1
        ann.close()
        bob.close()


def test_a_bot_and_a_clock_go_on_when_redis_takes_records_again(tmp_path: Path) -> None:
    # The bot waits for so long that Redis refuses its move whatever the machine does.
    with workers(tmp_path, 1, config="bot_pause = 3000\n") as (redis, (only,)):
        ann = Client(only.port, name="Ann")
        room = ann.ask("open", "room", game="tictactoe", nonce="1", bot="perfect")["room"]["id"]
        shown = ann.ask("watch", "room", room=room)["room"]
        raw = client.Redis.from_url(redis.address)
        if shown["to_act"] == [0]:
            free = shown["position"]["board"].index(".")
            ann.send("play", room=room, move={"do": "mark", "cell": free}, nonce="m")
            ann.receive_event("marked")
        raw.config_set("maxmemory", "1")
        assert "marked" not in event_names(ann, 4.5)
        raw.config_set("maxmemory", "0")
        raw.close()
        assert ann.receive_event("marked")["seat"] == 1
        ann.close()


def test_a_table_that_redis_has_lost_is_closed_everywhere(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (first, second)):
        ann, bob = Client(first.port, name="Ann"), Client(second.port, name="Bob")
        room = table(ann, bob)
        redis.kill()
        redis.start()  # It has kept nothing.
        for person in (ann, bob):
            while person.receive_until("room")["room"]["phase"] != "closed":
                pass
        assert bob.ask("watch", "refused", room=room)["code"] == "no_such_room"
        assert ann.ask("open", "room", game="tictactoe", nonce="2")["room"]["phase"] == "waiting"
        ann.close()
        bob.close()


def test_a_table_that_a_worker_has_by_name_only_is_looked_after_all_the_same(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (first, _)):
        raw = client.Redis.from_url(redis.address, decode_responses=True)
        ann, bob = Client(first.port, name="Ann"), Client(first.port, name="Bob")
        clock = {"clock": {"main": [7_000], "increment": 0}, "disconnect_timeout": 0}
        room = ann.ask("open", "room", game="tictactoe", nonce="1", table=clock)["room"]["id"]
        bob.ask("join", "room", room=room)
        (owner,) = raw.smembers(f"qipai:subscribers:{room}")
        until = time.monotonic() + 60
        while not (others := [str(name) for name in raw.hkeys("qipai:addresses") if name != owner]):
            assert time.monotonic() < until
            time.sleep(0.1)  # It stood still for a while, on a busy machine.
        other = others[0]
        # As if Redis had lost that the second worker let go of it.
        raw.sadd(f"qipai:subscribers:{room}", other)
        raw.sadd(f"qipai:subscriptions:{other}", room)
        first.kill()
        until = time.monotonic() + 60
        store = RedisStore(redis.address)
        while not any(isinstance(read_record(entry), TimeUpRecord) for entry in store.history(RoomId(room))):
            assert time.monotonic() < until, "its clock stands still"
            time.sleep(0.2)
        store.close()
        raw.close()
        ann.close()
        bob.close()


def test_scripts_that_redis_forgets_are_loaded_again(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (first, second)):
        raw = client.Redis.from_url(redis.address)
        ann, bob = Client(first.port, name="Ann"), Client(second.port, name="Bob")
        room = table(ann, bob)
        mover = (ann, bob)[bob.ask("watch", "room", room=room)["room"]["to_act"][0]]
        raw.script_flush()
        play = {"room": room, "move": {"do": "mark", "cell": 4}, "nonce": "m"}
        until = time.monotonic() + 60
        while (played := mover.ask("play", "events", "refused", **play))["type"] == "refused":
            assert played["code"] == "unavailable"
            assert time.monotonic() < until
            time.sleep(0.2)
        assert [event["e"] for event in played["events"]] == ["marked"]
        raw.close()
        ann.close()
        bob.close()


def test_a_worker_that_missed_a_move_shows_no_client_an_earlier_version(tmp_path: Path) -> None:
    with RedisServer(tmp_path) as redis, FaultyRedisProxy(redis.port) as between:
        near, far = Worker(tmp_path / "near", redis.address), Worker(tmp_path / "far", between.address)
        with near, far:
            ann, bob = Client(near.port, name="Ann"), Client(far.port, name="Bob")
            room = table(ann, bob)
            if bob.ask("watch", "room", room=room)["room"]["to_act"] == [1]:
                bob.send("play", room=room, move={"do": "mark", "cell": 0}, nonce="b")
                ann.receive_event("marked")
            between.drop = 1.0  # Bob's worker hears of no move until it asks.
            ann.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="a")
            notice = ann.receive_until("events")
            again = Client(far.port, token=ann.token)
            answer = again.ask("resume", "room", "unchanged", room=room, version=notice["version"])
            assert answer["version"] >= notice["version"]
            between.drop = 0.0
            for person in (ann, bob, again):
                person.close()


@pytest.mark.parametrize("reloaded", [False, True])
def test_a_move_that_follows_a_return_at_once_is_taken_at_the_table_it_returns_to(
    tmp_path: Path, reloaded: bool
) -> None:
    with workers(tmp_path) as (_, (first, second)):
        ann, bob = Client(first.port, name="Ann"), Client(first.port, name="Bob")
        room = table(ann, bob)
        shown = bob.ask("watch", "room", room=room)
        mover = (ann, bob)[shown["room"]["to_act"][0]]
        first.kill()
        # As the page does with a move that was made during the cut: without waiting for any answer.
        again = Client(second.port, token=mover.token)
        if reloaded:
            again.send("watch", room=room)
        else:
            again.send("resume", room=room, version=shown["version"])
        again.send("play", room=room, move={"do": "mark", "cell": 4}, nonce="kept")
        notice = again.receive_until("events", "refused")
        while notice["type"] == "events" and notice.get("nonce") != "kept":
            notice = again.receive_until("events", "refused")
        assert notice["type"] == "events"
        for person in (ann, bob, again):
            person.close()
