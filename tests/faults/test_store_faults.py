"""A batch with an unknown outcome: no client receives its events, and then all see the stored room."""

from collections.abc import Iterator

import pytest

from qipai.kernel.commands import Disconnected
from qipai.kernel.ids import SYSTEM, Seat
from qipai.stores.memory_store import MemoryStore
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation, NativeClient, mark, seat_to_act


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as opened:
        yield opened


def test_a_move_that_failed_before_the_write_can_be_sent_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann, bob, shown = simulation.running_room()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_before = 1
    answers = mover.ask("play", **mark(room, 4, "n"))
    assert [answer["type"] for answer in answers] == ["refused", "room"]
    assert (answers[0]["code"], answers[0]["nonce"]) == ("unavailable", "n")
    assert answers[1]["version"] == shown["version"]
    assert [message["type"] for message in other.received()] == ["room"]
    (repeated,) = mover.ask("play", **mark(room, 4, "n"))
    assert (repeated["type"], repeated["version"]) == ("events", shown["version"] + 1)


def test_a_move_that_failed_after_the_write_is_shown_and_done_once(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann, bob, shown = simulation.running_room()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_after = 1
    answers = mover.ask("play", **mark(room, 4, "n"))
    assert answers[0]["code"] == "unavailable"
    assert answers[1]["version"] == shown["version"] + 1
    assert other.received()[0]["room"]["position"]["board"][4] in "XO"
    (repeated,) = mover.ask("play", **mark(room, 4, "n"))
    assert (repeated["type"], repeated["version"]) == ("unchanged", shown["version"] + 1)


def test_every_command_of_a_failed_group_is_answered(simulation: HallSimulation, store: FaultyStore) -> None:
    ann, bob, shown = simulation.running_room()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover, other = (ann, bob) if seat == 0 else (bob, ann)
    store.fail_before = 1
    mover.send("play", **mark(room, 4, "a"))
    other.send("play", **mark(room, 0, "b"))
    mover.send("say", room=room, text="hi", nonce="c")
    refused = [m["nonce"] for m in mover.received() if m["type"] == "refused"]
    assert refused == ["a", "c"]
    assert [m["nonce"] for m in other.received() if m["type"] == "refused"] == ["b"]
    assert simulation.hall.executor.live_rooms[room].latest.version == shown["version"]


def test_a_room_that_could_not_be_written_does_not_exist(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann = simulation.native_client("Ann")
    store.fail_before = 1
    answers = ann.ask("open", game="tictactoe", nonce="x")
    assert [answer["code"] for answer in answers] == ["unavailable"]
    assert simulation.hall.executor.live_rooms == {}
    assert ann.ask("open", game="tictactoe", nonce="x")[0]["type"] == "room"


def test_an_unreachable_store_refuses_commands_until_it_returns(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann, bob, shown = simulation.running_room()
    room, seat = shown["room"]["id"], seat_to_act(shown)
    mover = (ann, bob)[seat]
    store.fail_before, store.unreachable = 1, True
    assert mover.ask("play", **mark(room, 4, "a"))[0]["code"] == "unavailable"
    assert mover.ask("play", **mark(room, 4, "a"))[0]["code"] == "unavailable"
    store.unreachable = False
    answers = mover.ask("play", **mark(room, 4, "a"))
    assert [answer["type"] for answer in answers] == ["room", "events"]
    assert answers[1]["version"] == shown["version"] + 1


def test_a_failure_of_one_room_does_not_affect_another(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann, bob, shown = simulation.running_room()
    cat = simulation.native_client("Cat")
    other = cat.ask("open", game="tictactoe", nonce="o")[0]
    store.fail_before = 1
    mover = (ann, bob)[seat_to_act(shown)]
    mover.ask("play", **mark(shown["room"]["id"], 4, "a"))
    assert cat.received() == []
    (said,) = cat.ask("say", room=other["room"]["id"], text="hello")
    assert said["version"] == other["version"] + 1


def test_leaving_is_confirmed_only_when_it_is_durable(simulation: HallSimulation, store: FaultyStore) -> None:
    ann, bob, shown = simulation.running_room()
    store.fail_before = 1
    answers = ann.ask("leave", room=shown["room"]["id"])
    assert [answer["type"] for answer in answers] == ["refused", "room"]
    assert answers[1]["you"] == 0, "Ann still has her seat"
    assert [message["type"] for message in bob.received()] == ["room"]
    assert ann.ask("leave", room=shown["room"]["id"])[-1]["type"] == "left"


def test_a_full_disk_is_tried_about_once_a_second(simulation: HallSimulation, store: FaultyStore) -> None:
    _, _, shown = simulation.running_room(clock={"main": [10_000]})
    store.fail_before = 10**6
    simulation.wait(9)
    before = store.tries
    simulation.wait(20)
    assert 10 <= store.tries - before <= 40
    store.fail_before = 0
    simulation.wait(3)
    assert simulation.hall.executor.live_rooms[shown["room"]["id"]].latest.phase == "over"


def test_an_empty_room_that_cannot_be_closed_is_closed_later(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]["id"]
    store.fail_close = 2
    ann.ask("leave", room=room)
    assert list(simulation.hall.executor.live_rooms) == [room]
    simulation.wait(10)
    assert simulation.hall.executor.live_rooms == {}
    assert store.fail_close == 0


def test_a_rule_that_raises_at_a_deadline_does_not_block_the_server(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken rule")

    _, _, shown = simulation.running_room(clock={"main": [10_000]})
    monkeypatch.setattr(type(simulation.hall.executor.games["tictactoe"].rules), "overdue", broken)
    simulation.wait(15)
    assert 2 <= simulation.hall.internal_errors.count <= 8
    monkeypatch.undo()
    simulation.wait(2)
    assert simulation.hall.executor.live_rooms[shown["room"]["id"]].latest.phase == "over"


def test_a_player_who_reconnects_while_the_disconnect_is_written_is_connected() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        ann, bob, shown = simulation.running_room(disconnect_timeout=60)
        room = shown["room"]["id"]
        live_room = simulation.hall.executor.live_rooms[room]
        bob.disconnect()
        returned = NativeClient(simulation)
        returned.hello(bob.token)
        simulation.wait(4.9)

        def disconnect_and_reconnect() -> None:
            simulation.hall.executor.submit(live_room, SYSTEM, Disconnected(Seat(1)), simulation.now())
            returned.connection.receive(b'{"type":"join","room":"%s"}' % room.encode(), simulation.now())

        simulation.loop.call_soon(disconnect_and_reconnect)
        simulation.wait(120)
        assert live_room.latest.phase == "playing"
        seat = live_room.latest.seats[1]
        assert seat is not None
        assert seat.disconnected_at is None
        assert [e["e"] for m in ann.received() for e in m["events"]] == ["disconnected", "reconnected"]


def test_a_quick_match_just_before_a_disconnect_leaves_no_seat() -> None:
    with HallSimulation() as simulation:
        dan, ann, bob = (
            simulation.native_client("Dan"),
            simulation.native_client("Ann"),
            simulation.native_client("Bob"),
        )
        room = dan.ask("open", game="tictactoe", nonce="1", table={"public": False})[0]["room"]["id"]
        dan.send("say", room=room, text="x")
        ann.send("quick_match", game="tictactoe")
        simulation.loop.call_soon(simulation.hall.arrived, ann.connection, None)
        simulation.settle()
        (shown,) = bob.ask("quick_match", game="tictactoe")
        assert shown["room"]["phase"] == "waiting"
        assert all(len(live_room.members) <= 1 for live_room in simulation.hall.executor.live_rooms.values())
        dan.disconnect()
        bob.disconnect()
        simulation.wait(300)
        assert simulation.hall.executor.live_rooms == {}
