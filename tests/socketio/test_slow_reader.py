"""A client that never reads is disconnected, and costs a bounded amount of memory until then."""

import base64
import contextlib
import os
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.socketio.client_programs import EXAMPLES
from tests.socketio.raw_engineio import WebSocket
from tests.support.server import ServerProcess, free_port

pytestmark = pytest.mark.slow


def resident(pid: int) -> int:
    """Return the bytes of memory that a process holds."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def frame(payload: bytes) -> bytes:
    """Return a client's text frame, masked with zeros."""
    size = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + struct.pack(">H", len(payload))
    return b"\x81" + size + bytes(4) + payload


def deaf(port: int) -> socket.socket:
    """Open a WebSocket with the smallest receive buffer; it is never read."""
    raw = socket.socket()
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    raw.connect(("127.0.0.1", port))
    raw.settimeout(60)
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    received = b""
    while b'"maxPayload"' not in received:
        received += raw.recv(1024)
    raw.sendall(frame(b"40"))
    return raw


@pytest.mark.parametrize("recovery", ["0", "60"])
def test_a_client_that_never_reads_is_disconnected_in_bounded_memory(recovery: str) -> None:
    port = free_port()
    command = [sys.executable, str(EXAMPLES / "echo_server.py"), "--port", str(port), "--recovery", recovery]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdout.readline()
            before = resident(server.pid)
            listeners = [deaf(port) for _ in range(4)]
            for raw in listeners:
                raw.sendall(frame(b'42["burst",60000]'))
            others_are_served(port)
            gone = [went_away(raw) for raw in listeners]
            # Each was sent a megabyte; half of it may wait for a reader.
            assert resident(server.pid) - before < 12 * 1024 * 1024
            assert all(gone)
            assert server.poll() is None
        finally:
            server.terminate()


def others_are_served(port: int) -> None:
    """Get an answer, which comes when all that was asked for before has been done."""
    other = WebSocket(port)
    other.send("40", '42["message","hi"]')
    while "message-back" not in str(other.receive(60)):
        pass
    other.close()


def went_away(raw: socket.socket) -> bool:
    """Tell whether the server closes the connection, reading no more than it may have sent."""
    received = 0
    with contextlib.suppress(ConnectionError):
        while chunk := raw.recv(65536):
            received += len(chunk)
    raw.close()
    return received < 1_000_000


def test_of_ten_thousand_packets_of_a_logged_out_client_few_are_answered(server: ServerProcess) -> None:
    began = time.monotonic()
    raw = deaf(server.port)
    received = b""
    # So many at once are a flood, which ends the connection.
    with contextlib.suppress(ConnectionError):
        for _ in range(100):
            raw.sendall(frame(b'42["make_move",{"row":0,"col":0}]') * 100)
    raw.settimeout(2)
    with contextlib.suppress(TimeoutError, ConnectionError):
        while len(received) < 1_000_000 and (chunk := raw.recv(65536)):
            received += chunk
    raw.close()
    # A burst of a hundred, and fifty a second for as long as the ten thousand took to arrive.
    assert 100 <= received.count(b"login_required") <= 200 + 50 * (time.monotonic() - began)
    assert server.errors == []
