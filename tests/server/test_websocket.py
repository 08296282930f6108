"""Frames on a real socket: unexpected ones get a refusal or a clean close, and the server stays up."""

import base64
import contextlib
import json
import os
import socket
import struct
import time
import urllib.request
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from qipai.server.websocket import close_reason
from tests.support.server import Client, ServerProcess, clients

pytestmark = pytest.mark.slow

PATHS = ("/play", "/", "/ws", "/socket.io/?EIO=4&transport=websocket")
"""Every path of a WebSocket."""
PING = '{"type":"ping","n":1}'
UNKNOWN = '{"type":"dance"}'


def upgraded(port: int, path: str = "/play") -> socket.socket:
    """Return a bare socket after the WebSocket handshake."""
    raw = socket.create_connection(("127.0.0.1", port), 60)
    key = base64.b64encode(os.urandom(16)).decode()
    raw.sendall(
        f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += raw.recv(1024)
    assert answer.startswith(b"HTTP/1.1 101")
    return raw


def frame(payload: bytes, opcode: int = 1, *, fin: bool = True, masked: bool = True) -> bytes:
    """Return a client's frame."""
    head = bytes([(0x80 if fin else 0) | opcode])
    bit = 0x80 if masked else 0
    if len(payload) < 126:
        head += bytes([bit | len(payload)])
    elif len(payload) < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", len(payload))
    if not masked:
        return head + payload
    mask = os.urandom(4)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def received(raw: socket.socket) -> bytes:
    """Return everything until the server closes."""
    whole = b""
    while chunk := raw.recv(65536):
        whole += chunk
    return whole


def upgrade_status(server: ServerProcess, path: str, origin: str | None) -> int:
    """Return the status of the answer to a page of this origin, or to a program."""
    given = None if origin is None else Origin(origin)
    try:
        with connect(f"ws://127.0.0.1:{server.port}{path}", origin=given):
            return 101
    except InvalidStatus as refused:
        return refused.response.status_code


def close_code(answer: bytes) -> int:
    """Return the code of the close frame at the end of what the server sent."""
    start = answer.rindex(b"\x88")
    return int.from_bytes(answer[start + 2 : start + 4])


def alive(server: ServerProcess) -> bool:
    client = Client(server.port)
    pong = client.ask("ping", "pong", n=7)
    client.close()
    return bool(pong["n"] == 7) and server.errors == []


def test_a_message_in_several_frames_is_put_together(shared_server: ServerProcess) -> None:
    raw = upgraded(shared_server.port)
    raw.sendall(frame(b'{"type":', fin=False) + frame(b'"ping",', 0, fin=False) + frame(b'"n":9}', 0))
    answer = raw.recv(1000)
    assert b'"pong","n":9' in answer
    raw.close()


def test_endless_fragments_end_the_connection(shared_server: ServerProcess) -> None:
    raw = upgraded(shared_server.port)
    raw.sendall(frame(b"x" * 8000, fin=False))
    for _ in range(3):
        raw.sendall(frame(b"x" * 8000, 0, fin=False))
    assert struct.pack(">H", 1009) in received(raw)
    raw.close()
    assert alive(shared_server)


def test_a_frame_that_is_too_long_ends_the_connection(shared_server: ServerProcess) -> None:
    # The second is refused by its announced length, before the rest has come.
    for size, sent in ((20_000, 30_000), (200_000, 20_100)):
        raw = upgraded(shared_server.port)
        raw.sendall(frame(b"y" * size)[:sent])
        assert struct.pack(">H", 1009) in received(raw)
        raw.close()
    assert alive(shared_server)


def test_binary_frames_get_an_answer(shared_server: ServerProcess) -> None:
    client = Client(shared_server.port)
    client.socket.send(b"\x00\x01\x02")
    assert client.receive()["about"] == "binary frames are not understood"
    client.close()
    assert alive(shared_server)


@pytest.mark.parametrize(
    "wrong",
    [
        frame(b"{}", masked=False),
        frame(b"{}", opcode=3),
        frame(b"{}", opcode=0xB),
        b"\xff\xff\xff\xff",
        frame(b"x" * 200, opcode=9),
        frame(b"\x03", opcode=8),
    ],
    ids=["unmasked", "opcode 3", "opcode 11", "noise", "long ping", "short close"],
)
def test_broken_framing_ends_that_connection_only(shared_server: ServerProcess, wrong: bytes) -> None:
    raw = upgraded(shared_server.port)
    raw.sendall(wrong + frame(b'{"type":"ping"}') * 30)
    with contextlib.suppress(ConnectionResetError):
        assert b"pong" not in received(raw)
    raw.close()
    assert alive(shared_server)


@pytest.mark.parametrize("path", PATHS)
def test_reserved_bits_are_a_protocol_error(shared_server: ServerProcess, path: str) -> None:
    # RFC 6455, 5.2: unless an extension was negotiated that defines them.
    for bit in (0x40, 0x20, 0x10):
        for opcode in (1, 2, 8, 9):
            raw = upgraded(shared_server.port, path)
            raw.settimeout(60)
            wrong = frame(b'{"type":"ping","n":3}' if opcode < 8 else b"", opcode)
            raw.sendall(bytes([wrong[0] | bit]) + wrong[1:])
            answer = received(raw)
            assert close_code(answer) == 1002, (bit, opcode, answer)
            assert b'"pong"' not in answer
            raw.close()
    assert alive(shared_server)


@pytest.mark.parametrize("path", PATHS)
def test_a_close_code_that_may_not_be_sent_is_a_protocol_error(
    shared_server: ServerProcess, path: str
) -> None:
    # RFC 6455, 7.4: 1004 to 1006 and 1015 are reserved, below 1000 and above 4999 there are no codes.
    for code in (0, 1, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 31522, 65535):
        raw = upgraded(shared_server.port, path)
        raw.settimeout(60)
        raw.sendall(frame(struct.pack(">H", code), opcode=8))
        assert close_code(received(raw)) == 1002, code
        raw.close()
    for code in (1000, 1001, 1011, 3000, 4999):
        raw = upgraded(shared_server.port, path)
        raw.settimeout(60)
        raw.sendall(frame(struct.pack(">H", code), opcode=8))
        assert close_code(received(raw)) == code
        raw.close()


@pytest.mark.parametrize("path", PATHS)
def test_pages_of_other_origins_are_refused_and_programs_are_not(
    shared_server: ServerProcess, path: str
) -> None:
    assert upgrade_status(shared_server, path, None) == 101
    for origin in (f"http://127.0.0.1:{shared_server.port}", f"https://127.0.0.1:{shared_server.port}"):
        assert upgrade_status(shared_server, path, origin) == 101, origin
    for origin in ("http://evil.example", "null", "http://127.0.0.1", "file://"):
        assert upgrade_status(shared_server, path, origin) == 403, origin


def test_pages_of_a_listed_origin_may_connect(tmp_path: Path) -> None:
    config = 'origins = ["https://friend.example"]\n'
    with ServerProcess(tmp_path / "data", config=config) as server:
        for path in PATHS:
            assert upgrade_status(server, path, "https://friend.example") == 101
            assert upgrade_status(server, path, "https://evil.example") == 403


def test_half_a_frame_and_half_a_handshake_affect_no_other_connection(shared_server: ServerProcess) -> None:
    half = upgraded(shared_server.port)
    half.sendall(frame(b'{"type":"ping","n":1}')[:5])
    lonely = socket.create_connection(("127.0.0.1", shared_server.port), 60)
    lonely.sendall(b"GET /play HTTP/1.1\r\nUpgrade: websocket\r\n")
    assert alive(shared_server)
    half.close()
    lonely.close()
    assert alive(shared_server)


def test_a_close_is_answered_with_a_close(shared_server: ServerProcess) -> None:
    client = Client(shared_server.port)
    client.socket.close(1000)
    assert client.socket.close_code == 1000


def test_a_websocket_anywhere_else_is_not_found(shared_server: ServerProcess) -> None:
    with pytest.raises(InvalidStatus, match="404"):
        Client(shared_server.port, path="/nowhere")


@pytest.mark.parametrize(
    ("path", "ask", "answer"), [("/play", PING, "pong"), ("/ws", UNKNOWN, "dance_response")]
)
def test_a_program_that_waits_for_each_answer_gets_every_answer(
    shared_server: ServerProcess, path: str, ask: str, answer: str
) -> None:
    """It passes fifty frames a second without meaning to, and none may be dropped."""
    with connect(f"ws://127.0.0.1:{shared_server.port}{path}", compression=None) as socket:
        for _ in range(150):
            socket.send(ask)
            assert json.loads(socket.recv(60))["type"] == answer
        # The same without waiting: the server reads them later, in order.
        for _ in range(100):
            socket.send(ask)
        for _ in range(100):
            assert json.loads(socket.recv(60))["type"] == answer


def test_a_thousand_frames_at_once_end_the_connection_with_4429(shared_server: ServerProcess) -> None:
    client = Client(shared_server.port)
    with contextlib.suppress(ConnectionClosed):
        for _ in range(10_000):
            client.send("ping")
    with contextlib.suppress(ConnectionClosed):
        while True:
            client.receive()
    assert client.socket.close_code == 4429
    client.close()
    assert alive(shared_server)


def test_a_socket_that_never_reads_is_dropped_in_bounded_memory(server: ServerProcess) -> None:
    owner = Client(server.port)
    room = owner.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
    with clients(server.port, 10) as crowd:
        for client in crowd:
            client.ask("watch", "room", room=room)
            for _ in range(5):
                client.send("say", room=room, text="長" * 200)
        deaf = upgraded(server.port)
        deaf.sendall(frame(b'{"type":"hello"}'))
        ask = frame(b'{"type":"watch","room":"%s"}' % room.encode())
        before, seconds = memory(server), 0
        while connections(server) == 12 and seconds < 30:
            deaf.sendall(ask * 40)
            time.sleep(1.05)
            seconds += 1
        assert connections(server) == 11
        assert memory(server) - before < 8 * 2**20
        deaf.close()
        assert owner.ask("ping", "pong", n=3)["n"] == 3
        assert all(client.ask("ping", "pong", n=4)["n"] == 4 for client in crowd)
    owner.close()
    assert server.errors == []


def memory(server: ServerProcess) -> int:
    """Return the resident bytes of the server."""
    assert server.process is not None
    pages = Path(f"/proc/{server.process.pid}/statm").read_text().split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def connections(server: ServerProcess) -> int:
    """Return how many connections the server counts."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/metrics", timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return int(float(next(line for line in lines if line.startswith("qipai_connections ")).split()[1]))


def test_frames_sent_just_before_a_close_are_handled(shared_server: ServerProcess) -> None:
    with clients(shared_server.port, 2) as (ann, bob):
        room = ann.ask("open", "room", game="tictactoe", nonce="1")["room"]["id"]
        bob.ask("join", "room", room=room)
        raw = upgraded(shared_server.port)
        hello = b'{"type":"hello","token":"%s"}' % bob.token.encode()
        raw.sendall(
            frame(hello)
            + frame(b'{"type":"join","room":"%s"}' % room.encode())
            + frame(b'{"type":"say","room":"%s","text":"bye"}' % room.encode())
        )
        while b'"said"' not in raw.recv(65536):
            pass
        raw.sendall(frame(b'{"type":"resign","room":"%s"}' % room.encode()) + frame(b"\x03\xe8", 8))
        assert ann.receive_event("game_over")["reason"] == "resigned"
        raw.close()


def test_a_client_that_pings_and_never_reads_costs_no_memory(server: ServerProcess) -> None:
    raw = upgraded(server.port)
    before = memory(server)
    raw.settimeout(0.2)
    ping = frame(b"x" * 125, opcode=9) * 200
    with contextlib.suppress(OSError):
        for _ in range(400):
            raw.sendall(ping)
    assert memory(server) - before < 8 * 2**20
    raw.close()
    assert alive(server)


def test_a_ping_is_answered(shared_server: ServerProcess) -> None:
    raw = upgraded(shared_server.port)
    raw.sendall(frame(b"hello", opcode=9))
    assert raw.recv(100) == b"\x8a\x05hello"
    raw.close()


def test_empty_fragments_do_not_hold_anybody_up(shared_server: ServerProcess) -> None:
    raw = upgraded(shared_server.port)
    raw.settimeout(60)
    with contextlib.suppress(OSError):
        raw.sendall(frame(b"", fin=False) + frame(b"", 0, fin=False) * 80_000)
        received(raw)
    assert alive(shared_server)
    raw.close()


@pytest.mark.parametrize(
    "frames",
    [
        frame(b'{"type":"ping"}', 0),
        frame(b"a", fin=False) + frame(b"b"),
        frame(b"a", 2, fin=False) + frame(b"b", 0),
    ],
    ids=["a continuation of nothing", "a text inside a text", "a binary in parts"],
)
def test_unexpected_frames_end_the_connection(shared_server: ServerProcess, frames: bytes) -> None:
    raw = upgraded(shared_server.port)
    raw.settimeout(60)
    raw.sendall(frames)
    assert struct.pack(">H", 1002) in received(raw)
    raw.close()


def test_a_close_without_a_code_is_answered_with_1000(shared_server: ServerProcess) -> None:
    raw = upgraded(shared_server.port)
    raw.settimeout(60)
    raw.sendall(frame(b"", opcode=8))
    assert received(raw) == b"\x88\x02\x03\xe8"
    raw.close()


def test_the_reason_of_a_close_frame_is_not_cut_inside_a_character() -> None:
    assert close_reason("bye") == b"bye"
    for text in ("侮" * 60, "x" + "侮" * 60, "é" * 200, "x" * 200):
        shown = close_reason(text)
        assert 120 < len(shown) <= 123
        assert text.startswith(shown.decode())
