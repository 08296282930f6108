"""Connection state recovery: the same socket and all missed events in order, or a new socket."""

import json
from typing import Any

import pytest

from qipai.socketio.missed_events import MAX_BUFFERED_EVENTS
from qipai.socketio.socket import Socket

from .endpoint_stage import EndpointStage, FakeWebSocket


class Client:
    """A client that keeps pid, offset and the received numbers."""

    def __init__(self, stage: EndpointStage) -> None:
        self.stage = stage
        self.pid = self.offset = self.sid = ""
        self.numbers: list[int] = []
        self.connect()

    def connect(self, **auth: Any) -> None:
        self.websocket = FakeWebSocket()
        self.session = self.stage.session(self.websocket)
        if self.pid and not auth:
            auth = {"pid": self.pid} | ({"offset": self.offset} if self.offset else {})
        self.stage.call(self.session.receive, b"40" + json.dumps(auth).encode())
        answer = next(
            frame for frame in self.websocket.sent if isinstance(frame, bytes) and frame[:2] == b"40"
        )
        greeting = json.loads(answer[2:])
        self.recovered = greeting["pid"] == self.pid
        self.sid, self.pid = greeting["sid"], greeting["pid"]
        if not self.recovered:
            self.offset = ""

    def read(self, count: int | None = None) -> None:
        """Read so many of the frames that have arrived; the others are lost with the connection."""
        events = [frame for frame in self.websocket.sent if isinstance(frame, bytes) and frame[:2] == b"42"]
        for frame in events[:count]:
            _, number, self.offset = json.loads(frame[2:])
            self.numbers.append(number)
        self.websocket.sent.clear()

    def cut(self) -> None:
        self.stage.call(self.session.websocket_closed, self.websocket)

    @property
    def socket(self) -> Socket:
        return next(socket for socket in self.stage.echo.sockets if socket.sid == self.sid)


def tell(stage: EndpointStage, socket: Socket, numbers: range) -> None:
    def emit() -> None:
        for number in numbers:
            socket.emit("n", number)

    stage.call(emit)


@pytest.mark.parametrize("read", [0, 1, 5, 9, 10])
def test_a_client_recovers_its_socket_and_misses_nothing(read: int) -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        sid = client.sid
        tell(stage, client.socket, range(10))
        client.read(read)
        client.cut()
        tell(stage, client.socket, range(10, 15))
        stage.wait(119)
        client.connect()
        tell(stage, client.socket, range(15, 20))
        client.read()
        assert client.recovered
        assert client.sid == sid
        assert client.numbers == list(range(20))
        assert stage.echo.log == ["connected", "connection lost", "recovered"]


def test_after_the_recovery_time_a_client_gets_a_new_socket() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        client.cut()
        stage.wait(121)
        client.connect()
        assert not client.recovered
        assert stage.echo.log == [
            "connected",
            "connection lost",
            "disconnected: transport close",
            "connected",
        ]


def test_a_recovery_before_the_disconnect_is_noticed_takes_the_socket_over() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        old, sid = client.websocket, client.sid
        tell(stage, client.socket, range(3))
        client.read(1)
        client.connect()
        client.read()
        assert (client.recovered, client.sid, client.numbers) == (True, sid, [0, 1, 2])
        assert old.end_reason == "closed"
        assert stage.echo.log == ["connected", "recovered"]


@pytest.mark.parametrize(
    "auth",
    [
        {"pid": "somebody else's", "offset": ""},
        {"pid": 7, "offset": ""},
        {"pid": ["x"], "offset": "1"},
    ],
)
def test_a_wrong_pid_makes_a_new_socket(auth: dict[str, Any]) -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        client.cut()
        client.connect(**auth)
        assert not client.recovered


@pytest.mark.parametrize("offset", ["never given", 3, None, ["1"], "999999"])
def test_a_wrong_offset_makes_a_new_socket(offset: object) -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell(stage, client.socket, range(3))
        client.cut()
        client.connect(pid=client.pid, offset=offset)
        assert not client.recovered


def test_a_pid_is_valid_in_its_own_namespace_only() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        client.cut()
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b'40/custom,{"pid":"%b","offset":""}' % client.pid.encode())
        assert client.pid.encode() not in b"".join(
            frame for frame in websocket.sent if isinstance(frame, bytes)
        )


def test_events_before_an_answered_ping_are_dropped_from_the_buffer() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell(stage, client.socket, range(100))
        client.read()
        stage.wait(25.1)
        tell(stage, client.socket, range(100, 103))
        stage.call(client.session.receive, b"3")
        assert len(client.socket.missed._events) == 3
        client.websocket.sent.clear()
        client.cut()
        client.connect()
        client.read()
        assert client.recovered
        assert client.numbers == list(range(103))


def test_a_buffer_overflow_gives_a_new_socket() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        socket = client.socket
        tell(stage, socket, range(3))
        client.read()
        client.cut()
        tell(stage, socket, range(3, MAX_BUFFERED_EVENTS + 10))
        assert stage.echo.log == ["connected", "connection lost", "disconnected: overflow"]
        client.connect()
        assert not client.recovered


def test_a_busy_connection_buffers_only_the_newest_events() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        tell(stage, client.socket, range(5 * MAX_BUFFERED_EVENTS))
        assert len(client.socket.missed._events) <= MAX_BUFFERED_EVENTS
        behind = client.pid
        client.read(10)
        client.cut()
        client.connect()
        assert not client.recovered, "what it missed first is not known any more"
        assert client.pid != behind


@pytest.mark.parametrize("read", [0, 3, 5, 6, 7, 12])
def test_offsets_continue_when_they_get_longer(read: int) -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        stage.endpoint._last_offset, stage.endpoint._offset_start = 0xFFF0, b',"f'
        stage.call(client.socket.emit_payload, b'["n",0]')
        for number in range(1, 20):
            stage.call(client.socket.emit_payload, b'["n",%d]' % number)
            if number % 3 == 0:
                stage.call(client.socket.emit, "n", -number)
        client.read(read)
        client.cut()
        client.connect()
        client.read()
        assert client.recovered
        assert [number for number in client.numbers if number >= 0] == list(range(20))


def test_the_same_payload_twice_is_two_events() -> None:
    words = b'["n",7]'
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        stage.call(client.socket.emit_payload, words)
        stage.call(client.socket.emit_payload, words)
        client.read(1)
        client.cut()
        client.connect()
        client.read()
        assert client.numbers == [7, 7]


def test_a_broadcast_is_encoded_once() -> None:
    words = b'["n",7]'
    with EndpointStage(recovery=120.0) as stage:
        clients = [Client(stage) for _ in range(3)]
        for client in clients:
            stage.call(client.socket.emit_payload, words)
        frames = [client.websocket.sent[-1] for client in clients]
        assert frames[0] is frames[1] is frames[2]
        event = stage.endpoint.encode("n", 8)
        for client in clients:
            stage.call(client.socket.send, event)
            client.read()
            assert client.numbers == [7, 8]


def test_a_disconnect_packet_ends_the_socket_for_good() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        stage.call(client.session.receive, b"41")
        client.cut()
        client.connect()
        assert not client.recovered
        assert stage.echo.log[:2] == ["connected", "disconnected: client namespace disconnect"]


def test_a_socket_closed_by_a_parse_error_cannot_be_recovered() -> None:
    with EndpointStage(recovery=120.0) as stage:
        client = Client(stage)
        stage.call(client.session.receive, b"4garbage")
        client.connect()
        assert not client.recovered


def test_both_namespaces_of_a_client_are_recovered() -> None:
    with EndpointStage(recovery=120.0) as stage:
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b"40")
        stage.call(session.receive, b"40/custom,")
        first, second = stage.echo.sockets[0], stage.custom.sockets[0]
        stage.call(session.websocket_closed, websocket)
        websocket = FakeWebSocket()
        session = stage.session(websocket)
        stage.call(session.receive, b'40{"pid":"%b"}' % first.pid.encode())
        stage.call(session.receive, b'40/custom,{"pid":"%b"}' % second.pid.encode())
        assert first.connection is second.connection is not None
        assert stage.custom.log == ["connected", "connection lost", "recovered"]
