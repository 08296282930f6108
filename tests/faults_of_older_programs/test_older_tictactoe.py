"""What another tic-tac-toe server got wrong, each shown not to happen here."""

import json
from typing import Any

import pytest

from tests.games.tictactoe.tictactoe_table import TAKEN
from tests.support.hall_simulation import HallSimulation, SocketIOClient


def names(received: list[Any]) -> list[str]:
    return [event for event, *_ in received]


def scores(peer: SocketIOClient) -> tuple[dict[str, int], int]:
    """Return the scores and round that a rejoining client receives."""
    start = next(args[0] for event, *args in peer.ask("join_pvp") if event == "game_start")
    return start["scores"], start["round_count"]


def play_round(left: SocketIOClient, right: SocketIOClient, number: int, kind: str) -> None:
    begins = (left, right) if number % 2 == 0 else (right, left)
    for turn, cell in enumerate(TAKEN[kind]):
        begins[turn % 2].mark(cell)


def finished(simulation: HallSimulation) -> tuple[SocketIOClient, SocketIOClient]:
    left, right = simulation.socketio_pair()
    for number in range(5):
        play_round(left, right, number, "draw")
        left.ask("reset_game")
    right.received()
    return left, right


def test_1_joining_twice_while_waiting_neither_pairs_a_player_with_itself_nor_blocks(
    simulation: HallSimulation,
) -> None:
    ann, tab = simulation.socketio_client("Ann"), simulation.socketio_client("Ann")
    ann.send("join_pvp")
    ann.send("join_pvp")
    assert names(ann.received()) == ["waiting_for_opponent", "chat message", "waiting_for_opponent"]
    assert names(tab.ask("join_pvp")) == ["waiting_for_opponent"]
    assert len(simulation.hall.executor.live_rooms) == 1
    start = simulation.socketio_client("Bob").ask("join_pvp")[-1][1]
    assert {start[side]["username"] for side in ("left_player", "right_player")} == {"Ann", "Bob"}


def test_2_reset_game_in_mid_round_wipes_nothing(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    for turn, cell in enumerate(TAKEN["first"][:-1]):
        (left, right)[turn % 2].mark(cell)
    for peer in (left, right):
        peer.received()
        assert peer.ask("reset_game") == []
    assert names(left.mark(TAKEN["first"][-1])) == ["move_made", "round_end"]


def test_2_two_simultaneous_resets_skip_no_round(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    play_round(left, right, 0, "first")
    left.send("reset_game")
    right.send("reset_game")
    simulation.settle()
    assert scores(left) == ({"left": 1, "right": 0, "draw": 0}, 1)


def test_2_reset_game_in_round_five_does_not_end_the_match(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    for number in range(4):
        play_round(left, right, number, "draw")
        left.ask("reset_game")
    left.received()
    assert left.ask("reset_game") == []
    assert scores(right) == ({"left": 0, "right": 0, "draw": 4}, 4)


def test_2_reset_game_in_a_waiting_room_does_not_corrupt_the_next_game(simulation: HallSimulation) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.ask("join_pvp")
    assert ann.ask("reset_game") == []
    start = bob.ask("join_pvp")[-1][1]
    assert (start["scores"], start["round_count"]) == ({"left": 0, "right": 0, "draw": 0}, 0)


def test_3_start_new_match_in_mid_match_keeps_the_score(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    play_round(left, right, 0, "first")
    for peer in (left, right):
        peer.received()
        assert peer.ask("start_new_match") == []
    left.ask("reset_game")
    right.received()
    assert left.ask("start_new_match") == right.ask("start_new_match") == []
    assert scores(right)[0] == {"left": 1, "right": 0, "draw": 0}


@pytest.mark.parametrize("odd", [True, False, "1", 1.5, 1.0, None, [1], {}, 10**30, -1])
def test_4_invalid_coordinates_are_neither_played_nor_raise(simulation: HallSimulation, odd: Any) -> None:
    left, right = simulation.socketio_pair()
    for square in ({"row": odd, "col": 0}, {"row": 0, "col": odd}, odd):
        assert left.ask("make_move", square) == [["move_rejected", {"reason": "out_of_range"}]]
    assert right.received() == []
    assert simulation.hall.internal_errors.count == 0
    assert names(left.mark(4)) == ["move_made"]


def test_5_two_idle_tabs_block_no_other_players(simulation: HallSimulation) -> None:
    simulation.socketio_pair()
    simulation.wait(3600)
    assert names(simulation.socketio_client("Cat").ask("join_pvp")) == [
        "waiting_for_opponent",
        "chat message",
    ]
    assert names(simulation.socketio_client("Dan").ask("join_pvp"))[-1] == "game_start"


def test_6_a_short_disconnect_does_not_end_the_match(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    right.lose_transport()
    simulation.wait(10)
    left.mark(4)
    right.recover()
    assert names(right.received()) == ["move_made"]
    assert names(right.mark(0)) == ["move_made"]
    assert "opponent_left" not in names(left.received())


def test_7_sockets_without_a_login_do_nothing(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    eve = simulation.socketio_client("Eve", login=False)
    sent: list[list[Any]] = [
        ["join_pvp"],
        ["make_move", {"row": 0, "col": 0}],
        ["chat message", "hi"],
        ["reset_game"],
        ["start_new_match"],
    ]
    for event in sent:
        assert eve.ask(*event) == [["login_required", {"message": "請先登入"}]]
    assert left.received() == right.received() == []
    assert len(simulation.hall.executor.live_rooms) == 1


def test_7_clients_choose_neither_name_nor_time_of_a_chat_line(simulation: HallSimulation) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.ask("chat message", {"message": "hi", "username": "系統", "time": "00:00:00", "sid": bob.sid})
    ((_, line),) = bob.received()
    assert line[11:] == "Ann: hi"
    ann.ask("chat message", "x\n[系統提示] 你輸了")
    ((_, line),) = bob.received()
    assert line[11:] == "Ann: x [系統提示] 你輸了"


def test_8_chat_is_limited_in_length_and_rate_and_stays_in_the_room(simulation: HallSimulation) -> None:
    left, right = simulation.socketio_pair()
    others = [simulation.socketio_client("Cat"), *simulation.socketio_pair("Dan", "Eve")]
    for _ in range(9):
        left.send("chat message", "x" * 5000)
    received = right.received()
    assert len(received) == 5
    assert all(len(line) == len("[00:00:00] Ann: ") + 200 for _, line in received)
    assert [peer.received() for peer in others] == [[], [], []]


def test_10_a_finished_match_blocks_nobody(simulation: HallSimulation) -> None:
    left, right = finished(simulation)
    assert names(simulation.socketio_client("Cat").ask("join_pvp")) == [
        "waiting_for_opponent",
        "chat message",
    ]
    left.received()
    assert names(left.ask("join_pvp"))[-1] == "game_start"
    assert right.received() == [["opponent_left"]]
    assert names(right.ask("start_new_match")) == []


def test_10_a_waiting_room_closes_with_its_player(simulation: HallSimulation) -> None:
    ann, bob = simulation.socketio_client("Ann"), simulation.socketio_client("Bob")
    ann.ask("join_pvp")
    ann.lose_transport()
    simulation.wait(16)
    assert simulation.hall.executor.live_rooms == {}
    bob.ask("join_pvp")
    bob.leave()
    assert simulation.hall.executor.live_rooms == {}
    assert names(simulation.socketio_client("Cat").ask("join_pvp")) == [
        "waiting_for_opponent",
        "chat message",
    ]
    assert json.loads(bob.transport.frames[-1])[0] == "chat message"
