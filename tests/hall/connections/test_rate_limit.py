"""Rate limits of one connection, and what happens above them."""

import json

from qipai.hall.people.person_quota import SlidingWindow
from qipai.kernel.ids import Millis, Person
from tests.support.hall_simulation import HallSimulation, NativeClient


def test_fifty_frames_a_second_are_handled_and_no_more(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    simulation.wait(1)
    for number in range(80):
        ann.send("ping", n=number)
    received = ann.received()
    assert [message["type"] for message in received].count("pong") == 50
    assert [message.get("code") for message in received if message["type"] == "refused"] == ["rate_limited"]
    simulation.wait(1)
    assert ann.ask("ping", n=1)[0]["type"] == "pong"


def test_after_a_burst_frames_are_handled_at_the_allowed_rate(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    simulation.wait(2)
    for _ in range(60):
        ann.send("ping")
    ann.received()
    for _ in range(3):
        simulation.wait(0.1)
        for _ in range(20):
            ann.send("ping")
        assert [message["type"] for message in ann.received()].count("pong") == 5


def test_a_steady_rate_just_above_the_limit_is_warned_once_a_second_and_never_closed(
    simulation: HallSimulation,
) -> None:
    ann = simulation.native_client("Ann")
    simulation.wait(1)
    received = []
    for _ in range(300):
        for _ in range(6):
            ann.send("ping")
        received += ann.received()
        simulation.wait(0.1)
    warned = [message for message in received if message["type"] == "refused"]
    assert 15 <= len(warned) <= 31
    assert ann.transport.closed is None


def test_sockets_of_older_clients_have_a_larger_burst_and_further_frames_are_dropped(
    simulation: HallSimulation,
) -> None:
    ann = simulation.socketio_client("Ann")
    for _ in range(2000):
        ann.send("make_move", {"row": 0, "col": 0})
    assert ann.received() == [["move_rejected", {"reason": "not_playing"}]] * 100
    assert ann.transport.closed is None
    assert not ann.transport.aborted
    simulation.wait(1)
    for _ in range(200):
        ann.send("make_move", {"row": 0, "col": 0})
    assert len(ann.received()) == 50


def test_chat_is_limited_per_person_and_not_per_socket(simulation: HallSimulation) -> None:
    tabs = [simulation.socketio_client("Ann") for _ in range(3)]
    bob = simulation.socketio_client("Bob")
    for number in range(12):
        tabs[number % 3].send("chat message", str(number))
    assert len(bob.received()) == 5
    assert len(bob.ask("chat message", "mine")) == 1
    simulation.wait(10)
    tabs[0].send("chat message", "again")
    assert len(bob.received()) == 1


def test_persons_without_recent_lines_are_forgotten() -> None:
    lines = SlidingWindow()
    for second in range(1000):
        assert lines.allow(Person(f"p{second}"), Millis(second * 1000))
    assert len(lines) == 10
    assert [lines.allow(Person("p999"), Millis(999_000)) for _ in range(6)] == [True] * 4 + [False] * 2


def test_a_flood_ends_the_connection(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    for _ in range(600):
        ann.send("ping")
    simulation.settle()
    assert ann.transport.closed == 4429
    assert len(ann.transport.frames) < 60


def test_malformed_frames_are_answered_and_then_end_the_connection(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
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
        ann.send_frame(frame)
        (answer,) = ann.received()
        assert answer["code"] == "malformed", frame
    for _ in range(12):
        ann.send_frame(b"again")
    ann.received()
    assert ann.transport.closed == 4400


def test_frames_beyond_the_size_limit_are_malformed(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    ann.send_frame(json.dumps({"type": "ping", "n": 1, "x": "y" * 20_000}).encode())
    assert ann.received()[0]["code"] == "malformed"


def test_huge_numbers_are_malformed(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    for frame in (b'{"type":"ping","n":1e400}', b'{"type":"ping","n":' + b"9" * 4000 + b"}"):
        ann.send_frame(frame)
        assert ann.received()[0]["code"] == "malformed"


def test_a_reader_that_never_reads_is_dropped_and_others_do_not_notice(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    slow = simulation.native_client("Slow")
    slow.ask("watch", room=room)
    slow.connection.outbox.pause()
    sent = len(slow.transport.frames)
    for number in range(3000):
        ann.ask("say", room=room, text=str(number) * 50)
        simulation.wait(2.1)
        if slow.transport.aborted:
            break
    assert slow.transport.aborted
    assert sum(map(len, slow.transport.frames[sent:])) <= 256 * 1024
    assert not bob.transport.aborted
    assert not ann.transport.aborted


def test_a_reader_that_catches_up_is_kept(simulation: HallSimulation) -> None:
    peer = NativeClient(simulation)
    peer.connection.outbox.pause()
    peer.connection.outbox.send(b"x" * 200_000)
    peer.connection.outbox.resume()
    peer.connection.outbox.pause()
    peer.connection.outbox.send(b"x" * 200_000)
    assert not peer.transport.aborted
    assert len(peer.transport.frames) == 2
