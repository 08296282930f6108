"""When a player's time is up, however often the clock has been pressed before."""

from typing import Any

from tests.support.hall_simulation import HallSimulation, NativeClient, mark, seat_to_act


def _table(simulation: HallSimulation, clock: dict[str, Any]) -> tuple[list[NativeClient], str]:
    """Return two players of a game with a clock, the first to move first, and their room."""
    ann, ben, shown = simulation.running_room(clock=clock)
    room = shown["room"]["id"]
    players = [ann, ben]
    if seat_to_act(shown) == 1:
        players.reverse()
    for player in players:
        player.received()
    return players, room


def _over(notices: list[Any]) -> list[str]:
    return [event["reason"] for notice in notices for event in notice["events"] if event["e"] == "game_over"]


def test_an_alarm_that_moves_passed_by_rings_when_time_is_really_up(simulation: HallSimulation) -> None:
    (first, second), room = _table(simulation, {"main": [10_000], "increment": 5_000})
    for cell, player in enumerate((first, second, first, second)):
        simulation.wait(4)
        player.send("play", **mark(room, cell, nonce=f"n{cell}"))
        simulation.settle()
    # Each has used eight seconds of ten, and earned ten: it is past the moment of the first alarm.
    first.received()
    simulation.wait(11.9)
    assert first.received() == []
    simulation.wait(0.2)
    assert _over(first.received()) == ["time"]


def test_the_seat_with_less_time_is_checked_earlier(simulation: HallSimulation) -> None:
    (first, second), room = _table(simulation, {"main": [20_000]})
    for cell, (player, thought) in enumerate(((first, 1), (second, 15), (first, 1))):
        simulation.wait(thought)
        player.send("play", **mark(room, cell, nonce=f"n{cell}"))
        simulation.settle()
    second.received()
    simulation.wait(4.9)
    assert second.received() == []
    simulation.wait(0.2)
    assert _over(second.received()) == ["time"]


def test_a_game_that_is_over_leaves_no_alarm(simulation: HallSimulation) -> None:
    (first, _), room = _table(simulation, {"main": [10_000]})
    alarms = len(simulation.hall.alarms)
    first.ask("resign", room=room)
    assert len(simulation.hall.alarms) == alarms - 1
    simulation.wait(30)
    assert first.received() == []
