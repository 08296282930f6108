"""picows: the private class that we subclass behaves as `uvicorn_picows` expects; otherwise keep the pin."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import picows.picows
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, WSUpgradeRequest

from qipai.socketio.uvicorn_picows import limit_send_buffer, protocol_class

ROOT = Path(__file__).parents[2]
CHANGED = "picows changed its private class WSProtocol: adapt our subclass of it, then move the pin"
LIMIT = 1000
UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
ACCEPT = b"Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
"""RFC 6455, 1.3: the answer to the key above."""
PARAMETERS = [
    "host_port",
    "ws_path",
    "is_client_side",
    "ws_listener_factory",
    "logger",
    "disconnect_on_exception",
    "websocket_handshake_timeout",
    "enable_auto_ping",
    "auto_ping_idle_timeout",
    "auto_ping_reply_timeout",
    "auto_ping_strategy",
    "enable_auto_pong",
    "max_frame_size",
    "extra_headers",
    "read_buffer_init_size",
]


class Recorder(WSListener):
    """Records what it receives."""

    def __init__(self) -> None:
        super().__init__()
        self.connected = 0
        self.frames: list[tuple[WSMsgType, bytes]] = []

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.connected += 1

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.frames.append((frame.msg_type, frame.get_payload_as_bytes()))
        if frame.msg_type == WSMsgType.TEXT:
            transport.send(WSMsgType.TEXT, b"answer")


def masked(kind: int, payload: bytes) -> bytes:
    """Return a client's frame whose mask is zero (RFC 6455, 5.2)."""
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2)
    return bytes([0x80 | kind]) + length + bytes(4) + payload


def talk(
    say: Callable[[socket.socket, Callable[[int], Awaitable[bytes]]], Awaitable[None]],
    recorder: Recorder | None = None,
) -> Recorder:
    """Let a client say something to our subclass of picows' class, through a socket as uvicorn does."""
    recorder = recorder or Recorder()

    def route(request: WSUpgradeRequest) -> WSListener | None:
        return recorder if request.path == b"/ws" else None

    async def run() -> None:
        loop = asyncio.get_running_loop()
        upgraded: Any = protocol_class({"/ws": route}, LIMIT)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            client = socket.create_connection(listening.getsockname())
            accepted, _ = listening.accept()
        client.setblocking(False)
        with client:
            transport, _ = await loop.connect_accepted_socket(asyncio.Protocol, accepted)
            # uvicorn reads the request itself, feeds it to our object and makes that the protocol.
            protocol = upgraded(None, None, None)
            protocol.connection_made(transport)
            protocol.data_received(UPGRADE)
            transport.set_protocol(protocol)
            await say(client, lambda size: asyncio.wait_for(loop.sock_recv(client, size), 5))
            transport.abort()
            await asyncio.sleep(0)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(run())
    return recorder


def test_picows_is_pinned_exactly_because_a_private_class_of_it_is_used() -> None:
    project = (ROOT / "pyproject.toml").read_text("utf-8")
    pinned = re.search(r'"picows==([\d.]+)"', project)
    assert pinned is not None, "pyproject.toml must pin picows with =="
    for name in ("run.txt", "dev.txt"):
        pins = (ROOT / "requirements" / name).read_text("utf-8").splitlines()
        assert f"picows=={pinned[1]}" in pins, f"requirements/{name} pins another picows"
    assert version("picows") == pinned[1], "another picows is installed than the pinned one"


def test_the_private_class_has_the_parameters_and_methods_that_we_use() -> None:
    found = getattr(picows.picows, "WSProtocol", None)
    assert found is not None, CHANGED
    assert issubclass(found, asyncio.BufferedProtocol), CHANGED
    for method in ("connection_made", "connection_lost", "get_buffer", "buffer_updated"):
        assert callable(getattr(found, method, None)), f"{CHANGED}: no {method}()"
    # The compiled class has no signature, but its source is in the wheel.
    source = (Path(picows.picows.__file__).parent / "picows.pyx").read_text("utf-8")
    header = re.search(r"class WSProtocol\(.*?def __init__\(self,(.*?)\):", source, re.DOTALL)
    assert header is not None, CHANGED
    names = [each.split("=")[0].split()[-1] for each in header[1].split(",") if each.strip()]
    assert names == PARAMETERS, CHANGED


def test_the_subclass_takes_over_a_connection_whose_request_was_read_already() -> None:
    async def say(client: socket.socket, hear: Callable[[int], Awaitable[bytes]]) -> None:
        answer = await hear(4096)
        assert answer.startswith(b"HTTP/1.1 101"), CHANGED
        assert ACCEPT.lower() in answer.lower(), CHANGED
        await asyncio.get_running_loop().sock_sendall(client, masked(1, b"hello"))
        assert await hear(4096) == b"\x81\x06answer", CHANGED

    recorder = talk(say)
    assert recorder.connected == 1, CHANGED
    assert recorder.frames == [(WSMsgType.TEXT, b"hello")], CHANGED


def test_pings_are_left_to_us_and_a_frame_above_the_limit_ends_the_connection() -> None:
    async def say(client: socket.socket, hear: Callable[[int], Awaitable[bytes]]) -> None:
        loop = asyncio.get_running_loop()
        await hear(4096)
        await loop.sock_sendall(client, masked(9, b"ping") + masked(1, b"x" * LIMIT))
        # No pong comes first: the next bytes are the answer to the text.
        assert await hear(4096) == b"\x81\x06answer", CHANGED
        await loop.sock_sendall(client, masked(1, b"x" * (LIMIT + 1)))
        rest = b""
        with suppress(ConnectionError):
            while part := await hear(4096):
                rest += part
        assert b"answer" not in rest, CHANGED

    recorder = talk(say)
    assert [kind for kind, _ in recorder.frames] == [WSMsgType.PING, WSMsgType.TEXT], CHANGED


def test_frames_of_all_lengths_arrive_whole_at_a_client_that_reads_late() -> None:
    """Above 8 kB picows would use the memory of a header again before uvloop has sent it."""
    lengths = [30, 300, 8_192, 8_193, 20_000, 70_000] * 100
    answer = re.compile(rb"HTTP/1.1 101.*?\r\n\r\n", re.DOTALL)

    class Speaker(Recorder):
        def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
            limit_send_buffer(transport)
            for length in lengths:
                transport.send(WSMsgType.TEXT, b"x" * length)

    received = bytearray()

    async def say(client: socket.socket, hear: Callable[[int], Awaitable[bytes]]) -> None:
        await asyncio.get_running_loop().sock_sendall(client, masked(1, b"go"))
        expected = sum(length + (2 if length < 126 else 4 if length < 65_536 else 10) for length in lengths)
        while (head := answer.match(received)) is None or len(received) < head.end() + expected:
            received.extend(await hear(1 << 20))

    talk(say, Speaker())
    head = answer.match(received)
    assert head is not None
    position = head.end()
    found: list[int] = []
    while position < len(received):
        assert received[position] == 0x81, f"no header after {len(found)} frames"
        length, position = received[position + 1], position + 2
        if size := {126: 2, 127: 8}.get(length, 0):
            length, position = int.from_bytes(received[position : position + size]), position + size
        found.append(length)
        position += length
    assert found == lengths
