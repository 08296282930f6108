"""Rate limits of one connection, and what happens above them."""

import json

from qipai.hall.people.person_quota import SlidingWindow
from qipai.kernel.ids import Millis, Person
from tests.support.hall_simulation import HallSimulation, NativeClient


def test_fifty_frames_a_second_are_handled_at_once_and_more_are_slowed_down(
    simulation: HallSimulation,
) -> None:
    ann = simulation.native_client("Ann")
    simulation.wait(1)
    for number in range(80):
        ann.send("ping", n=number)
    assert [message["n"] for message in ann.received()] == [*range(50)]
    assert ann.transport.reading_paused
    simulation.wait(0.31)
    assert [message["n"] for message in ann.received()] == [*range(50, 65)]
    simulation.wait(0.5)
    assert [message["n"] for message in ann.received()] == [*range(65, 80)], "nothing is dropped or refused"
    assert not ann.transport.reading_paused
    assert ann.transport.closed is None


def test_a_program_that_waits_for_each_answer_gets_every_answer(simulation: HallSimulation) -> None:
    """On a quick machine it passes the limit without meaning to."""
    ann = simulation.native_client("Ann")
    began = simulation.loop.clock
    for number in range(300):
        ann.send("ping", n=number)
        while not (received := ann.received()):
            simulation.wait(0.001)
        assert [(message["type"], message["n"]) for message in received] == [("pong", number)]
    assert 4.9 < simulation.loop.clock - began < 5.5, "50 at once, the others at 50 a second"


def test_frames_that_wait_keep_their_order_behind_one_that_asks_the_store(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    room = shown["room"]["id"]
    simulation.wait(1)
    for _ in range(52):
        bob.send("ping")
    bob.send("say", room=room, text="first")
    bob.send("leave", room=room)
    bob.send("say", room=room, text="second")
    simulation.wait(1)
    said = [event for notice in ann.received() for event in notice.get("events", ()) if "line" in event]
    assert [event["line"]["text"] for event in said] == ["first"]
    answers = [notice for notice in bob.received() if notice["type"] in {"left", "refused"}]
    assert [notice["type"] for notice in answers] == ["left", "refused"]


def test_a_connection_that_closes_while_its_frames_wait_leaves_nothing_behind(
    simulation: HallSimulation,
) -> None:
    ann = simulation.native_client("Ann")
    for number in range(80):
        ann.send("ping", n=number)
    simulation.settle()
    simulation.loop.call_soon(simulation.hall.arrived, ann.connection, None)
    simulation.wait(2)
    assert ann.connection not in simulation.hall.connections
    assert simulation.hall.inbox.idle


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
    assert ann.transport.closed == 4429, "what waits is bounded, and the client did not stop"
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
