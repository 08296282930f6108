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
from tests.support.stage import Stage

# Repeated requests


def test_a_repeated_undo_request_is_answered_with_wait_and_not_sent_to_the_opponent_again(
    stage: Stage,
) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    bob.heard()
    assert ann.ask("request-undo", {"roomId": room}) == []
    for _ in range(3):
        assert ann.ask("request-undo", {"roomId": room}) == [
            ["error", {"code": "rate_limited", "message": "操作过于频繁，请稍后再试"}]
        ]
    assert bob.heard() == [["undo-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-undo", {"roomId": room, "accept": True})) == ["undo-result", "room-updated"]


def test_two_undo_requests_sent_together_are_one_request(stage: Stage) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    place(bob, room, 8, 8)
    ann.heard()
    ann.send("request-undo", {"roomId": room})
    ann.send("request-undo", {"roomId": room})
    assert error(ann.heard()) == "rate_limited"
    bob.ask("respond-undo", {"roomId": room, "accept": False})
    assert names(ann.heard()) == ["undo-result"]
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})[-1:]) == "no_undo_request"


def test_an_undo_request_against_a_pending_one_repeats_the_pending_one(stage: Stage) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    place(bob, room, 8, 8)
    ann.ask("request-undo", {"roomId": room})
    bob.heard()
    assert bob.ask("request-undo", {"roomId": room}) == [["undo-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-undo", {"roomId": room, "accept": True})) == ["undo-result", "room-updated"]


def test_a_request_after_an_answer_is_a_new_request(stage: Stage) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    ann.ask("request-undo", {"roomId": room})
    bob.heard()
    bob.send("respond-undo", {"roomId": room, "accept": False})
    ann.send("request-undo", {"roomId": room})
    assert names(bob.heard()) == ["undo-result", "undo-requested"]
    assert names(ann.heard()) == ["undo-result"]


def test_a_repeated_swap_request_is_answered_with_wait(stage: Stage) -> None:
    ann, bob, room = match(stage)
    bob.heard()
    assert ann.ask("request-swap", {"roomId": room}) == []
    assert error(ann.ask("request-swap", {"roomId": room})) == "rate_limited"
    assert bob.heard() == [["swap-requested", {"from": "Ann"}]]
    assert names(bob.ask("respond-swap", {"roomId": room, "accept": True})) == ["swap-result", "room-updated"]


def test_spectators_receive_no_requests(stage: Stage) -> None:
    ann, _, room = match(stage)
    spectator = player(stage, "W")
    spectator.ask("join-room", {"roomId": room, "asWatcher": True})
    place(ann, room, 7, 7)
    spectator.heard()
    for _ in range(3):
        ann.ask("request-undo", {"roomId": room})
    assert spectator.heard() == []


# Disconnected opponent


@pytest.mark.parametrize("accept", [True, False])
def test_a_request_to_a_disconnected_opponent_is_refused(stage: Stage, accept: bool) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    ann.ask("request-undo", {"roomId": room})
    ann.cut()
    bob.heard()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": accept})) == "opponent_missing"
    ann.back()
    bob.heard()
    received = names(bob.ask("respond-undo", {"roomId": room, "accept": accept}))
    assert received == (["undo-result", "room-updated"] if accept else ["undo-result"])


def test_a_disconnected_opponent_is_reported_before_a_missing_request(stage: Stage) -> None:
    ann, bob, room = match(stage)
    place(ann, room, 7, 7)
    ann.cut()
    bob.heard()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})) == "opponent_missing"


def test_a_finished_game_is_reported_before_a_disconnected_opponent(stage: Stage) -> None:
    ann, bob, room = match(stage)
    win(ann, bob, room)
    ann.cut()
    bob.heard()
    assert error(bob.ask("respond-undo", {"roomId": room, "accept": True})) == "not_playing"


# Turn timer for late entrants


def timers(received: list[list[object]]) -> list[object]:
    return [said for name, said in received if name == "turn-timer-start"]


def test_a_spectator_receives_the_remaining_turn_time_on_entry(stage: Stage) -> None:
    ann, _, room = match(stage, turnTimer=True)
    place(ann, room, 7, 7)
    stage.wait(12)
    spectator = player(stage, "W")
    received = without_lobby(spectator.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated", "turn-timer-start"]
    # Joining the lobby took a fifth of a second; clients count whole ones.
    assert received[-1][1] == {"timeLimit": 18_000, "currentTurn": 2}
    stage.wait(17.7)
    assert "game-over" not in names(spectator.heard())
    stage.wait(0.3)
    assert "game-over" in names(spectator.heard())


def test_a_player_who_joins_the_same_room_again_receives_the_remaining_turn_time(stage: Stage) -> None:
    ann, bob, room = match(stage, turnTimer=True)
    assert timers(bob.ask("join-room", {"roomId": room})) == [{"timeLimit": 30_000, "currentTurn": 1}]
    stage.wait(10)
    assert timers(ann.ask("join-room", {"roomId": room})) == [{"timeLimit": 20_000, "currentTurn": 1}]


@pytest.mark.parametrize("over", [True, False])
def test_a_spectator_receives_no_timer_when_no_game_runs(stage: Stage, over: bool) -> None:
    if over:
        ann, bob, room = match(stage, turnTimer=True)
        bob.ask("surrender", {"roomId": room})
    else:
        ann = player(stage, "Ann")
        room = create_room(ann, turnTimer=True)
    spectator = player(stage, "W")
    received = without_lobby(spectator.ask("join-room", {"roomId": room, "asWatcher": True}))
    assert names(received) == ["room-joined", "room-updated"]
