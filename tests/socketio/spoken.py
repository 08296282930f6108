"""Socket.IO over a raw session: connecting, events and what they carry."""

import json
from typing import Any

from tests.socketio.wire import Line, Packet


def greet(line: Line, auth: Any = None, namespace: str = "") -> dict[str, Any]:
    """Connect to a namespace and return what the server said to that.

    A server may replay what was missed before it answers (the official one does) or after.
    """
    prefix = f"{namespace}," if namespace else ""
    line.send(f"40{prefix}" + ("" if auth is None else json.dumps(auth)))
    early: list[Packet] = []
    while not str(packet := line.hear()).startswith("40"):
        assert not str(packet).startswith(("41", "44")), packet
        early.append(packet)
    line.heard.extendleft(reversed(early))
    assert isinstance(packet, str), packet
    assert packet.startswith(f"40{prefix}{{"), packet
    said: dict[str, Any] = json.loads(packet[2 + len(prefix) :])
    return said


def joined(line: Line, auth: Any = None, namespace: str = "") -> dict[str, Any]:
    """Connect to a namespace, swallow its `auth` event and return what the server said."""
    said = greet(line, auth, namespace)
    event(line, "auth", namespace)
    return said


def event(line: Line, name: str, namespace: str = "") -> list[Any]:
    """Hear one event of this name and return its arguments."""
    packet = line.hear()
    prefix = "42" + (f"{namespace}," if namespace else "")
    assert isinstance(packet, str), packet
    assert packet.startswith(prefix + "["), packet
    said = json.loads(packet[len(prefix) :])
    assert said[0] == name, said
    return list(said[1:])


def emit(line: Line, *said: Any) -> None:
    """Send one event."""
    line.send("42" + json.dumps(said))


def echoes(line: Line) -> bool:
    """Whether the session is alive and nothing else is under way."""
    emit(line, "message", "are you there")
    return event(line, "message-back")[:1] == ["are you there"]
