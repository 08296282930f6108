"""Connection state recovery: the same socket and all that was missed, in order, or honestly none of it."""

import json
from typing import Any

import pytest

from qipai.socketio.socket import MAX_KEPT, Socket

from .peers import FakeLink, Scene


class Client:
    """A client that keeps what a real one keeps: pid, offset, and the numbers it was told."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.pid = self.offset = self.sid = ""
        self.told: list[int] = []
        self.connect()

    def connect(self, **auth: Any) -> None:
        self.link = FakeLink()
        self.session = self.scene.session(self.link)
        if self.pid and not auth:
            auth = {"pid": self.pid} | ({"offset": self.offset} if self.offset else {})
        self.scene.do(self.session.receive, b"40" + json.dumps(auth).encode())
        answer = next(frame for frame in self.link.sent if isinstance(frame, bytes) and frame[:2] == b"40")
        greeting = json.loads(answer[2:])
        self.recovered = greeting["pid"] == self.pid
        self.sid, self.pid = greeting["sid"], greeting["pid"]
        if not self.recovered:
            self.offset = ""

    def read(self, count: int | None = None) -> None:
        """Read so many of the frames that have arrived; the others are lost with the connection."""
        events = [frame for frame in self.link.sent if isinstance(frame, bytes) and frame[:2] == b"42"]
        for frame in events[:count]:
            _, number, self.offset = json.loads(frame[2:])
            self.told.append(number)
        self.link.sent.clear()

    def cut(self) -> None:
        self.scene.do(self.session.lost, self.link)

    @property
    def socket(self) -> Socket:
        return next(socket for socket in self.scene.echo.sockets if socket.sid == self.sid)


def tell(scene: Scene, socket: Socket, numbers: range) -> None:
    def emit() -> None:
        for number in numbers:
            socket.emit("n", number)

    scene.do(emit)


@pytest.mark.parametrize("read", [0, 1, 5, 9, 10])
def test_a_client_comes_back_to_its_socket_and_misses_nothing(read: int) -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        sid = client.sid
        tell(scene, client.socket, range(10))
        client.read(read)
        client.cut()
        tell(scene, client.socket, range(10, 15))
        scene.wait(119)
        client.connect()
        tell(scene, client.socket, range(15, 20))
        client.read()
        assert client.recovered
        assert client.sid == sid
        assert client.told == list(range(20))
        assert scene.echo.story == ["connected", "cut", "back"]


def test_after_the_hold_a_client_is_new() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        client.cut()
        scene.wait(121)
        client.connect()
        assert not client.recovered
        assert scene.echo.story == ["connected", "cut", "gone: transport close", "connected"]


def test_a_return_before_the_cut_is_noticed_takes_the_socket_over() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        old, sid = client.link, client.sid
        tell(scene, client.socket, range(3))
        client.read(1)
        client.connect()
        client.read()
        assert (client.recovered, client.sid, client.told) == (True, sid, [0, 1, 2])
        assert old.ended == "closed"
        assert scene.echo.story == ["connected", "back"]


@pytest.mark.parametrize(
    "auth",
    [
        {"pid": "somebody else's", "offset": ""},
        {"pid": 7, "offset": ""},
        {"pid": ["x"], "offset": "1"},
    ],
)
def test_a_wrong_pid_makes_a_new_socket(auth: dict[str, Any]) -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        client.cut()
        client.connect(**auth)
        assert not client.recovered


@pytest.mark.parametrize("offset", ["never given", 3, None, ["1"], "999999"])
def test_a_wrong_offset_makes_a_new_socket(offset: object) -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        tell(scene, client.socket, range(3))
        client.cut()
        client.connect(pid=client.pid, offset=offset)
        assert not client.recovered


def test_a_pid_is_good_in_its_own_namespace_only() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        client.cut()
        link = FakeLink()
        session = scene.session(link)
        scene.do(session.receive, b'40/custom,{"pid":"%b","offset":""}' % client.pid.encode())
        assert client.pid.encode() not in b"".join(frame for frame in link.sent if isinstance(frame, bytes))


def test_what_a_ping_proved_to_have_arrived_is_not_kept() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        tell(scene, client.socket, range(100))
        client.read()
        scene.wait(25.1)
        tell(scene, client.socket, range(100, 103))
        scene.do(client.session.receive, b"3")
        assert len(client.socket._kept) == 3
        client.link.sent.clear()
        client.cut()
        client.connect()
        client.read()
        assert client.recovered
        assert client.told == list(range(103))


def test_a_buffer_that_overflows_fails_honestly() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        socket = client.socket
        tell(scene, socket, range(3))
        client.read()
        client.cut()
        tell(scene, socket, range(3, MAX_KEPT + 10))
        assert scene.echo.story == ["connected", "cut", "gone: overflow"]
        client.connect()
        assert not client.recovered


def test_a_busy_connection_keeps_only_the_newest() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        tell(scene, client.socket, range(5 * MAX_KEPT))
        assert len(client.socket._kept) <= MAX_KEPT
        behind = client.pid
        client.read(10)
        client.cut()
        client.connect()
        assert not client.recovered, "what it missed first is not known any more"
        assert client.pid != behind


@pytest.mark.parametrize("read", [0, 3, 5, 6, 7, 12])
def test_offsets_go_on_where_they_get_longer(read: int) -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        scene.endpoint._offsets, scene.endpoint._high = 0xFFF0, b',"f'
        scene.do(client.socket.tell, b'["n",0]')
        for number in range(1, 20):
            scene.do(client.socket.tell, b'["n",%d]' % number)
            if number % 3 == 0:
                scene.do(client.socket.emit, "n", -number)
        client.read(read)
        client.cut()
        client.connect()
        client.read()
        assert client.recovered
        assert [number for number in client.told if number >= 0] == list(range(20))


def test_the_same_words_told_twice_are_two_events() -> None:
    words = b'["n",7]'
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        scene.do(client.socket.tell, words)
        scene.do(client.socket.tell, words)
        client.read(1)
        client.cut()
        client.connect()
        client.read()
        assert client.told == [7, 7]


def test_a_broadcast_is_encoded_once() -> None:
    words = b'["n",7]'
    with Scene(recovery=120.0) as scene:
        clients = [Client(scene) for _ in range(3)]
        for client in clients:
            scene.do(client.socket.tell, words)
        frames = [client.link.sent[-1] for client in clients]
        assert frames[0] is frames[1] is frames[2]
        event = scene.endpoint.encode("n", 8)
        for client in clients:
            scene.do(client.socket.send, event)
            client.read()
            assert client.told == [7, 8]


def test_a_disconnect_packet_ends_the_socket_for_good() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        scene.do(client.session.receive, b"41")
        client.cut()
        client.connect()
        assert not client.recovered
        assert scene.echo.story[:2] == ["connected", "gone: client namespace disconnect"]


def test_who_speaks_garbage_does_not_come_back() -> None:
    with Scene(recovery=120.0) as scene:
        client = Client(scene)
        scene.do(client.session.receive, b"4garbage")
        client.connect()
        assert not client.recovered


def test_both_namespaces_of_a_client_come_back() -> None:
    with Scene(recovery=120.0) as scene:
        link = FakeLink()
        session = scene.session(link)
        scene.do(session.receive, b"40")
        scene.do(session.receive, b"40/custom,")
        first, second = scene.echo.sockets[0], scene.custom.sockets[0]
        scene.do(session.lost, link)
        link = FakeLink()
        session = scene.session(link)
        scene.do(session.receive, b'40{"pid":"%b"}' % first.pid.encode())
        scene.do(session.receive, b'40/custom,{"pid":"%b"}' % second.pid.encode())
        assert first.carrier is second.carrier is not None
        assert scene.custom.story == ["connected", "cut", "back"]
