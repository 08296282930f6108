"""Gomoku clients in the simulation, and helpers for the events they receive."""

from typing import Any

from tests.support.hall_simulation import HallSimulation, SocketIOClient

Events = list[Any]


def player(simulation: HallSimulation, nickname: str) -> SocketIOClient:
    """Return a new socket that has joined the lobby."""
    caller = simulation.socketio_client(login=False)
    received = caller.ask("join-lobby", {"nickname": nickname})
    assert [event for event, *_ in received] == ["online-count", "room-list"], received
    simulation.wait(0.2)
    caller.received()
    return caller


def names(received: Events) -> list[str]:
    """Return the names of the events."""
    return [event for event, *_ in received]


def without_lobby(received: Events) -> Events:
    """Return the events without those about the lobby."""
    return [each for each in received if each[0] not in {"room-list", "online-count"}]


def error(received: Events) -> str:
    """Return the code of the one error received."""
    ((name, wrong),) = without_lobby(received)
    assert name == "error", received
    return str(wrong["code"])


def room_of(received: Events) -> dict[str, Any]:
    """Return the last view of a room received."""
    views = [each[1] for each in received if each[0] in {"room-updated", "room-joined"}]
    room: dict[str, Any] = views[-1]["room"]
    return room


def create_room(caller: SocketIOClient, **fields: Any) -> str:
    """Create a room and return its id."""
    ((name, joined),) = without_lobby(caller.ask("create-room", {"name": "测试房间", **fields}))
    assert name == "room-joined"
    return str(joined["room"]["id"])


def match(
    simulation: HallSimulation, *nicknames: str, **fields: Any
) -> tuple[SocketIOClient, SocketIOClient, str]:
    """Return two clients in a running game, black first, and the room's id."""
    ann, bob = (player(simulation, name) for name in nicknames or ("Ann", "Bob"))
    room = create_room(ann, **fields)
    bob.ask("join-room", {"roomId": room, "asWatcher": False})
    ann.received()
    return ann, bob, room


def place(caller: SocketIOClient, room: str, x: Any, y: Any) -> Events:
    """Place a stone and return the received events."""
    return caller.ask("place-stone", {"roomId": room, "x": x, "y": y})


def win(black: SocketIOClient, white: SocketIOClient, room: str) -> tuple[Events, Events]:
    """Let black win along a row; return what both receive for the last stone."""
    for x in range(4):
        place(black, room, x, 7)
        place(white, room, x, 8)
    black.received()
    white.received()
    return place(black, room, 4, 7), white.received()
