"""Another Redis behind the same address, and records of another release: what the page for operators says."""

import json
from contextlib import closing
from pathlib import Path

import pytest
import redis as client

from qipai.hall.journal.store_interface import Entry
from qipai.kernel.ids import RoomId
from qipai.stores.redis.redis_store import RedisStore
from tests.cluster.operations.test_health_and_metrics import AWAY, READY, ask, soon
from tests.support.proxies.cuttable_proxy import CuttableProxy
from tests.support.redis import RedisServer
from tests.support.server import Client, Message
from tests.support.workers import Worker, workers

pytestmark = pytest.mark.slow


def mark(ann: Client, bob: Client, room: str, cell: int, to_act: int) -> None:
    """Make a move for the seat to act; both players receive it.

    A worker that has not noticed yet that its connection is lost refuses the move as unavailable: it is sent
    again then, which its nonce makes safe.
    """
    mover, other = (ann, bob) if to_act == 0 else (bob, ann)
    move = {"room": room, "move": {"do": "mark", "cell": cell}, "nonce": f"n{cell}"}
    mover.send("play", **move)
    while (answer := mover.receive_until("events", "refused"))["type"] == "refused" or not marked(answer):
        if answer["type"] == "refused":
            assert answer["code"] == "unavailable"
            mover.send("play", **move)
    assert marked(answer) == other.receive_event("marked")


def marked(message: Message) -> Message | None:
    """Return the event of a move, if the message has one."""
    return next((event for event in message["events"] if event["e"] == "marked"), None)


def test_a_game_goes_on_when_the_address_leads_to_a_replica_that_took_over(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
    with RedisServer(tmp_path / "first") as first, RedisServer(tmp_path / "second") as second:
        old, new = client.Redis.from_url(first.address), client.Redis.from_url(second.address)
        new.replicaof("127.0.0.1", first.port)
        soon(lambda: new.info("replication")["master_link_status"] == "up")
        with CuttableProxy(first.port) as way:
            address = f"redis://127.0.0.1:{way.port}"
            with Worker(tmp_path / "one", address) as one, Worker(tmp_path / "two", address) as two:
                ann, bob = Client(one.port, name="Ann"), Client(two.port, name="Bob")
                room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
                begins = bob.ask("join", "room", room=room)["room"]["to_act"][0]
                mark(ann, bob, room, 4, begins)
                offset = old.info("replication")["master_repl_offset"]
                soon(lambda: new.info("replication")["slave_repl_offset"] >= offset)
                new.replicaof("NO", "ONE")
                old.replicaof("127.0.0.1", second.port)
                for server, replica in ((first, True), (second, False)):
                    with closing(RedisStore(server.address)) as looked:
                        assert any("replica" in worry for worry in looked.warnings()) is replica
                # A client connected to the old primary, now a replica, cannot write.
                soon(lambda: ask(one, "/ready") == AWAY)
                way.target = second.port
                way.cut()
                soon(lambda: ask(one, "/ready") == ask(two, "/ready") == READY)
                first.kill()
                mark(ann, bob, room, 0, 1 - begins)
                for each in (ann, bob):
                    each.close()
        old.close()
        new.close()


def test_a_record_that_a_worker_does_not_know_concerns_its_own_table_only(tmp_path: Path) -> None:
    with workers(tmp_path) as (redis, (one, two)):
        ann, bob = Client(one.port, name="Ann"), Client(two.port, name="Bob")
        rooms, begins = [], []
        for number in range(2):
            rooms.append(ann.ask("open", "room", game="tictactoe", nonce=f"{number}")["room"]["id"])
            begins.append(bob.ask("join", "room", room=rooms[-1])["room"]["to_act"][0])
        store = RedisStore(redis.address, "later")
        last = store.history(RoomId(rooms[0]))[-1]
        body = json.loads(last.body)
        body["do"] = "levitate"
        store.append([Entry(last.room, last.version + 1, last.at, json.dumps(body).encode())], [])
        soon(lambda: any(error["event"] == "commit failed" for error in one.errors))
        for client_ in (ann, bob):
            client_.send("say", room=rooms[0], text="anybody?", nonce="s")
            while (answer := client_.receive_until("refused", "events")).get("nonce") != "s":
                pass
            assert (answer["type"], answer["code"]) == ("refused", "unavailable")
        mark(ann, bob, rooms[1], 4, begins[1])
        assert ask(one, "/ready") == ask(two, "/ready") == READY
        store.close()
        for each in (ann, bob):
            each.close()
