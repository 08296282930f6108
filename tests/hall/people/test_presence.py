"""Who is in reach, what follows when somebody is not, and clocks."""

from typing import Any

from tests.support.stage import Message, Peer, Stage, mark, seat_to_act


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages if message["type"] == "events" for event in message["events"]]


def named(messages: list[Message], name: str) -> list[Message]:
    return [event for event in events(messages) if event["e"] == name]


CLOCK: dict[str, Any] = {"clock": {"main": [60_000], "increment": 2_000}}


def test_a_blip_is_not_noticed(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    bob.cut()
    stage.wait(4)
    back = Peer(stage)
    back.hello(bob.token)
    back.ask("resume", room=shown["room"]["id"], version=shown["version"])
    stage.wait(300)
    assert events(ann.heard()) == []


def test_somebody_lost_is_counted_down_and_forfeits(stage: Stage) -> None:
    ann, bob, _ = stage.table(disconnect_timeout=60)
    bob.cut()
    stage.wait(6)
    (away,) = named(ann.heard(), "disconnected")
    assert away["seat"] == 1
    assert 54_000 <= away["forfeits_at"] - stage.now() <= 60_000
    stage.wait(58)
    assert events(ann.heard()) == []
    stage.wait(3)
    (over,) = named(ann.heard(), "game_over")
    assert (over["winners"], over["reason"]) == ([0], "left")


def test_somebody_who_comes_back_in_time_plays_on(stage: Stage) -> None:
    ann, bob, shown = stage.table(disconnect_timeout=60)
    bob.cut()
    stage.wait(30)
    back = Peer(stage)
    back.hello(bob.token)
    back.ask("resume", room=shown["room"]["id"], version=shown["version"])
    assert [event["e"] for event in events(ann.heard())] == ["disconnected", "reconnected"]
    stage.wait(3600)
    assert named(ann.heard(), "game_over") == []


def test_a_patient_table_waits_for_ever(stage: Stage) -> None:
    ann, bob, _ = stage.table(disconnect_timeout=0)
    bob.cut()
    stage.wait(10)
    (away,) = named(ann.heard(), "disconnected")
    assert away["forfeits_at"] is None
    stage.wait(3600)
    assert named(ann.heard(), "game_over") == []


def test_a_game_both_left_is_abandoned_and_its_table_forgotten(stage: Stage) -> None:
    ann, bob, shown = stage.table(disconnect_timeout=60)
    room = shown["room"]["id"]
    ann.cut()
    bob.cut()
    stage.wait(70)
    result = stage.hall.executor.live_rooms[room].latest.result
    assert result is not None
    assert (result.winners, result.reason) == ((), "abandoned")
    stage.wait(130)
    assert stage.hall.executor.live_rooms == {}
    assert len(stage.hall.alarms) == 2, "only the beat and the sweep are left"


def test_a_waiting_table_whose_maker_vanished_expires(stage: Stage) -> None:
    ann = stage.peer("Ann")
    ann.ask("open", game="tictactoe", nonce="t")
    ann.cut()
    stage.wait(110)
    assert len(stage.hall.executor.live_rooms) == 1
    stage.wait(20)
    assert stage.hall.executor.live_rooms == {}


def test_the_flag_falls_by_the_servers_clock(stage: Stage) -> None:
    ann, bob, shown = stage.table(**CLOCK)
    seat = seat_to_act(shown)
    stage.wait(59)
    assert ann.heard() == []
    stage.wait(1.1)
    (over,) = named(ann.heard(), "game_over")
    assert (over["winners"], over["reason"]) == ([1 - seat], "time")
    late = (ann, bob)[seat].ask("play", **mark(shown["room"]["id"], 0))
    assert late[-1]["code"] == "not_playing"


def test_time_is_charged_from_the_moment_a_frame_is_read(stage: Stage) -> None:
    ann, bob, shown = stage.table(**CLOCK)
    seat = seat_to_act(shown)
    mover = (ann, bob)[seat]
    stage.wait(10)
    (moved,) = mover.ask("play", **mark(shown["room"]["id"], 0))
    clock = moved["clock"]
    assert clock["left"][seat] == 60_000 - 10_000 + 2_000
    assert clock["left"][1 - seat] == 60_000
    assert clock["running"] == [1 - seat]


def test_a_rest_between_rounds_costs_nobody_time_and_ends_by_itself(stage: Stage) -> None:
    ann, bob, shown = stage.table(**CLOCK)
    room, seat = shown["room"]["id"], seat_to_act(shown)
    peers = (ann, bob) if seat == 0 else (bob, ann)
    for turn, cell in enumerate((0, 3, 1, 4, 2)):
        (heard,) = peers[turn % 2].ask("play", **mark(room, cell))[-1:]
    assert [event["e"] for event in heard["events"]] == ["marked", "round_over"]
    left = heard["clock"]["left"]
    stage.wait(15.2)
    (began,) = named(ann.heard()[-1:], "round_started")
    assert began == {"e": "round_started", "round": 1, "first": 1 - seat}
    view = stage.peer("Wat").ask("watch", room=room)[0]["room"]["clock"]
    assert view["left"][seat] == left[seat]
    assert left[1 - seat] - 1_000 <= view["left"][1 - seat] <= left[1 - seat]


def test_a_silent_peer_is_pinged_and_then_dropped(stage: Stage) -> None:
    quiet, lively = stage.peer("Quiet"), stage.peer("Lively")
    quiet.wire.pong = None
    for _ in range(5):
        lively.ask("ping", n=1)
        stage.wait(10)
    assert quiet.wire.pings >= 1
    assert quiet.wire.aborted
    assert not lively.wire.aborted


def test_who_sits_down_opposite_somebody_absent_waits_the_whole_time(stage: Stage) -> None:
    ann, bob = stage.peer("Ann"), stage.peer("Bob")
    room = ann.ask("open", game="tictactoe", nonce="t", table={"disconnect_timeout": 60})[0]["room"]["id"]
    wat = stage.peer("Wat")
    wat.ask("watch", room=room)
    ann.cut()
    stage.wait(90)
    bob.ask("join", room=room)
    (away,) = named(wat.heard()[-1:], "disconnected")
    assert away["forfeits_at"] == stage.now() + 60_000
    stage.wait(50)
    assert named(bob.heard(), "game_over") == []
    stage.wait(11)
    assert named(bob.heard(), "game_over")[0]["winners"] == [1]
