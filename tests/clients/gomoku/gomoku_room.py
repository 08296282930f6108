"""People of the gomoku dialect on the stage, and what they hear in short."""

from typing import Any

from tests.support.stage import Caller, Stage

Heard = list[Any]


def player(stage: Stage, nickname: str) -> Caller:
    """Return a new socket that has joined the lobby and heard about it."""
    caller = stage.caller(login=False)
    heard = caller.ask("join-lobby", {"nickname": nickname})
    assert [event for event, *_ in heard] == ["online-count", "room-list"], heard
    stage.wait(0.2)
    caller.heard()
    return caller


def names(heard: Heard) -> list[str]:
    """Return the names of the events."""
    return [event for event, *_ in heard]


def quiet(heard: Heard) -> Heard:
    """Return the events less those that only say how the lobby is."""
    return [each for each in heard if each[0] not in {"room-list", "online-count"}]


def error(heard: Heard) -> str:
    """Return the code of the one error that was heard."""
    ((name, wrong),) = quiet(heard)
    assert name == "error", heard
    return str(wrong["code"])


def room_of(heard: Heard) -> dict[str, Any]:
    """Return the last view of a room that was heard."""
    views = [each[1] for each in heard if each[0] in {"room-updated", "room-joined"}]
    room: dict[str, Any] = views[-1]["room"]
    return room


def opened(caller: Caller, **fields: Any) -> str:
    """Create a room and return its id."""
    ((name, joined),) = quiet(caller.ask("create-room", {"name": "测试房间", **fields}))
    assert name == "room-joined"
    return str(joined["room"]["id"])


def match(stage: Stage, *nicknames: str, **fields: Any) -> tuple[Caller, Caller, str]:
    """Return two in a running game, black first, and the room's id."""
    ann, bob = (player(stage, name) for name in nicknames or ("Ann", "Bob"))
    room = opened(ann, **fields)
    bob.ask("join-room", {"roomId": room, "asWatcher": False})
    ann.heard()
    return ann, bob, room


def place(caller: Caller, room: str, x: Any, y: Any) -> Heard:
    """Place a stone and return what was heard."""
    return caller.ask("place-stone", {"roomId": room, "x": x, "y": y})


def win(black: Caller, white: Caller, room: str) -> tuple[Heard, Heard]:
    """Let black win along a row; return what both heard of the last stone."""
    for x in range(4):
        place(black, room, x, 7)
        place(white, room, x, 8)
    black.heard()
    white.heard()
    return place(black, room, 4, 7), white.heard()
