"""What random input is sent to: every endpoint of the server, one target each."""

import contextlib
import json
import socket
import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import quote

from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.sync.client import ClientConnection, connect

from tests.fuzz.fuzz_input import LEARNED, FuzzInput
from tests.fuzz.message_templates import (
    HTTP_API,
    LOGIN,
    MAHJONG,
    MAHJONG_REST,
    NATIVE,
    NATIVE_OPENING,
    QTCHESS,
    QTCHESS_OPENING,
    SOCKETIO,
    SOCKETS,
    START,
    Opening,
    Requests,
    Templates,
)
from tests.support.server import clients

Target = Callable[[int, FuzzInput, int], None]
"""Sends so many inputs to the server at a port."""

FRAMES_PER_SOCKET: Final = 40
BATCH: Final = 4
TOO_MANY: Final = frozenset({429, 503})
"""Statuses of a server that limits connections."""


# WebSockets


@contextlib.contextmanager
def websocket(port: int, path: str) -> Iterator[ClientConnection]:
    """Open a WebSocket; a server that limits connections is asked again."""
    until = time.monotonic() + 60
    while True:
        try:
            opened = connect(
                f"ws://127.0.0.1:{port}{path}",
                compression=None,
                max_size=None,
                open_timeout=60,
                close_timeout=1,
            )
            break
        except InvalidStatus as refused:
            if refused.response.status_code not in TOO_MANY or time.monotonic() > until:
                raise
            time.sleep(0.1)
    with opened:
        yield opened


def exchange(
    connection: ClientConnection, fuzz: FuzzInput, frames: list[bytes], answer_seconds: float = 0.03
) -> None:
    """Send frames, some of them binary, and learn from what arrives."""
    for frame in frames:
        binary = fuzz.random.random() < 0.05
        connection.send(frame if binary else frame.decode("utf-8", "replace"))
    with contextlib.suppress(TimeoutError):
        while True:
            fuzz.learn(connection.recv(answer_seconds))
            answer_seconds = 0.03


def fuzz_websocket(
    path: str,
    templates: Templates,
    opening: Opening = (),
    prepare: Callable[[int], bytes] = lambda _port: b"",
) -> Target:
    """Return a target of JSON frames: a few sockets at a time, whose opening is valid."""

    def run(port: int, fuzz: FuzzInput, count: int) -> None:
        for start in range(0, count, SOCKETS * FRAMES_PER_SOCKET):
            fuzz.learn(prepare(port))
            with contextlib.ExitStack() as opened, contextlib.suppress(WebSocketException):
                connections = [opened.enter_context(websocket(port, path)) for _ in range(SOCKETS)]
                for number, template in opening:
                    connections[number].send(json.dumps(fuzz.filled(template)))
                    exchange(connections[number], fuzz, [], 1)
                for _ in range(start, min(count, start + SOCKETS * FRAMES_PER_SOCKET), BATCH):
                    chosen = fuzz.random.choices(templates, k=BATCH)
                    frames = [fuzz.message(template) for template in chosen]
                    exchange(fuzz.random.choice(connections), fuzz, frames)

    return run


# Socket.IO


def socketio_packet(fuzz: FuzzInput) -> bytes:
    """Return an Engine.IO packet: mostly an event, sometimes one that closes the session."""
    if fuzz.random.random() < 0.02:
        return fuzz.damaged(
            fuzz.random.choice([b"40", b"41", b"2probe", b"5", b"6", b"430[]", b"bAAAA", b"1"])
        )
    prefix = (
        b"42" if fuzz.random.random() < 0.98 else fuzz.random.choice([b"421", b"42/x,", b"451-", b"4", b""])
    )
    return prefix + fuzz.message(fuzz.random.choice(SOCKETIO), broken=0.02)


def fuzz_socketio_websocket(port: int, fuzz: FuzzInput, count: int) -> None:
    """Send packets over WebSockets; a session that the server closes is followed by another one."""
    sent = 0
    while sent < count:
        sid = f"&sid={quote(fuzz.learned())}" if fuzz.random.random() < 0.1 else ""
        path = f"/socket.io/?EIO=4&transport=websocket{sid}"
        with contextlib.suppress(WebSocketException), websocket(port, path) as connection:
            connection.send("40")
            for _ in range(0, FRAMES_PER_SOCKET, BATCH):
                sent += BATCH
                exchange(connection, fuzz, [socketio_packet(fuzz) for _ in range(BATCH)])


def fuzz_socketio_polling(port: int, fuzz: FuzzInput, count: int) -> None:
    """Post payloads to sessions, and poll; some requests are not valid HTTP."""
    sid = ""
    for _ in range(count):
        if not sid:
            answer = http_exchange(port, request("GET", "/socket.io/?EIO=4&transport=polling"))
            fuzz.learn(answer.body)
            found = answer.body.find(b'"sid":"')
            sid = answer.body[found + 7 :].split(b'"')[0].decode() if found >= 0 else fuzz.learned()
            http_exchange(
                port, request("POST", f"/socket.io/?EIO=4&transport=polling&sid={quote(sid)}", b"40")
            )
        target = f"/socket.io/?EIO=4&transport=polling&sid={quote(sid)}"
        if fuzz.random.random() < 0.1:
            query = fuzz.damaged(target.encode()).decode("utf-8", "replace")
            target = quote(query, safe="/?&=%")
        if fuzz.random.random() < 0.15:
            sent = request("GET", target)
        else:
            packets = [socketio_packet(fuzz) for _ in range(fuzz.random.randrange(1, 5))]
            sent = request("POST", target, b"\x1e".join(packets))
        answer = http_exchange(port, fuzz.damaged(sent) if fuzz.random.random() < 0.05 else sent)
        fuzz.learn(answer.body)
        if answer.status != 200:
            sid = ""


# HTTP


class Answer(NamedTuple):
    """The status of a response, 0 without one, and its body."""

    status: int
    body: bytes


def request(method: str, target: str, body: bytes = b"", **headers: str) -> bytes:
    """Return a request as bytes."""
    given = {"Host": "127.0.0.1", "Connection": "close", **headers}
    if body:
        given["Content-Length"] = str(len(body))
    lines = [
        f"{method} {target} HTTP/1.1",
        *(f"{name.replace('_', '-')}: {value}" for name, value in given.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode("utf-8", "replace") + body


def http_exchange(port: int, sent: bytes) -> Answer:
    """Send bytes on their own connection; return the answer, if one arrives soon."""
    received = b""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(sent)
        connection.settimeout(0.2)
        while part := connection.recv(65_536):
            received += part
    head, _, body = received.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    assert status not in {500, 502, 504}, (sent, received)
    return Answer(status, body)


def fuzz_http(requests: Requests, prepare: Callable[[int], bytes] = lambda _port: b"") -> Target:
    """Return a target of HTTP requests: method, path, and the template of a JSON body or a form as text."""

    def run(port: int, fuzz: FuzzInput, count: int) -> None:
        fuzz.learn(prepare(port))
        for _ in range(count):
            method, path, template = fuzz.random.choice(requests)
            if fuzz.random.random() < 0.1:
                method = fuzz.random.choice(["HEAD", "PUT", "OPTIONS", "DELETE", "TRACE", "PATCH"])
            target, body, media_type = path.replace(LEARNED, fuzz.quoted()), b"", "application/json"
            if isinstance(template, str):
                media_type = "application/x-www-form-urlencoded"
                body = template.replace(LEARNED, fuzz.quoted()).encode()
            elif template is not None:
                body = fuzz.message(template)
            sent = request(method, target, body, Content_Type=media_type, Cookie=f"session={fuzz.quoted()}")
            answer = http_exchange(port, fuzz.damaged(sent) if fuzz.random.random() < 0.2 else sent)
            fuzz.learn(answer.body)

    return run


def finished_game(port: int) -> bytes:
    """Play a game to its end, and return its room as JSON."""
    with clients(port, 2) as (host, guest):
        room = host.ask("open", "room", game="tictactoe", nonce="first")["room"]["id"]
        guest.ask("join", "room", room=room)
        guest.ask("resign", "events", room=room, nonce="end")
    return json.dumps({"id": room}).encode()


def mahjong_game(port: int) -> bytes:
    """Start a mahjong game, and return the answer."""
    return http_exchange(port, request("POST", "/api/game/start", json.dumps(START).encode())).body


TARGETS: Final[dict[str, Target]] = {
    "/play": fuzz_websocket("/play", NATIVE, NATIVE_OPENING),
    "/": fuzz_websocket("/", QTCHESS, QTCHESS_OPENING),
    "/ws": fuzz_websocket("/ws", MAHJONG, prepare=mahjong_game),
    "/socket.io/": fuzz_socketio_websocket,
    "Socket.IO polling": fuzz_socketio_polling,
    "mahjong REST": fuzz_http(MAHJONG_REST),
    "login": fuzz_http(LOGIN),
    "HTTP API": fuzz_http(HTTP_API, finished_game),
}
"""By path for WebSockets, by name for the others."""
