"""A gomoku client is in one room: the one it requested last, even with concurrent requests."""

from collections.abc import Iterator

import pytest

from qipai.kernel.ids import SPECTATOR
from tests.clients.gomoku.gomoku_clients import (
    create_room,
    error,
    match,
    names,
    place,
    player,
    room_of,
    without_lobby,
)
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import HallSimulation, SocketIOClient

COMING = ("sit A", "watch A", "sit B", "watch B", "create", "quick")


@pytest.fixture
def store() -> FaultyStore:
    return FaultyStore()


@pytest.fixture
def simulation(store: FaultyStore) -> Iterator[HallSimulation]:
    with HallSimulation(store) as made:
        yield made


def come(caller: SocketIOClient, way: str, rooms: dict[str, str]) -> None:
    """Request to enter a room in one of the ways, without waiting."""
    how, *which = way.split()
    if which:
        caller.send("join-room", {"roomId": rooms[which[0]], "asWatcher": how == "watch"})
    else:
        caller.send("create-room" if how == "create" else "quick-match", {})


def whereabouts(simulation: HallSimulation, caller: SocketIOClient) -> tuple[str, str, str]:
    """Return the title of the one room of a client, and its role in the hall and as received."""
    assert caller.connection.person is not None
    ((room, viewer),) = caller.connection.rooms.items()
    live_room = simulation.hall.executor.live_rooms[room]
    assert live_room.members[caller.connection] == viewer
    assert simulation.hall.executor.seat_index.get(caller.connection.person, set()) == (
        set() if viewer == SPECTATOR else {room}
    )
    view = room_of(caller.received())
    assert view["id"] == live_room.durable.code
    return view["name"], "watcher" if viewer == SPECTATOR else "player", view["myRole"]


@pytest.mark.parametrize("second", COMING)
@pytest.mark.parametrize("first", COMING)
def test_two_joins_sent_together_are_handled_one_by_one(first: str, second: str) -> None:
    ends = []
    for patient in (True, False):
        with HallSimulation() as simulation:
            rooms = {name: create_room(player(simulation, name), name=name) for name in ("A", "B")}
            eve = player(simulation, "Eve")
            come(eve, first, rooms)
            if patient:
                simulation.settle()
            come(eve, second, rooms)
            simulation.settle()
            ends.append(whereabouts(simulation, eve))
    assert ends[0] == ends[1]


@pytest.mark.parametrize("seat", [True, False])
def test_the_last_requested_room_is_entered_under_load(simulation: HallSimulation, seat: bool) -> None:
    ann, bob, eve = (player(simulation, name) for name in ("Ann", "Bob", "Eve"))
    room, other = create_room(ann, name="A"), create_room(bob, name="B")
    bob.send("chat-message", {"roomId": other, "message": "hi"})
    eve.send("quick-match")
    eve.send("join-room", {"roomId": other, "asWatcher": not seat})
    simulation.settle()
    assert whereabouts(simulation, eve)[:2] == ("B", "player" if seat else "watcher")
    assert room_of(ann.received())["players"]["white"] is None
    assert room_of(ann.ask("join-room", {"roomId": room}))["myRole"] == "black"


def test_a_join_and_a_watch_sent_together_are_answered_in_order(simulation: HallSimulation) -> None:
    ann, bob, eve = (player(simulation, name) for name in ("Ann", "Bob", "Eve"))
    first, second = create_room(ann), create_room(bob)
    eve.send("join-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": True})
    received = [each for each in without_lobby(eve.received()) if each[0] in {"room-joined", "error"}]
    assert [(name, data["room"]["id"], data["role"]) for name, data in received] == [
        ("room-joined", first, "white"),
        ("room-joined", second, "watcher"),
    ]
    assert room_of(bob.received())["watchers"] == [{"nickname": "Eve"}]
    assert room_of(ann.received())["players"]["white"] is None


# Leaving and entering together


@pytest.mark.parametrize("watch", [True, False])
@pytest.mark.parametrize("seated", [True, False])
def test_a_leave_and_a_join_sent_together_are_no_error(
    simulation: HallSimulation, seated: bool, watch: bool
) -> None:
    ann, bob, eve = (player(simulation, name) for name in ("Ann", "Bob", "Eve"))
    first, second = create_room(ann), create_room(bob)
    eve.ask("join-room", {"roomId": first, "asWatcher": not seated})
    eve.send("leave-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": watch})
    simulation.wait(0.3)
    received = without_lobby(eve.received())
    assert names(received) == ["room-joined", "room-updated"]
    assert room_of(received)["id"] == second
    assert names(without_lobby(ann.received()))[-2:] == (
        ["player-left", "room-updated"] if not seated else ["game-over", "room-updated"]
    )


@pytest.mark.parametrize("watch", [True, False])
def test_two_leaves_sent_together_are_answered_once(simulation: HallSimulation, watch: bool) -> None:
    ann, eve = player(simulation, "Ann"), player(simulation, "Eve")
    room = create_room(ann)
    eve.ask("join-room", {"roomId": room, "asWatcher": watch})
    eve.send("leave-room", {"roomId": room})
    eve.send("leave-room", {"roomId": room})
    assert without_lobby(eve.received()) == []
    assert names(without_lobby(ann.received())).count("player-left") == 1


def test_join_leave_and_join_elsewhere_sent_together_are_no_error(simulation: HallSimulation) -> None:
    ann, bob, eve = (player(simulation, name) for name in ("Ann", "Bob", "Eve"))
    first, second = create_room(ann), create_room(bob)
    eve.send("join-room", {"roomId": first})
    eve.send("leave-room", {"roomId": first})
    eve.send("join-room", {"roomId": second, "asWatcher": True})
    received = without_lobby(eve.received())
    assert "error" not in names(received)
    assert room_of(received)["id"] == second
    assert len(eve.connection.rooms) == 1


def test_a_room_can_be_left_and_joined_repeatedly(simulation: HallSimulation) -> None:
    ann, eve = player(simulation, "Ann"), player(simulation, "Eve")
    room = create_room(ann)
    for _ in range(3):
        assert room_of(eve.ask("join-room", {"roomId": room, "asWatcher": True}))["myRole"] == "watcher"
        eve.ask("leave-room", {"roomId": room})
        assert eve.connection.rooms == {}


# Refused


@pytest.mark.parametrize("number", ["full", "1", None])
def test_after_a_refused_join_the_present_room_is_only_updated(
    simulation: HallSimulation, store: FaultyStore, number: str | None
) -> None:
    _, _, full = match(simulation)
    cat, dan, room = match(simulation, "Cat", "Dan")
    assert error(cat.ask("join-room", {"roomId": full if number == "full" else number})) in {
        "room_full",
        "room_not_found",
    }
    dan.received()
    # The store loses a stone, so everybody is shown the room as it is.
    store.fail_before = 1
    assert names(without_lobby(place(cat, room, 7, 7))) == ["error", "room-updated"]
    assert names(without_lobby(dan.received())) == ["room-updated"]


def test_after_a_refused_join_the_present_room_can_be_joined_again(simulation: HallSimulation) -> None:
    _, _, full = match(simulation)
    cat, _, room = match(simulation, "Cat", "Dan")
    assert error(cat.ask("join-room", {"roomId": full})) == "room_full"
    assert names(without_lobby(cat.ask("join-room", {"roomId": room}))) == ["room-joined", "room-updated"]
