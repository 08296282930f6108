"""What one peer may ask of the server, and what happens beyond it."""

import json

from qipai.hall.connections.rate_limit import SlidingWindow
from qipai.kernel.ids import Millis, Person
from tests.support.stage import Peer, Stage


def test_fifty_frames_a_second_are_heard_and_no_more(stage: Stage) -> None:
    ann = stage.peer("Ann")
    stage.wait(1)
    for number in range(80):
        ann.send("ping", n=number)
    heard = ann.heard()
    assert [message["type"] for message in heard].count("pong") == 50
    assert [message.get("code") for message in heard if message["type"] == "refused"] == ["rate_limited"]
    stage.wait(1)
    assert ann.ask("ping", n=1)[0]["type"] == "pong"


def test_after_a_burst_frames_are_heard_as_fast_as_they_are_allowed(stage: Stage) -> None:
    ann = stage.peer("Ann")
    stage.wait(2)
    for _ in range(60):
        ann.send("ping")
    ann.heard()
    for _ in range(3):
        stage.wait(0.1)
        for _ in range(20):
            ann.send("ping")
        assert [message["type"] for message in ann.heard()].count("pong") == 5


def test_a_steady_trickle_beyond_the_limit_is_warned_once_a_second_and_never_closed(stage: Stage) -> None:
    ann = stage.peer("Ann")
    stage.wait(1)
    heard = []
    for _ in range(300):
        for _ in range(6):
            ann.send("ping")
        heard += ann.heard()
        stage.wait(0.1)
    warned = [message for message in heard if message["type"] == "refused"]
    assert 15 <= len(warned) <= 31
    assert ann.wire.closed is None


def test_sockets_of_the_old_clients_have_a_larger_burst_and_lose_the_rest_in_silence(stage: Stage) -> None:
    ann = stage.caller("Ann")
    for _ in range(2000):
        ann.send("make_move", {"row": 0, "col": 0})
    assert ann.heard() == [["move_rejected", {"reason": "not_playing"}]] * 100
    assert ann.wire.closed is None
    assert not ann.wire.aborted
    stage.wait(1)
    for _ in range(200):
        ann.send("make_move", {"row": 0, "col": 0})
    assert len(ann.heard()) == 50


def test_chat_is_limited_for_a_person_and_not_for_each_of_his_sockets(stage: Stage) -> None:
    tabs = [stage.caller("Ann") for _ in range(3)]
    bob = stage.caller("Bob")
    for number in range(12):
        tabs[number % 3].send("chat message", str(number))
    assert len(bob.heard()) == 5
    assert len(bob.ask("chat message", "mine")) == 1
    stage.wait(10)
    tabs[0].send("chat message", "again")
    assert len(bob.heard()) == 1


def test_who_has_been_silent_is_forgotten() -> None:
    lines = SlidingWindow()
    for second in range(1000):
        assert lines.allow(Person(f"p{second}"), Millis(second * 1000))
    assert len(lines) == 10
    assert [lines.allow(Person("p999"), Millis(999_000)) for _ in range(6)] == [True] * 4 + [False] * 2


def test_a_flood_ends_the_connection(stage: Stage) -> None:
    ann = stage.peer("Ann")
    for _ in range(600):
        ann.send("ping")
    stage.settle()
    assert ann.wire.closed == 4429
    assert len(ann.wire.frames) < 60


def test_malformed_frames_are_answered_and_then_end_the_connection(stage: Stage) -> None:
    ann = stage.peer("Ann")
    bad = [
        b"",
        b"nonsense",
        b"null",
        b"[]",
        b'{"type":"dance"}',
        b'{"type":"play"}',
        b"\xff\xfe",
        b"{" * 5000,
    ]
    for frame in bad:
        ann.raw(frame)
        (answer,) = ann.heard()
        assert answer["code"] == "malformed", frame
    for _ in range(12):
        ann.raw(b"again")
    ann.heard()
    assert ann.wire.closed == 4400


def test_frames_beyond_the_size_limit_are_malformed(stage: Stage) -> None:
    ann = stage.peer("Ann")
    ann.raw(json.dumps({"type": "ping", "n": 1, "x": "y" * 20_000}).encode())
    assert ann.heard()[0]["code"] == "malformed"


def test_huge_numbers_are_malformed(stage: Stage) -> None:
    ann = stage.peer("Ann")
    for frame in (b'{"type":"ping","n":1e400}', b'{"type":"ping","n":' + b"9" * 4000 + b"}"):
        ann.raw(frame)
        assert ann.heard()[0]["code"] == "malformed"


def test_a_reader_that_never_reads_is_dropped_and_others_do_not_notice(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    room = shown["room"]["id"]
    slow = stage.peer("Slow")
    slow.ask("watch", room=room)
    slow.connection.outbox.pause()
    sent = len(slow.wire.frames)
    for number in range(3000):
        ann.ask("say", room=room, text=str(number) * 50)
        stage.wait(2.1)
        if slow.wire.aborted:
            break
    assert slow.wire.aborted
    assert sum(map(len, slow.wire.frames[sent:])) <= 256 * 1024
    assert not bob.wire.aborted
    assert not ann.wire.aborted


def test_a_reader_that_catches_up_is_kept(stage: Stage) -> None:
    peer = Peer(stage)
    peer.connection.outbox.pause()
    peer.connection.outbox.send(b"x" * 200_000)
    peer.connection.outbox.resume()
    peer.connection.outbox.pause()
    peer.connection.outbox.send(b"x" * 200_000)
    assert not peer.wire.aborted
    assert len(peer.wire.frames) == 2
