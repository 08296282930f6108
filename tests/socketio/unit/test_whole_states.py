"""Events that tell a whole state: a client that recovers gets the newest, and the buffer keeps no other."""

import json

import pytest

from qipai.socketio.missed_events import LONG_BYTES, MANY_EVENTS, MAX_BUFFERED_BYTES
from qipai.socketio.socket import Socket

from .endpoint_stage import Echo, EndpointStage, FakeWebSocket
from .test_recovery import Client
from .test_recovery import tell as tell_numbers

WHOLE_STATES = {"room": ("room",), "list": ("list",), "entered": ("list",)}
LONG = "x" * LONG_BYTES
"""Makes an event so long that those it replaces are looked for."""


def stage_with_states() -> EndpointStage:
    stage = EndpointStage(recovery=120.0)
    stage.endpoint.of("/", stage.echo, whole_states=WHOLE_STATES)
    return stage


def tell(stage: EndpointStage, socket: Socket, *events: tuple[str, object]) -> None:
    """Send events, states with a long text; every other event as a payload."""

    def emit() -> None:
        for number, (name, argument) in enumerate(events):
            text = LONG if name in WHOLE_STATES else ""
            if number % 2:
                socket.emit(name, argument, text)
            else:
                socket.emit_payload(json.dumps([name, argument, text], separators=(",", ":")).encode())

    stage.call(emit)


def heard(client: Client) -> list[tuple[str, object]]:
    """Return the events that arrived since the last call; the client has the offset of the last one."""
    events = [json.loads(frame[2:]) for frame in frames(client)]
    client.websocket.sent.clear()
    for *_, client.offset in events:
        pass
    return [(name, argument) for name, argument, *_ in events]


def frames(client: Client) -> list[bytes]:
    """Return the frames of the events that arrived."""
    sent = client.websocket.sent
    return [frame for frame in sent if isinstance(frame, bytes) and frame.startswith(b"42[")]


def retained(socket: Socket) -> int:
    return sum(event.size for event in socket.missed._events)


def moves(count: int) -> list[tuple[str, object]]:
    return [each for number in range(count) for each in (("move", number), ("room", number))]


@pytest.mark.parametrize("received", range(13))
def test_all_moves_and_the_newest_room_are_sent_again_after_any_offset(received: int) -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, *moves(received // 2), *[("move", received // 2)] * (received % 2))
        assert len(heard(client)) == received
        client.cut()
        rest = moves(8)[received:]
        tell(stage, client.socket, *rest)
        client.connect()
        assert client.recovered
        assert heard(client) == [each for each in rest if each[0] == "move" or each == ("room", 7)]


def test_a_client_recovers_from_the_offset_of_a_replaced_event() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, ("room", 0))
        heard(client)
        tell(stage, client.socket, ("move", 1), ("room", 1), ("move", 2), ("room", 2))
        client.cut()
        client.connect()
        assert client.recovered
        assert heard(client) == [("move", 1), ("move", 2), ("room", 2)]


def test_only_the_newest_state_takes_place_in_the_buffer() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        for number in range(200):
            tell(stage, client.socket, ("move", number), ("room", number))
        events, small = 400, 40
        assert retained(client.socket) <= len(LONG) + events * small
        assert client.socket.missed._bytes == retained(client.socket)


def test_a_socket_keeps_no_sent_event_beside_the_buffer() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, ("room", 1))
        stage.wait(25.1)
        stage.call(client.session.receive, b"3")
        assert retained(client.socket) == 0
        values = [getattr(client.socket, name) for name in Socket.__slots__ if name != "__weakref__"]
        assert not any(type(value).__name__ == "EncodedEvent" for value in values)


def test_replaced_attachments_take_no_place_in_the_buffer() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        for number in range(3):
            stage.call(client.socket.emit, "room", number, LONG, b"attached" * 100)
        assert retained(client.socket) == client.socket.missed._bytes < len(LONG) + 1200
        missed = client.socket.missed.after("")
        assert missed is not None
        assert [len(event.attachments) for event in missed] == [1]


def test_other_events_than_states_are_bounded_as_before() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        for number in range(100):
            stage.call(client.socket.emit, "other", number, LONG)
            assert retained(client.socket) == client.socket.missed._bytes <= MAX_BUFFERED_BYTES


def test_an_event_may_replace_those_of_another_name() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, ("list", 0), ("chat", 1), ("entered", 2), ("chat", 3))
        assert retained(client.socket) < len(LONG) + 200
        client.cut()
        client.connect()
        assert client.recovered
        assert heard(client) == [("chat", 1), ("entered", 2), ("chat", 3)]


def test_states_of_another_kind_are_not_replaced() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, ("room", 1), ("list", 1), ("room", 2), ("list", 2))
        client.cut()
        client.connect()
        assert heard(client) == [("room", 2), ("list", 2)]


def test_a_state_that_was_dropped_with_a_pong_is_replaced_no_more() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        tell(stage, client.socket, ("room", 1), ("move", 1))
        heard(client)
        stage.wait(25.1)
        tell(stage, client.socket, ("move", 2))
        stage.call(client.session.receive, b"3")
        tell(stage, client.socket, ("room", 2), ("move", 3), ("room", 3))
        client.cut()
        client.connect()
        assert client.recovered
        assert heard(client) == [("move", 2), ("move", 3), ("room", 3)]


def test_while_the_buffer_is_short_every_event_is_sent_again() -> None:
    with stage_with_states() as stage:
        client = Client(stage)
        short = [("room", number, "x" * 1000) for number in range(LONG_BYTES // 1100)]
        for event in short:
            stage.call(client.socket.emit, *event)
        client.cut()
        client.connect()
        assert heard(client) == [event[:2] for event in short]


def test_without_whole_states_every_event_is_sent_again() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell(stage, client.socket, *moves(5))
        client.cut()
        client.connect()
        assert heard(client) == moves(5)


def pings(websocket: FakeWebSocket) -> int:
    return websocket.sent.count(b"2")


def test_a_client_with_many_events_is_pinged_at_once_and_the_answer_empties_the_buffer() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell_numbers(stage, client.socket, range(MANY_EVENTS))
        assert pings(client.websocket) == 0
        tell_numbers(stage, client.socket, range(10))
        assert pings(client.websocket) == 1, "one ping until it is answered"
        assert client.websocket.sent.index(b"2") == len(client.websocket.sent) - 10
        stage.call(client.session.receive, b"3")
        assert len(client.socket.missed) == 9, "only what was sent after the ping may be missing"
        stage.wait(24.9)
        assert pings(client.websocket) == 1
        stage.wait(0.2)
        assert pings(client.websocket) == 2, "the interval starts with the answer"


def test_a_client_that_does_not_answer_an_early_ping_is_gone_after_the_ping_time_out() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell_numbers(stage, client.socket, range(MANY_EVENTS + 1))
        stage.wait(19.9)
        assert not client.session.closed
        stage.wait(0.2)
        assert client.session.closed
        assert stage.echo.log == ["connected", "connection lost"]


def test_nothing_is_pinged_while_the_client_is_away() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        socket = client.socket
        client.cut()
        tell_numbers(stage, socket, range(MANY_EVENTS + 10))
        assert pings(client.websocket) == 0
        client.connect()
        assert client.recovered
        assert len(heard(client)) == MANY_EVENTS + 10


def test_an_event_is_encoded_once_for_clients_that_get_another_in_between() -> None:
    move, own = b'["move",1]', [b'["room",1]', b'["room",2]']
    with stage_with_states() as stage:
        clients = [Client(stage), Client(stage)]

        def emit() -> None:
            for client, room in zip(clients, own, strict=True):
                client.socket.emit_payload(move)
                client.socket.emit_payload(room)

        stage.call(emit)
        first, second = map(frames, clients)
        assert first[0] is second[0]
        stage.call(emit)
        offsets = [json.loads(frame[2:])[-1] for frame in frames(clients[0])]
        assert offsets == sorted(set(offsets)), "the same payload again is another event"
        assert len(offsets) == 4


def test_the_states_of_one_namespace_are_not_those_of_another() -> None:
    with stage_with_states() as stage:
        other = Echo()
        stage.endpoint.of("/other", other)
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40/other,")
        tell(stage, other.sockets[0], ("room", 1), ("room", 2))
        assert len(other.sockets[0].missed.after("") or ()) == 2
