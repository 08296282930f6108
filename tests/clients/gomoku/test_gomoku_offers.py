"""Requests between gomoku players: repeated, and to a disconnected opponent."""

import pytest

from tests.clients.gomoku.gomoku_clients import (
    create_room,
    error,
    match,
    names,
    place,
    player,
    win,
    without_lobby,
)
from tests.support.hall_simulation import HallSimulation

# Repeated requests


def test_a_repeated_undo_request_is_answered_with_wait_and_not_sent_to_the_opponent_again(
    simulation: HallSimulation,
) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    bob.received()
    assert ann.ask("request-undo", {"roomId": room}) == []
    for _ in range(3):
        assert ann.ask("request-undo", {"roomId": room}) == [
            ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
        ]
    assert bob.received() == [["undo-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-undo", {"roomId": room, "accept": True})) == ["undo-result", "room-updated"]


def test_two_undo_requests_sent_together_are_one_request(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    place(bob, room, 8, 8)
    ann.received()
    ann.send("request-undo", {"roomId": room})
    ann.send("request-undo", {"roomId": room})
    assert error(ann.received()) == "rate_limited"
    bob.ask("respond-undo", {"roomId": room, "accept": False})
    assert names(ann.received()) == ["undo-result"]
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})[-1:]) == "no_undo_request"


def test_an_undo_request_against_a_pending_one_repeats_the_pending_one(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    place(bob, room, 8, 8)
    ann.ask("request-undo", {"roomId": room})
    bob.received()
    assert bob.ask("request-undo", {"roomId": room}) == [["undo-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-undo", {"roomId": room, "accept": True})) == ["undo-result", "room-updated"]


def test_a_request_after_an_answer_is_a_new_request(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    ann.ask("request-undo", {"roomId": room})
    bob.received()
    bob.send("respond-undo", {"roomId": room, "accept": False})
    ann.send("request-undo", {"roomId": room})
    assert names(bob.received()) == ["undo-result", "undo-requested"]
    assert names(ann.received()) == ["undo-result"]


def test_a_repeated_swap_request_is_answered_with_wait(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    bob.received()
    assert ann.ask("request-swap", {"roomId": room}) == []
    assert error(ann.ask("request-swap", {"roomId": room})) == "rate_limited"
    assert bob.received() == [["swap-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-swap", {"roomId": room, "accept": True})) == ["swap-result", "room-updated"]


def test_spectators_receive_no_requests(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation)
    spectator = player(simulation, "W")
    spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    place(ann, room, 7, 7)
    spectator.received()
    for _ in range(3):
        ann.ask("request-undo", {"roomId": room})
    assert spectator.received() == []


# Disconnected opponent


@pytest.mark.parametrize("accept", [True, False])
def test_a_request_to_a_disconnected_opponent_is_refused(simulation: HallSimulation, accept: bool) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    ann.ask("request-undo", {"roomId": room})
    ann.lose_transport()
    bob.received()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": accept})) == "opponent_missing"
    ann.recover()
    bob.received()
    received = names(bob.ask("respond-undo", {"roomId": room, "accept": accept}))
    assert received == (["undo-result", "room-updated"] if accept else ["undo-result"])


def test_a_disconnected_opponent_is_reported_before_a_missing_request(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    place(ann, room, 7, 7)
    ann.lose_transport()
    bob.received()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})) == "opponent_missing"


def test_a_finished_game_is_reported_before_a_disconnected_opponent(simulation: HallSimulation) -> None:
    ann, bob, room = match(simulation)
    win(ann, bob, room)
    ann.lose_transport()
    bob.received()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})) == "not_playing"


# Turn timer for late entrants


def timers(received: list[list[object]]) -> list[object]:
    return [said for name, said in received if name == "turn-timer-start"]


def test_a_spectator_receives_the_remaining_turn_time_on_entry(simulation: HallSimulation) -> None:
    ann, _, room = match(simulation, turnTimer=True)
    place(ann, room, 7, 7)
    simulation.wait(12)
    spectator = player(simulation, "W")
    received = without_lobby(spectator.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated", "turn-timer-start"]
    # Joining the lobby took a fifth of a second; clients count whole ones.
    assert received[-1][1] == {"timeLimit": 18_000, "currentTurn": 2}
    simulation.wait(17.7)
    assert "game-over" not in names(spectator.received())
    simulation.wait(0.3)
    assert "game-over" in names(spectator.received())


def test_a_player_who_joins_the_same_room_again_receives_the_remaining_turn_time(
    simulation: HallSimulation,
) -> None:
    ann, bob, room = match(simulation, turnTimer=True)
    assert timers(bob.ask("join-room", {"roomId": room})) == [{"timeLimit": 30_000, "currentTurn": 1}]
    simulation.wait(10)
    assert timers(ann.ask("join-room", {"roomId": room})) == [{"timeLimit": 20_000, "currentTurn": 1}]


@pytest.mark.parametrize("over", [True, False])
def test_a_spectator_receives_no_timer_when_no_game_runs(simulation: HallSimulation, over: bool) -> None:
    if over:
        ann, bob, room = match(simulation, turnTimer=True)
        bob.ask("surrender", {"roomId": room})
    else:
        ann = player(simulation, "Ann")
        room = create_room(ann, turnTimer=True)
    spectator = player(simulation, "W")
    received = without_lobby(spectator.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated"]
