"""Bare sockets for attacks: from a chosen address of this machine, with anything written to them."""

import base64
import contextlib
import os
import re
import socket
import urllib.request
from typing import Final

ATTACKER: Final = "127.0.0.2"
"""An address of this machine that is no configured proxy, so limits per address hold for it."""


def open_socket(port: int, address: str = ATTACKER) -> socket.socket:
    """Return a socket that is connected from this address."""
    return socket.create_connection(("127.0.0.1", port), 60, (address, 0))


def upgrade_request(path: str = "/play", **headers: str) -> bytes:
    """Return the request for a WebSocket; `_` stands for `-` in the name of a header."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        "Host: x",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


def status_of(connection: socket.socket, request: bytes = b"") -> int:
    """Send a request, read the response, and return its status; 0 if the connection ends without one."""
    with contextlib.suppress(OSError):
        connection.sendall(request)
    head, body, rest = b"", b"", 0
    with contextlib.suppress(OSError):
        while b"\r\n\r\n" not in head and (part := connection.recv(4096)):
            head += part
        head, _, body = head.partition(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        rest = int(length[1]) - len(body) if length else 0
        while rest > 0 and (part := connection.recv(rest)):
            rest -= len(part)
    return int(head.split()[1]) if head.startswith(b"HTTP/1.1 ") else 0


def is_closed_within(connection: socket.socket, seconds: float) -> bool:
    """Tell whether the server closes the connection in that time."""
    connection.settimeout(seconds)
    try:
        while connection.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


def metric(port: int, name: str) -> float:
    """Return the value of a metric, named as in the scrape."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.rpartition(" ")[2]) for line in lines if line.startswith(f"{name} "))


def refusals(port: int, reason: str) -> float:
    """Return how often the guard has refused something for this reason."""
    return metric(port, f'qipai_guard_refusals_total{{reason="{reason}"}}')
