"""Who is in reach, what follows when somebody is not, and clocks."""

from typing import Any

from tests.support.hall_simulation import HallSimulation, Message, NativeClient, mark, seat_to_act


def events(messages: list[Message]) -> list[Message]:
    return [event for message in messages if message["type"] == "events" for event in message["events"]]


def named(messages: list[Message], name: str) -> list[Message]:
    return [event for event in events(messages) if event["e"] == name]


CLOCK: dict[str, Any] = {"clock": {"main": [60_000], "increment": 2_000}}


def test_a_blip_is_not_noticed(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    bob.disconnect()
    simulation.wait(4)
    back = NativeClient(simulation)
    back.hello(bob.token)
    back.ask("resume", room=shown["room"]["id"], version=shown["version"])
    simulation.wait(300)
    assert events(ann.received()) == []


def test_somebody_lost_is_counted_down_and_forfeits(simulation: HallSimulation) -> None:
    ann, bob, _ = simulation.running_room(disconnect_timeout=60)
    bob.disconnect()
    simulation.wait(6)
    (away,) = named(ann.received(), "disconnected")
    assert away["seat"] == 1
    assert 54_000 <= away["forfeits_at"] - simulation.now() <= 60_000
    simulation.wait(58)
    assert events(ann.received()) == []
    simulation.wait(3)
    (over,) = named(ann.received(), "game_over")
    assert (over["winners"], over["reason"]) == ([0], "left")


def test_somebody_who_comes_back_in_time_plays_on(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=60)
    bob.disconnect()
    simulation.wait(30)
    back = NativeClient(simulation)
    back.hello(bob.token)
    back.ask("resume", room=shown["room"]["id"], version=shown["version"])
    assert [event["e"] for event in events(ann.received())] == ["disconnected", "reconnected"]
    simulation.wait(3600)
    assert named(ann.received(), "game_over") == []


def test_a_patient_table_waits_for_ever(simulation: HallSimulation) -> None:
    ann, bob, _ = simulation.running_room(disconnect_timeout=0)
    bob.disconnect()
    simulation.wait(10)
    (away,) = named(ann.received(), "disconnected")
    assert away["forfeits_at"] is None
    simulation.wait(3600)
    assert named(ann.received(), "game_over") == []


def test_a_game_both_left_is_abandoned_and_its_table_forgotten(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=60)
    room = shown["room"]["id"]
    ann.disconnect()
    bob.disconnect()
    simulation.wait(70)
    result = simulation.hall.executor.live_rooms[room].latest.result
    assert result is not None
    assert (result.winners, result.reason) == ((), "abandoned")
    simulation.wait(130)
    assert simulation.hall.executor.live_rooms == {}
    assert len(simulation.hall.alarms) == 2, "only the beat and the keep-alive are left"


def test_a_waiting_table_whose_maker_vanished_expires(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    ann.ask("open", game="tictactoe", nonce="t")
    ann.disconnect()
    simulation.wait(110)
    assert len(simulation.hall.executor.live_rooms) == 1
    simulation.wait(20)
    assert simulation.hall.executor.live_rooms == {}


def test_the_flag_falls_by_the_servers_clock(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(**CLOCK)
    seat = seat_to_act(shown)
    simulation.wait(59)
    assert ann.received() == []
    simulation.wait(1.1)
    (over,) = named(ann.received(), "game_over")
    assert (over["winners"], over["reason"]) == ([1 - seat], "time")
    late = (ann, bob)[seat].ask("play", **mark(shown["room"]["id"], 0))
    assert late[-1]["code"] == "not_playing"


def test_time_is_charged_from_the_moment_a_frame_is_read(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(**CLOCK)
    seat = seat_to_act(shown)
    mover = (ann, bob)[seat]
    simulation.wait(10)
    (moved,) = mover.ask("play", **mark(shown["room"]["id"], 0))
    clock = moved["clock"]
    assert clock["left"][seat] == 60_000 - 10_000 + 2_000
    assert clock["left"][1 - seat] == 60_000
    assert clock["running"] == [1 - seat]


def test_a_rest_between_rounds_costs_nobody_time_and_ends_by_itself(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(**CLOCK)
    room, seat = shown["room"]["id"], seat_to_act(shown)
    peers = (ann, bob) if seat == 0 else (bob, ann)
    for turn, cell in enumerate((0, 3, 1, 4, 2)):
        (notice,) = peers[turn % 2].ask("play", **mark(room, cell))[-1:]
    assert [event["e"] for event in notice["events"]] == ["marked", "round_over"]
    left = notice["clock"]["left"]
    simulation.wait(15.2)
    (began,) = named(ann.received()[-1:], "round_started")
    assert began == {"e": "round_started", "round": 1, "first": 1 - seat}
    view = simulation.native_client("Wat").ask("watch", room=room)[0]["room"]["clock"]
    assert view["left"][seat] == left[seat]
    assert left[1 - seat] - 1_000 <= view["left"][1 - seat] <= left[1 - seat]


def test_a_silent_peer_is_pinged_and_then_dropped(simulation: HallSimulation) -> None:
    quiet, lively = simulation.native_client("Quiet"), simulation.native_client("Lively")
    quiet.transport.pong = None
    for _ in range(5):
        lively.ask("ping", n=1)
        simulation.wait(10)
    assert quiet.transport.pings >= 1
    assert quiet.transport.aborted
    assert not lively.transport.aborted


def away_events(notices: list[Message]) -> list[str]:
    found = [event["e"] for notice in notices for event in notice.get("events", ())]
    return [name for name in found if name in {"disconnected", "reconnected"}]


def test_a_player_whose_network_is_dead_is_away_within_ten_seconds_and_dropped_later(
    simulation: HallSimulation,
) -> None:
    ann, bob, _ = simulation.running_room()
    simulation.wait(7)
    bob.transport.pong = None
    for _ in range(10):
        simulation.wait(0.9)
    assert away_events(ann.received()) == ["disconnected"]
    assert not bob.transport.aborted, "a network that is only slow costs no connection"
    simulation.wait(40)
    assert bob.transport.aborted


def test_a_player_who_answers_again_is_back_on_the_same_connection(simulation: HallSimulation) -> None:
    ann, bob, _ = simulation.running_room()
    simulation.wait(7)
    bob.transport.pong = None
    simulation.wait(9)
    assert away_events(ann.received()) == ["disconnected"]
    bob.send("ping", n=1)
    simulation.wait(2.1)
    assert away_events(ann.received()) == ["reconnected"]
    bob.transport.pong = bob._pong
    simulation.wait(60)
    assert away_events(ann.received()) == []
    assert not bob.transport.aborted


def test_a_library_that_answers_no_pings_is_not_called_away(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    bob.transport.pong = None
    room = ann.ask("open", game="tictactoe", nonce="t")[0]["room"]["id"]
    bob.ask("join", room=room)
    for _ in range(4):
        simulation.wait(15)
        bob.send("ping", n=1)
    assert away_events(ann.received()) == []
    assert not bob.transport.aborted


def test_a_crowd_is_not_pinged_all_at_once(simulation: HallSimulation) -> None:
    crowd = [simulation.native_client() for _ in range(100)]
    simulation.wait(30)
    before = [each.transport.pings for each in crowd]
    most = 0
    for _ in range(250):
        simulation.wait(0.1)
        after = [each.transport.pings for each in crowd]
        most = max(most, sum(after) - sum(before))
        before = after
    assert 0 < most <= 10


def test_who_sits_down_opposite_somebody_absent_waits_the_whole_time(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    room = ann.ask("open", game="tictactoe", nonce="t", table={"disconnect_timeout": 60})[0]["room"]["id"]
    wat = simulation.native_client("Wat")
    wat.ask("watch", room=room)
    ann.disconnect()
    simulation.wait(90)
    bob.ask("join", room=room)
    (away,) = named(wat.received()[-1:], "disconnected")
    assert away["forfeits_at"] == simulation.now() + 60_000
    simulation.wait(50)
    assert named(bob.received(), "game_over") == []
    simulation.wait(11)
    assert named(bob.received(), "game_over")[0]["winners"] == [1]
