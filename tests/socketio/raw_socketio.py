"""Socket.IO packets over a raw Engine.IO session."""

import json
from typing import Any

from tests.socketio.raw_engineio import Packet, RawSession


def connect(session: RawSession, auth: Any = None, namespace: str = "") -> dict[str, Any]:
    """Connect to a namespace and return the server's answer.

    A server may replay missed events before it answers (the official one does) or after.
    """
    prefix = f"{namespace}," if namespace else ""
    session.send(f"40{prefix}" + ("" if auth is None else json.dumps(auth)))
    early: list[Packet] = []
    while not str(packet := session.receive()).startswith("40"):
        assert not str(packet).startswith(("41", "44")), packet
        early.append(packet)
    session.received.extendleft(reversed(early))
    assert isinstance(packet, str), packet
    assert packet.startswith(f"40{prefix}{{"), packet
    answer: dict[str, Any] = json.loads(packet[2 + len(prefix) :])
    return answer


def connect_and_skip_auth(session: RawSession, auth: Any = None, namespace: str = "") -> dict[str, Any]:
    """Connect to a namespace, skip its `auth` event and return the server's answer."""
    answer = connect(session, auth, namespace)
    receive_event(session, "auth", namespace)
    return answer


def receive_event(session: RawSession, name: str, namespace: str = "") -> list[Any]:
    """Receive one event of this name and return its arguments."""
    packet = session.receive()
    prefix = "42" + (f"{namespace}," if namespace else "")
    assert isinstance(packet, str), packet
    assert packet.startswith(prefix + "["), packet
    answer = json.loads(packet[len(prefix) :])
    assert answer[0] == name, answer
    return list(answer[1:])


def emit(session: RawSession, *answer: Any) -> None:
    """Send one event."""
    session.send("42" + json.dumps(answer))


def is_alive(session: RawSession) -> bool:
    """Tell whether the session answers and nothing else was sent."""
    emit(session, "message", "are you there")
    return receive_event(session, "message-back")[:1] == ["are you there"]
