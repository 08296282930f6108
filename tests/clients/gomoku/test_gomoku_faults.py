"""Gomoku clients when the store loses a batch: they receive an error and can try again."""

from collections.abc import Iterator

import pytest

from tests.clients.gomoku.gomoku_clients import match, names, place, player, room_of, without_lobby
from tests.support.faulty import Faulty
from tests.support.stage import Stage


@pytest.fixture
def store() -> Faulty:
    return Faulty()


@pytest.fixture
def stage(store: Faulty) -> Iterator[Stage]:
    with Stage(store) as made:
        yield made


def test_a_stone_lost_by_the_store_is_reported_and_can_be_placed_again(stage: Stage, store: Faulty) -> None:
    ann, bob, room = match(stage)
    bob.heard()
    store.fail_before = 1
    received = without_lobby(place(ann, room, 7, 7))
    assert names(received) == ["error", "room-updated"]
    assert received[0][1]["code"] == "unavailable"
    assert room_of(received)["history"] == []
    assert names(without_lobby(bob.heard())) == ["room-updated"]
    assert names(place(ann, room, 7, 7)) == names(bob.heard()) == ["stone-placed", "room-updated"]


def test_a_stone_committed_despite_an_error_is_shown(stage: Stage, store: Faulty) -> None:
    ann, bob, room = match(stage)
    bob.heard()
    store.fail_after = 1
    place(ann, room, 7, 7)
    assert room_of(bob.heard())["history"] == [{"x": 7, "y": 7, "color": 1}]
    assert names(place(bob, room, 8, 8)) == ["stone-placed", "room-updated"]


def test_a_room_lost_by_the_store_can_be_created_again(stage: Stage, store: Faulty) -> None:
    ann = player(stage, "Ann")
    store.fail_before = 1
    assert set(names(without_lobby(ann.ask("create-room", {})))) == {"error"}
    assert names(without_lobby(ann.ask("create-room", {}))) == ["room-joined"]
    stage.wait(0.3)
    assert len(ann.ask("refresh-rooms")[-1][1]) == 1


@pytest.mark.parametrize("written", [False, True])
def test_a_seat_lost_by_the_store_is_taken_by_joining_again(
    stage: Stage, store: Faulty, written: bool
) -> None:
    ann, bob = player(stage, "Ann"), player(stage, "Bob")
    room = str(ann.ask("create-room", {})[-1][1]["room"]["id"])
    bob.heard()
    if written:
        store.fail_after = 1
    else:
        store.fail_before = 1
    assert names(without_lobby(bob.ask("join-room", {"roomId": room}))) == ["error"]
    assert names(without_lobby(bob.ask("join-room", {"roomId": room}))) == ["room-joined", "room-updated"]
    assert room_of(ann.heard())["status"] == "playing"
    assert names(without_lobby(place(ann, room, 7, 7))) == ["stone-placed", "room-updated"]


def test_rooms_are_loaded_after_a_restart_without_connections(store: Faulty) -> None:
    with Stage(store) as before:
        ann, _, room = match(before)
        place(ann, room, 7, 7)
        clock = before.loop.clock
    with Stage(store, clock=clock + 10) as stage:
        eve = player(stage, "Eve")
        ((_, rows),) = eve.ask("refresh-rooms")
        assert [(row["id"], row["status"]) for row in rows] == [(room, "playing")]
        view = room_of(eve.ask("join-room", {"roomId": room, "asWatcher": True}))
        assert view["history"] == [{"x": 7, "y": 7, "color": 1}]
        eve.ask("leave-room", {"roomId": room})
        stage.wait(1000)
        assert stage.hall.executor.live_rooms == {}
