"""Connection state recovery: a client gets its socket back, with exactly the missed events."""

import contextlib
import socket
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.socketio.client_programs import echo_server, only_ours
from tests.socketio.raw_engineio import (
    TRANSPORTS,
    Packet,
    RawSession,
    WebSocket,
    wait_for_close,
    wait_until_read,
)
from tests.socketio.raw_socketio import connect, emit, receive_event

pytestmark = pytest.mark.slow


class Guest:
    """A client that remembers what it needs to come back."""

    def __init__(self, port: int, make: Callable[[int], RawSession] = WebSocket) -> None:
        self.port = port
        self.line = make(port)
        self.said = connect(self.line)
        self.offset = ""
        assert self.hear("auth") == [{}]

    def hear(self, name: str) -> list[Any]:
        *said, self.offset = receive_event(self.line, name)
        return said

    def back(self, make: Callable[[int], RawSession] = WebSocket, **changed: Any) -> "Guest":
        """Return over a new connection with the pid and the offset, or what is given instead."""
        new = object.__new__(Guest)
        new.port, new.offset, new.line = self.port, self.offset, make(self.port)
        auth = {"pid": self.said["pid"], "offset": self.offset} | changed
        new.said = connect(new.line, {name: value for name, value in auth.items() if value is not None})
        return new

    def known(self, as_: "Guest") -> bool:
        """Whether this is the same session; if not, it is a wholly new one."""
        same = self.said == as_.said
        if not same:
            assert self.said["sid"] != as_.said["sid"]
            assert self.said["pid"] != as_.said["pid"]
            self.hear("auth")
        return same

    def quiet(self) -> bool:
        """Whether nothing but the echo of a marker is under way."""
        emit(self.line, "message", "marker")
        return self.hear("message-back") == ["marker"]


def cut(guest: Guest) -> None:
    """Break the connection without a close frame."""
    assert isinstance(guest.line, WebSocket)
    raw = guest.line.socket.socket
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    with contextlib.suppress(OSError):
        raw.shutdown(socket.SHUT_RD)
    raw.close()
    time.sleep(0.2)


def test_the_reply_to_connect_has_a_pid(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    assert set(guest.said) == {"sid", "pid"}
    assert guest.said["sid"] != guest.said["pid"] != guest.line.sid
    guest.line.close()


def test_every_event_ends_with_its_offset(recovery_port: int, transport: str) -> None:
    guest = Guest(recovery_port, TRANSPORTS[transport])
    seen = [guest.offset]
    emit(guest.line, "message", "x", {"y": 1})
    assert guest.hear("message-back") == ["x", {"y": 1}]
    seen.append(guest.offset)
    emit(guest.line, "burst", 10)
    for number in range(10):
        assert guest.hear("tick") == [number]
        seen.append(guest.offset)
    assert all(isinstance(offset, str) and offset for offset in seen)
    assert len(set(seen)) == 12
    guest.line.close()


def test_binary_events_have_an_offset_and_acknowledgements_none(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    guest.line.send('451-["message",{"_placeholder":true,"num":0}]', b"x")
    packet = str(guest.line.receive())
    assert packet.startswith('451-["message-back",{"_placeholder":true,"num":0},"')
    assert guest.line.receive() == b"x"
    guest.line.send('425["message-with-ack",1]')
    assert guest.line.receive() == "435[1]"
    guest.line.close()


@pytest.mark.parametrize("returning", TRANSPORTS)
def test_recovery_sends_exactly_the_missed_events(recovery_port: int, transport: str, returning: str) -> None:
    guest = Guest(recovery_port, TRANSPORTS[transport])
    emit(guest.line, "burst", 100)
    for number in range(40):
        assert guest.hear("tick") == [number]
    guest.line.close()
    time.sleep(0.1)
    back = guest.back(TRANSPORTS[returning])
    assert back.known(guest)
    for number in range(40, 100):
        assert back.hear("tick") == [number]
    assert back.quiet()
    back.line.close()


def test_recovery_without_missed_events_sends_nothing(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    for _ in range(3):
        cut(guest)
        back = guest.back()
        assert back.known(guest)
        assert back.quiet()
        guest = back
    guest.line.close()


def test_missed_binary_events_are_sent_again_with_attachments(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    guest.line.send('452-["message",{"a":{"_placeholder":true,"num":0}},{"_placeholder":true,"num":1}]')
    guest.line.send(b"one", b"two")
    received: list[Packet] = [guest.line.receive() for _ in range(3)]
    cut(guest)
    back = guest.back()
    assert back.known(guest)
    assert [back.line.receive() for _ in range(3)] == received
    emit(back.line, "message", "marker")
    assert receive_event(back.line, "message-back")[0] == "marker"
    back.line.close()


def test_recovery_with_an_older_offset_repeats_from_there(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    emit(guest.line, "burst", 5)
    guest.hear("tick")
    early = guest.offset
    for _ in range(4):
        guest.hear("tick")
    cut(guest)
    back = guest.back(offset=early)
    assert back.known(guest)
    assert [back.hear("tick")[0] for _ in range(4)] == [1, 2, 3, 4]
    assert back.quiet()
    back.line.close()


def test_an_event_with_acknowledgement_is_not_sent_again_on_recovery(recovery_port: int) -> None:
    """Clients take no offset from an event that wants an answer, so it cannot be among what is replayed."""
    guest = Guest(recovery_port)
    emit(guest.line, "ask", "how many?")
    packet = str(guest.line.receive())
    assert packet.endswith('["question","how many?"]'), "no offset"
    guest.line.send("43" + packet[2 : packet.index("[")] + "[3]")
    assert guest.hear("answered") == [3]
    cut(guest)
    back = guest.back()
    assert back.known(guest)
    assert back.quiet()
    cut(back)
    early = guest.back(offset=guest.offset)
    assert early.known(guest)
    assert early.hear("message-back") == ["marker"]
    assert early.quiet()
    early.line.close()


@pytest.mark.parametrize(
    "wrong",
    [
        {"pid": "nobody"},
        {"pid": ""},
        {"pid": 7},
        {"pid": None},
        {"pid": {"a": 1}},
        {"offset": "nonsense"},
        {"offset": 7},
        {"offset": ["x"]},
    ],
    ids=str,
)
def test_a_wrong_pid_or_offset_gives_a_new_socket(recovery_port: int, wrong: dict[str, Any]) -> None:
    guest = Guest(recovery_port)
    cut(guest)
    back = guest.back(**wrong)
    assert not back.known(guest)
    assert back.quiet()
    back.line.close()


def test_another_client_s_offset_reveals_none_of_its_events(recovery_port: int) -> None:
    one, two = Guest(recovery_port), Guest(recovery_port)
    emit(two.line, "message", "a secret of two")
    assert two.hear("message-back") == ["a secret of two"]
    emit(one.line, "message", "mine")
    assert one.hear("message-back") == ["mine"]
    cut(one)
    back = one.back(offset=two.offset)
    back.known(one)
    emit(back.line, "message", "marker")
    received: list[Any] = []
    while not received or received[-1] != "marker":
        received += back.hear("message-back")
    assert "a secret of two" not in received
    back.line.close()
    two.line.close()


@only_ours("it ends nothing that it thinks is alive")
@pytest.mark.parametrize("returning", TRANSPORTS)
def test_recovery_takes_over_a_connection_not_yet_known_to_be_lost(
    recovery_port: int, transport: str, returning: str
) -> None:
    guest = Guest(recovery_port, TRANSPORTS[transport])
    emit(guest.line, "burst", 30)
    for _ in range(10):
        guest.hear("tick")
    back = guest.back(TRANSPORTS[returning])
    assert back.known(guest)
    assert [back.hear("tick")[0] for _ in range(20)] == list(range(10, 30))
    assert back.quiet()
    wait_for_close(guest.line)
    assert back.quiet(), "the old connection's end changes nothing"
    back.line.close()


def test_a_recovered_socket_can_be_recovered_again(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    received: list[int] = []
    for _ in range(4):
        emit(guest.line, "burst", 25)
        for _ in range(10):
            received += guest.hear("tick")
        cut(guest)
        back = guest.back()
        assert back.known(guest)
        for _ in range(15):
            received += back.hear("tick")
        guest = back
    assert received == list(range(25)) * 4
    guest.line.close()


@pytest.mark.parametrize("packets", [["41"], ['42["bye"]']], ids=["the client", "the server"])
def test_a_client_that_disconnected_cannot_recover(recovery_port: int, packets: list[str]) -> None:
    guest = Guest(recovery_port)
    guest.line.send(*packets)
    time.sleep(0.1)
    guest.line.close()
    assert not guest.back().known(guest)


def test_after_the_recovery_time_there_is_a_new_socket() -> None:
    with echo_server("--recovery", "4") as port:
        guest = Guest(port)
        cut(guest)
        back = guest.back()
        assert back.known(guest)
        cut(back)
        time.sleep(4.5)
        late = back.back()
        assert not late.known(back)
        assert late.quiet()
        late.line.close()


@only_ours("its buffer is not bounded")
def test_an_overflowed_buffer_is_not_replayed_with_gaps(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    emit(guest.line, "burst", 10_000)
    wait_until_read(recovery_port)
    cut(guest)
    time.sleep(0.5)
    back = guest.back()
    assert not back.known(guest)
    assert back.quiet()
    back.line.close()


@only_ours("it wants an offset")
def test_recovery_before_the_first_event_needs_no_offset(recovery_port: int) -> None:
    guest = Guest(recovery_port)
    emit(guest.line, "burst", 3)
    for _ in range(3):
        guest.hear("tick")
    cut(guest)
    back = guest.back(offset=None)
    assert back.said == guest.said
    assert back.hear("auth") == [{}]
    assert [back.hear("tick")[0] for _ in range(3)] == [0, 1, 2]
    assert back.quiet()
    back.line.close()
