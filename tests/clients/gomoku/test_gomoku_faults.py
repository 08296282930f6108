"""Gomoku clients when the store loses a batch: they receive an error and can try again."""

from collections.abc import Iterator

import pytest

from tests.clients.gomoku.gomoku_clients import match, names, place, player, room_of, without_lobby
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def test_a_stone_lost_by_the_store_is_reported_and_can_be_placed_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann, bob, room = match(simulation)
    bob.received()
    store.fail_before = 1
    received = without_lobby(place(ann, room, 7, 7))
    assert names(received) == ["error", "room-updated"]
    assert received[0][1]["code"] == "unavailable"
    assert room_of(received)["history"] == []
    assert names(without_lobby(bob.received())) == ["room-updated"]
    assert names(place(ann, room, 7, 7)) == names(bob.received()) == ["stone-placed", "room-updated"]


def test_a_stone_committed_despite_an_error_is_shown(simulation: HallSimulation, store: FaultyStore) -> None:
    ann, bob, room = match(simulation)
    bob.received()
    store.fail_after = 1
    place(ann, room, 7, 7)
    assert room_of(bob.received())["history"] == [{"x": 7, "y": 7, "color": 1}]
    assert names(place(bob, room, 8, 8)) == ["stone-placed", "room-updated"]


def test_a_room_lost_by_the_store_can_be_created_again(
    simulation: HallSimulation, store: FaultyStore
) -> None:
    ann = player(simulation, "Ann")
    store.fail_before = 1
    assert set(names(without_lobby(ann.ask("create-room", {})))) == {"error"}
    assert names(without_lobby(ann.ask("create-room", {}))) == ["room-joined"]
    simulation.wait(0.3)
    assert len(ann.ask("refresh-rooms")[-1][1]) == 1


@pytest.mark.parametrize("written", [False, True])
def test_a_seat_lost_by_the_store_is_taken_by_joining_again(
    simulation: HallSimulation, store: FaultyStore, written: bool
) -> None:
    ann, bob = player(simulation, "Ann"), player(simulation, "Bob")
    room = str(ann.ask("create-room", {})[-1][1]["room"]["id"])
    bob.received()
    if written:
        store.fail_after = 1
    else:
        store.fail_before = 1
    assert names(without_lobby(bob.ask("join-room", {"roomId": room}))) == ["error"]
    assert names(without_lobby(bob.ask("join-room", {"roomId": room}))) == ["room-joined", "room-updated"]
    assert room_of(ann.received())["status"] == "playing"
    assert names(without_lobby(place(ann, room, 7, 7))) == ["stone-placed", "room-updated"]


def test_rooms_are_loaded_after_a_restart_without_connections(store: FaultyStore) -> None:
    with HallSimulation(store) as before:
        ann, _, room = match(before)
        place(ann, room, 7, 7)
        clock = before.loop.clock
    with HallSimulation(store, clock=clock + 10) as simulation:
        eve = player(simulation, "Eve")
        ((_, rows),) = eve.ask("refresh-rooms")
        assert [(row["id"], row["status"]) for row in rows] == [(room, "playing")]
        view = room_of(eve.ask("join-room", {"roomId": room, "asWatcher": True}))
        assert view["history"] == [{"x": 7, "y": 7, "color": 1}]
        eve.ask("leave-room", {"roomId": room})
        simulation.wait(1000)
        assert simulation.hall.executor.live_rooms == {}
