"""Substitute bots play for players who are disconnected for long or have left."""

from typing import Any

from qipai.kernel.ids import RoomId
from tests.support.hall_simulation import HallSimulation, Message, NativeClient


def play_on(simulation: HallSimulation, seconds: float) -> None:
    """Let bots think in their thread while virtual time passes."""
    for _ in range(round(seconds * 2)):
        simulation.wait(0.5)
        simulation.finish_bot_decisions()


def table(simulation: HallSimulation, **more: Any) -> tuple[list[NativeClient], str]:
    """Return four players in a running game of mahjong with a substitute bot."""
    people = [simulation.native_client(name) for name in ("Ann", "Bob", "Cyd", "Dan")]
    wanted = {"disconnect_timeout": 0, "substitute_bot": "normal", **more}
    room = people[0].ask("open", game="mahjong", nonce="t", table=wanted)[0]["room"]["id"]
    for one in people[1:]:
        one.ask("join", room=room)
    for one in people:
        one.received()
    return people, room


def view(one: NativeClient, room: str) -> Message:
    (shown,) = [message for message in one.ask("resume", room=room, version=0) if message["type"] == "room"]
    found: Message = shown["room"]
    return found


def test_a_substitute_bot_plays_after_a_minute_and_stops_when_the_player_reconnects(
    simulation: HallSimulation,
) -> None:
    people, room = table(simulation)
    turn = view(people[0], room)["position"]["turn"]
    token, gone = people[turn].token, people[turn]
    other = people[(turn + 1) % 4]
    gone.disconnect()
    play_on(simulation, 58)
    assert view(other, room)["position"]["stage"] == "discarding"
    assert view(other, room)["seats"][turn]["disconnected"]
    play_on(simulation, 4)
    assert view(other, room)["position"]["last"] is not None
    assert "bot" not in view(other, room)["seats"][turn], "the seat still belongs to the player"
    back = simulation.native_client(token=token)
    back.ask("join", room=room)
    voted = view(other, room)["position"].get("answered", [])
    play_on(simulation, 10)
    assert view(other, room)["position"].get("answered", []) == voted, "no bot answers for the player now"


def test_no_substitute_bot_plays_while_all_players_are_disconnected(simulation: HallSimulation) -> None:
    people, room = table(simulation)
    for one in people:
        one.disconnect()
    play_on(simulation, 70)
    box = simulation.hall.executor.find(room)
    assert box is not None
    version = box.durable.version
    play_on(simulation, 30)
    assert box.durable.version == version


def test_a_bot_takes_the_seat_of_a_player_who_leaves_a_room_with_a_substitute_bot(
    simulation: HallSimulation,
) -> None:
    people, room = table(simulation)
    turn = view(people[0], room)["position"]["turn"]
    other = people[(turn + 1) % 4]
    people[turn].ask("leave", room=room)
    shown = view(other, room)
    assert shown["phase"] == "playing"
    assert shown["seats"][turn] == {"name": "Normal", "bot": "normal"}
    play_on(simulation, 3)
    assert view(other, room)["position"]["last"] is not None


def test_the_last_player_who_leaves_ends_the_game(simulation: HallSimulation) -> None:
    people, room = table(simulation)
    for one in people:
        one.ask("leave", room=room)
    simulation.wait(1)
    assert simulation.hall.executor.find(room) is None


def test_an_unknown_substitute_bot_is_refused(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    (refused,) = ann.ask("open", game="mahjong", nonce="t", table={"substitute_bot": "nobody"})
    assert refused["code"] == "no_such_bot"


def test_resigning_does_not_end_the_game_for_the_other_players(simulation: HallSimulation) -> None:
    people, room = table(simulation)
    (refused,) = people[0].ask("resign", room=room, nonce="r")
    assert refused["code"] == "not_allowed"
    assert view(people[1], room)["phase"] == "playing"


def test_a_substitute_bot_plays_after_its_worker_released_the_room_and_took_it_again(
    simulation: HallSimulation,
) -> None:
    people, room = table(simulation)
    turn = view(people[0], room)["position"]["turn"]
    people[turn].disconnect()
    play_on(simulation, 30)
    live = simulation.hall.executor.live_rooms[RoomId(room)]
    # As if the others went to another worker, and came back in the same position.
    for released in simulation.hall.replication.listeners.released:
        released(live)
    simulation.hall.executor.ask_bots(live)
    play_on(simulation, 32)
    assert view(people[(turn + 1) % 4], room)["position"]["last"] is not None
