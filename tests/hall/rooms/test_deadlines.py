"""When a player's time is up, however often the clock has been pressed before."""

from typing import Any

from tests.support.stage import Peer, Stage, mark, seat_to_act


def _table(stage: Stage, clock: dict[str, Any]) -> tuple[list[Peer], str]:
    """Return two players of a clocked game, whoever begins first, and their room."""
    ann, ben, shown = stage.table(clock=clock)
    room = shown["room"]["id"]
    players = [ann, ben]
    if seat_to_act(shown) == 1:
        players.reverse()
    for player in players:
        player.heard()
    return players, room


def _over(heard: list[Any]) -> list[str]:
    return [event["reason"] for notice in heard for event in notice["events"] if event["e"] == "game_over"]


def test_an_alarm_that_moves_passed_by_rings_when_time_is_really_up(stage: Stage) -> None:
    (first, second), room = _table(stage, {"main": [10_000], "increment": 5_000})
    for cell, player in enumerate((first, second, first, second)):
        stage.wait(4)
        player.send("play", **mark(room, cell, nonce=f"n{cell}"))
        stage.settle()
    # Each has used eight seconds of ten, and earned ten: it is past the moment of the first alarm.
    first.heard()
    stage.wait(11.9)
    assert first.heard() == []
    stage.wait(0.2)
    assert _over(first.heard()) == ["time"]


def test_whoever_has_less_time_is_looked_at_earlier(stage: Stage) -> None:
    (first, second), room = _table(stage, {"main": [20_000]})
    for cell, (player, thought) in enumerate(((first, 1), (second, 15), (first, 1))):
        stage.wait(thought)
        player.send("play", **mark(room, cell, nonce=f"n{cell}"))
        stage.settle()
    second.heard()
    stage.wait(4.9)
    assert second.heard() == []
    stage.wait(0.2)
    assert _over(second.heard()) == ["time"]


def test_a_game_that_is_over_leaves_no_alarm(stage: Stage) -> None:
    (first, _), room = _table(stage, {"main": [10_000]})
    alarms = len(stage.hall.alarms)
    first.ask("resign", room=room)
    assert len(stage.hall.alarms) == alarms - 1
    stage.wait(30)
    assert first.heard() == []
