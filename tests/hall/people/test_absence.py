"""Connections whose transport broke: kept for a while, then closed."""

from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Person
from tests.support.hall_simulation import HallSimulation, NativeClient


def test_a_connection_that_was_admitted_needs_no_hello(simulation: HallSimulation) -> None:
    ann = NativeClient(simulation)
    simulation.hall.admit(ann.connection, Guest(Person("p"), "Ann"))
    (shown,) = ann.ask("quick_match", game="tictactoe")
    assert shown["room"]["seats"][0]["name"] == "Ann"
    assert simulation.hall.persons == {"p": 1}
    ann.disconnect()
    assert simulation.hall.persons == {}


def test_a_connection_that_was_not_admitted_stays_a_stranger(simulation: HallSimulation) -> None:
    ann = simulation.socketio_client("Ann", login=False)
    events = ann.ask("join_pvp") + ann.ask("chat message", "hi") + ann.ask("make_move", 7)
    assert [event for event, _ in events] == ["login_required"] * 3
    assert simulation.hall.executor.live_rooms == {}
    assert simulation.hall.persons == {}


def test_an_absent_connection_is_neither_pinged_nor_dropped_by_the_sweep(simulation: HallSimulation) -> None:
    ann = simulation.socketio_client("Ann")
    ann.transport.pong = None
    ann.lose_transport()
    simulation.wait(110)
    assert not ann.transport.aborted
    pings = ann.transport.pings
    ann.recover()
    ann.transport.pong = ann._pong
    simulation.wait(110)
    assert ann.transport.pings > pings
    assert not ann.transport.aborted


def test_an_absent_connection_without_a_room_is_closed_after_two_minutes(
    simulation: HallSimulation,
) -> None:
    ann = simulation.socketio_client("Ann")
    ann.lose_transport()
    simulation.wait(119)
    assert not ann.transport.aborted
    assert simulation.hall.persons == {"login:Ann": 1}
    simulation.wait(2)
    assert ann.transport.aborted
    assert simulation.hall.persons == {}
    assert len(simulation.hall.alarms) == 2, "only the beat and the keep-alive are left"


def test_a_connection_closed_and_then_reported_lost_is_counted_once(simulation: HallSimulation) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.ask("join_pvp")
    ann.lose_transport()
    simulation.wait(16)
    ann.leave()
    assert simulation.hall.persons == {"login:Bob": 1}
    assert simulation.hall.executor.live_rooms == {}
    assert bob.received() == []


def test_a_connection_that_recovered_may_break_again_and_has_the_full_time_again(
    simulation: HallSimulation,
) -> None:
    ann = simulation.socketio_client("Ann")
    ann.ask("join_pvp")
    for _ in range(4):
        ann.lose_transport()
        ann.lose_transport()
        simulation.wait(12)
        ann.recover()
    assert len(simulation.hall.executor.live_rooms) == 1
    ann.lose_transport()
    simulation.wait(16)
    assert simulation.hall.executor.live_rooms == {}


def test_a_room_closed_while_absent_leaves_the_longer_time(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    left.lose_transport()
    simulation.wait(5)
    right.leave()
    simulation.wait(60)
    assert not left.transport.aborted
    left.recover()
    assert left.received() == [["opponent_left"]]


def test_a_server_that_stops_ends_no_room(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    left.lose_transport()
    simulation.run(simulation.hall.stop())
    right.leave()
    left.lose_transport()
    left.leave()
    simulation.wait(60)
    (box,) = simulation.hall.executor.live_rooms.values()
    assert box.latest.result is None


def test_a_room_that_ended_leaves_no_alarms(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    right.leave()
    left.leave()
    assert simulation.hall.executor.live_rooms == {}
    assert simulation.hall.executor.seat_index == {}
    assert len(simulation.hall.alarms) == 2, "only the beat and the keep-alive are left"
