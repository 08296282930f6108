"""Tiny frames as fast as the sockets of one address can send them stop neither the server nor the others."""

import contextlib
import select
import socket
import threading
import time
from typing import Final

import pytest

from tests.attacks.http_flood import request
from tests.attacks.other_players import assert_others_do_not_notice
from tests.attacks.raw_http import open_socket, status_of, upgrade_request
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

SOCKETS: Final = 20
SOCKETIO: Final = "/socket.io/?EIO=4&transport=websocket"
PAUSE: Final = 0.25
"""Seconds until closed sockets are opened again: 80 handshakes a second, fewer than an address may have."""


def frame(payload: bytes, kind: int = 0x81) -> bytes:
    """Return a short frame of a client, masked with zeros."""
    return bytes([kind, 0x80 | len(payload)]) + bytes(4) + payload


PING: Final = frame(b"", 0x89)
CONNECT: Final = frame(b"40")


class FrameFlood:
    """Sends one frame again and again on all sockets, and opens those again that are closed."""

    def __init__(self, server: ServerProcess, path: str, first: bytes, repeated: bytes) -> None:
        self._port = server.port
        self._path = path
        self._first = first
        self._chunk = repeated * (65_536 // len(repeated))
        self._server = server
        self.sent = 0
        """Bytes that the kernel has accepted."""
        self.ready: list[int] = []
        """Statuses that a visitor has seen."""

    def __call__(self, stop: threading.Event) -> None:
        """Send until the event is set; meanwhile another address asks whether the server is ready."""
        visitor = threading.Thread(target=self._visit, args=(stop,))
        visitor.start()
        while not stop.is_set():
            with contextlib.ExitStack() as opened:
                self._send([opened.enter_context(self._open()) for _ in range(SOCKETS)], stop)
            stop.wait(PAUSE)
        visitor.join(60)

    def _open(self) -> socket.socket:
        opened = open_socket(self._port)
        status_of(opened, upgrade_request(self._path))
        opened.sendall(self._first)
        opened.setblocking(False)
        return opened

    def _send(self, sockets: list[socket.socket], stop: threading.Event) -> None:
        """Send until the server has closed every socket."""
        while sockets and not stop.is_set():
            readable, writable, _ = select.select(sockets, sockets, [], 0.1)
            for each in writable:
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    self.sent += each.send(self._chunk)
            sockets = [each for each in sockets if each not in readable or not _is_closed(each)]

    def _visit(self, stop: threading.Event) -> None:
        while not stop.is_set():
            self.ready.append(request(self._server, "GET", "/ready")[0])
            time.sleep(0.1)


def _is_closed(connection: socket.socket) -> bool:
    try:
        return not connection.recv(65_536)
    except BlockingIOError:
        return False
    except OSError:
        return True


@pytest.mark.parametrize(
    ("path", "first", "repeated"),
    [
        ("/play", b"", frame(b"[]")),
        ("/play", b"", PING),
        ("/ws", b"", frame(b"[]")),
        ("/", b"", frame(b"[]")),
        ("/", b"", PING),
        (SOCKETIO, CONNECT, frame(b'42["x"]')),
        (SOCKETIO, CONNECT, frame(b"3")),
        (SOCKETIO, CONNECT, PING),
    ],
    ids=["play", "play ping", "mahjong", "chess", "chess ping", "Socket.IO", "pong packet", "Socket.IO ping"],
)
def test_others_do_not_notice_tiny_frames(
    server: ServerProcess, path: str, first: bytes, repeated: bytes
) -> None:
    flood = FrameFlood(server, path, first, repeated)
    observed = assert_others_do_not_notice(server, flood)
    print(observed, f"{flood.sent} bytes sent")
    assert flood.sent >= SOCKETS * 65_536
    assert set(flood.ready) == {200}
    assert server.errors == []
