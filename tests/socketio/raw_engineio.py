"""Engine.IO by hand: packets over plain HTTP or a WebSocket."""

import base64
import contextlib
import http.client
import json
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

Packet = str | bytes
PATH = "/socket.io/"
SEPARATOR = "\x1e"


class HttpResponse(NamedTuple):
    """The response to one HTTP request."""

    status: int
    headers: http.client.HTTPMessage
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def packets(self) -> list[str]:
        return self.body.split(SEPARATOR)


class SessionClosed(Exception):
    """The server closed the session."""


def request(
    port: int,
    method: str = "GET",
    body: str | bytes | None = None,
    headers: dict[str, str] | None = None,
    seconds: float = 60,
    query: dict[str, str] | None = None,
    **more: str,
) -> HttpResponse:
    """Make one request on its own connection."""
    given = {"EIO": "4", "transport": "polling"} | (query or {}) | more
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=seconds)
    with contextlib.closing(line):
        sent = body.encode() if isinstance(body, str) else body
        target = PATH + "?" + urlencode({name: value for name, value in given.items() if value})
        kind = {"Content-Type": "text/plain;charset=UTF-8"} if method == "POST" else {}
        line.request(method, target, sent, kind | (headers or {}))
        answer = line.getresponse()
        return HttpResponse(answer.status, answer.headers, answer.read().decode())


def open_websocket(port: int, **query: str) -> ClientConnection:
    """Open a WebSocket to the endpoint."""
    given = {"EIO": "4", "transport": "websocket"} | query
    target = f"ws://127.0.0.1:{port}{PATH}?" + urlencode({k: v for k, v in given.items() if v})
    opened = connect(
        target,
        compression=None,
        max_size=None,
        max_queue=None,
        close_timeout=10,
        open_timeout=60,
        ping_interval=None,
    )
    return opened.__enter__()  # Closed by `close`: sessions of a test overlap, a `with` for each does not.


class RawSession(Protocol):
    """A session that answers pings by itself."""

    sid: str
    handshake: dict[str, Any]
    received: deque[Packet]

    def send(self, *packets: Packet) -> None: ...
    def receive(self, seconds: float = 60) -> Packet: ...
    def close(self) -> None: ...


class Polling:
    """A session over long polling."""

    def __init__(self, port: int) -> None:
        self.port = port
        answer = request(port)
        assert answer.status == 200, answer
        assert answer.body[0] == "0", answer
        self.handshake: dict[str, Any] = json.loads(answer.body[1:])
        self.sid: str = self.handshake["sid"]
        self.received: deque[Packet] = deque()

    def post(self, *packets: Packet) -> HttpResponse:
        return request(self.port, "POST", SEPARATOR.join(map(encode_for_polling, packets)), sid=self.sid)

    def poll(self, seconds: float = 60) -> HttpResponse:
        return request(self.port, seconds=seconds, sid=self.sid)

    def send(self, *packets: Packet) -> None:
        answer = self.post(*packets)
        if answer.status != 200:
            raise SessionClosed(answer)
        assert answer.body == "ok"

    def receive(self, seconds: float = 60) -> Packet:
        end = time.monotonic() + seconds
        while not self.received:
            answer = self.poll(max(0.01, end - time.monotonic()))
            if answer.status != 200:
                raise SessionClosed(answer)
            for packet in answer.packets:
                if packet == "2":
                    self.send("3")
                elif packet != "6":
                    self.received.append(base64.b64decode(packet[1:]) if packet[0] == "b" else packet)
        packet_ = self.received.popleft()
        if packet_ == "1":
            raise SessionClosed("close packet")
        return packet_

    def close(self) -> None:
        """Close without Socket.IO's DISCONNECT."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            self.post("1")


class WebSocket:
    """A session over WebSocket alone, or the probing WebSocket of a polling session."""

    def __init__(self, port: int, sid: str = "") -> None:
        self.sid, self.received = sid, deque[Packet]()
        self.socket = open_websocket(port, sid=sid)
        if sid:
            self.socket.send("2probe")
            assert self.socket.recv(60) == "3probe"
            return
        first = self.socket.recv(60)
        assert isinstance(first, str), first
        assert first[0] == "0", first
        self.handshake: dict[str, Any] = json.loads(first[1:])
        self.sid = self.handshake["sid"]

    def send(self, *packets: Packet) -> None:
        try:
            for packet in packets:
                self.socket.send(packet)
        except ConnectionClosed as closed:
            raise SessionClosed(closed) from closed

    def receive(self, seconds: float = 60) -> Packet:
        if self.received:
            return self.received.popleft()
        end = time.monotonic() + seconds
        while True:
            try:
                packet = self.socket.recv(max(0.01, end - time.monotonic()))
            except ConnectionClosed as closed:
                raise SessionClosed(closed) from closed
            if packet == "1":
                raise SessionClosed("close packet")
            if packet == "2":
                self.send("3")
            elif packet != "6":
                return packet

    def close(self) -> None:
        """Close without Socket.IO's DISCONNECT."""
        self.socket.close()


class Upgraded(WebSocket):
    """A session that started with long polling."""

    def __init__(self, port: int) -> None:
        first = Polling(port)
        super().__init__(port, first.sid)
        self.handshake = first.handshake
        self.send("5")


TRANSPORTS: dict[str, type[Polling] | type[WebSocket]] = {
    "polling": Polling,
    "websocket": WebSocket,
    "upgraded": Upgraded,
}


def wait_until_read(port: int) -> None:
    """Wait until a server has accepted every connection and read everything that was sent to it."""
    until = time.monotonic() + 60
    while _unread(port):
        assert time.monotonic() < until, "the server does not read"
        time.sleep(0.005)


def _unread(port: int) -> int:
    """Return how many bytes wait in the kernel for a port."""
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(int(row[4].partition(":")[2], 16) for row in rows if row[1].endswith(f":{port:04X}"))


def encode_for_polling(packet: Packet) -> str:
    """Return a packet as long polling encodes it."""
    return packet if isinstance(packet, str) else "b" + base64.b64encode(packet).decode()


def wait_for_close(line: RawSession, seconds: float = 60) -> list[Packet]:
    """Wait until the server closes the session; return what it sent before."""
    received: list[Packet] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            received.append(line.receive(max(0.01, end - time.monotonic())))
        except (SessionClosed, http.client.HTTPException, ConnectionError):
            return received
        except TimeoutError:
            break
    raise AssertionError(f"still open, received {received}")
