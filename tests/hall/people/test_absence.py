"""Peers whose transport broke: held for a while, unnoticed, then given up."""

from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Person
from tests.support.stage import Peer, Stage


def test_a_peer_that_was_admitted_needs_no_hello(stage: Stage) -> None:
    ann = Peer(stage)
    stage.hall.admit(ann.connection, Guest(Person("p"), "Ann"))
    (shown,) = ann.ask("quick_match", game="tictactoe")
    assert shown["room"]["seats"][0]["name"] == "Ann"
    assert stage.hall.persons == {"p": 1}
    ann.cut()
    assert stage.hall.persons == {}


def test_a_peer_that_was_not_admitted_stays_a_stranger(stage: Stage) -> None:
    ann = stage.caller("Ann", login=False)
    heard = ann.ask("join_pvp") + ann.ask("chat message", "hi") + ann.ask("make_move", 7)
    assert [event for event, _ in heard] == ["login_required"] * 3
    assert stage.hall.executor.live_rooms == {}
    assert stage.hall.persons == {}


def test_an_absent_peer_is_neither_pinged_nor_dropped_by_the_sweep(stage: Stage) -> None:
    ann = stage.caller("Ann")
    ann.wire.pong = None
    ann.cut()
    stage.wait(110)
    assert not ann.wire.aborted
    pings = ann.wire.pings
    ann.back()
    ann.wire.pong = ann._pong
    stage.wait(110)
    assert ann.wire.pings > pings
    assert not ann.wire.aborted


def test_an_absent_peer_without_a_table_is_given_up_after_two_minutes(stage: Stage) -> None:
    ann = stage.caller("Ann")
    ann.cut()
    stage.wait(119)
    assert not ann.wire.aborted
    assert stage.hall.persons == {"login:Ann": 1}
    stage.wait(2)
    assert ann.wire.aborted
    assert stage.hall.persons == {}
    assert len(stage.hall.alarms) == 2, "only the beat and the sweep are left"


def test_a_peer_given_up_and_then_reported_lost_is_counted_once(stage: Stage) -> None:
    ann, bob = stage.caller("Ann"), stage.caller("Bob")
    ann.ask("join_pvp")
    ann.cut()
    stage.wait(16)
    ann.leave()
    assert stage.hall.persons == {"login:Bob": 1}
    assert stage.hall.executor.live_rooms == {}
    assert bob.heard() == []


def test_a_peer_that_is_back_may_be_cut_again_and_has_the_whole_time_again(stage: Stage) -> None:
    ann = stage.caller("Ann")
    ann.ask("join_pvp")
    for _ in range(4):
        ann.cut()
        ann.cut()
        stage.wait(12)
        ann.back()
    assert len(stage.hall.executor.live_rooms) == 1
    ann.cut()
    stage.wait(16)
    assert stage.hall.executor.live_rooms == {}


def test_a_table_lost_while_absent_leaves_the_longer_time(stage: Stage) -> None:
    left, right = stage.pair()
    left.cut()
    stage.wait(5)
    right.leave()
    stage.wait(60)
    assert not left.wire.aborted
    left.back()
    assert left.heard() == [["opponent_left"]]


def test_a_server_that_stops_ends_nobodys_table(stage: Stage) -> None:
    left, right = stage.pair()
    left.cut()
    stage.run(stage.hall.stop())
    right.leave()
    left.cut()
    left.leave()
    stage.wait(60)
    (box,) = stage.hall.executor.live_rooms.values()
    assert box.latest.result is None


def test_a_table_that_is_ended_leaves_no_alarms(stage: Stage) -> None:
    left, right = stage.pair()
    right.leave()
    left.leave()
    assert stage.hall.executor.live_rooms == {}
    assert stage.hall.executor.seat_index == {}
    assert len(stage.hall.alarms) == 2, "only the beat and the sweep are left"
