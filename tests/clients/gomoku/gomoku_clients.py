"""Gomoku clients on the stage, and helpers for the events they receive."""

from typing import Any

from tests.support.stage import Caller, Stage

Events = list[Any]


def player(stage: Stage, nickname: str) -> Caller:
    """Return a new socket that has joined the lobby."""
    caller = stage.caller(login=False)
    received = caller.ask("join-lobby", {"nickname": nickname})
    assert [event for event, *_ in received] == ["online-count", "room-list"], received
    stage.wait(0.2)
    caller.heard()
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


def create_room(caller: Caller, **fields: Any) -> str:
    """Create a room and return its id."""
    ((name, joined),) = without_lobby(caller.ask("create-room", {"name": "测试房间", **fields}))
    assert name == "room-joined"
    return str(joined["room"]["id"])


def match(stage: Stage, *nicknames: str, **fields: Any) -> tuple[Caller, Caller, str]:
    """Return two clients in a running game, black first, and the room's id."""
    ann, bob = (player(stage, name) for name in nicknames or ("Ann", "Bob"))
    room = create_room(ann, **fields)
    bob.ask("join-room", {"roomId": room, "asWatcher": False})
    ann.heard()
    return ann, bob, room


def place(caller: Caller, room: str, x: Any, y: Any) -> Events:
    """Place a stone and return the received events."""
    return caller.ask("place-stone", {"roomId": room, "x": x, "y": y})


def win(black: Caller, white: Caller, room: str) -> tuple[Events, Events]:
    """Let black win along a row; return what both receive for the last stone."""
    for x in range(4):
        place(black, room, x, 7)
        place(white, room, x, 8)
    black.heard()
    white.heard()
    return place(black, room, 4, 7), white.heard()
