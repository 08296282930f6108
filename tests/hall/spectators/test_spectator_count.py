"""The members of a room receive the number of spectators and not their names."""

from typing import Any

from tests.support.hall_simulation import HallSimulation, Message, NativeClient


def counts(one: NativeClient) -> list[Any]:
    return [notice["spectators"] for notice in one.received() if notice["type"] == "spectators"]


def watched(simulation: HallSimulation, room: str, name: str) -> tuple[NativeClient, Message]:
    peer = simulation.native_client(name)
    (seen,) = peer.ask("watch", room=room)
    return peer, seen["room"]


def test_the_spectator_count_is_sent_in_an_unlisted_room(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(public=False)
    assert "spectators" not in shown["room"]
    _, first = watched(simulation, shown["room"]["id"], "Eve")
    simulation.wait(1)
    assert (first["spectators"], counts(ann), counts(bob)) == (1, [1], [1])
    mallory, second = watched(simulation, shown["room"]["id"], "Mallory")
    assert second["spectators"] == 2
    simulation.wait(1)
    mallory.send("leave", room=shown["room"]["id"])
    simulation.wait(1)
    assert counts(ann) == [2, 1]
    assert "Eve" not in str(bob.transport.frames)


def test_many_spectators_who_arrive_together_cause_one_notice(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    for number in range(9):
        watched(simulation, shown["room"]["id"], f"Eve {number}")
    simulation.wait(1)
    assert counts(ann) == [9]


def test_a_spectator_who_takes_a_seat_is_no_longer_counted(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    (shown,) = ann.ask("open", game="tictactoe", nonce="n")
    room = shown["room"]["id"]
    bob, _ = watched(simulation, room, "Bob")
    simulation.wait(1)
    assert counts(ann) == [1]
    bob.ask("join", room=room)
    simulation.wait(1)
    assert counts(ann) == [0]


def test_the_spectator_count_is_sent_after_a_resume(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room()
    room = shown["room"]["id"]
    watched(simulation, room, "Eve")
    simulation.wait(1)
    version = shown["version"]
    ann.disconnect()
    simulation.wait(1)
    again = simulation.native_client(token=ann.token)
    again.send("resume", room=room, version=version)
    assert counts(again) == [1]
