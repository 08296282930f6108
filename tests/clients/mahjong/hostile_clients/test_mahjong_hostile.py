"""Hostile mahjong clients over raw TCP, while four others play undisturbed."""

import asyncio
import base64
import json
import random
import struct
from collections.abc import Callable
from functools import partial

import pytest

from tests.clients.mahjong.mahjong_bot_client import decide
from tests.clients.mahjong.mahjong_socket import Message, Socket, begin
from tests.support.server import ServerProcess

pytestmark = pytest.mark.slow

TEXT, BINARY, CLOSE, PING = 0x81, 0x82, 0x88, 0x89


def framed(payload: bytes, first: int = TEXT, *, masked: bool = True, length: int | None = None) -> bytes:
    """Return a WebSocket frame; `length` is what it says its length is."""
    size = len(payload) if length is None else length
    bit = 0x80 if masked else 0
    if size < 126:
        head = struct.pack("!BB", first, bit | size)
    elif size < 65_536:
        head = struct.pack("!BBH", first, bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, bit | 127, size)
    return head + (bytes(4) if masked else b"") + payload


class Raw:
    """A WebSocket that sends arbitrary bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int) -> "Raw":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        key = base64.b64encode(bytes(16)).decode()
        lines = (
            "GET /ws HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {key}",
        )
        writer.write("\r\n".join((*lines, "", "")).encode())
        assert b" 101 " in await reader.readuntil(b"\r\n\r\n")
        return cls(reader, writer)

    async def say(self, *parts: bytes) -> None:
        """Send bytes, as far as the server reads them."""
        try:
            for part in parts:
                self.writer.write(part)
                async with asyncio.timeout(5):
                    await self.writer.drain()
        except (OSError, TimeoutError):
            pass

    async def received(self, seconds: float = 1.0) -> bytes:
        """Return everything that arrives within some time, or until the end."""
        found = b""
        try:
            async with asyncio.timeout(seconds):
                while part := await self.reader.read(65_536):
                    found += part
        except (OSError, TimeoutError):
            pass
        return found

    def end(self) -> None:
        self.writer.transport.abort()


def about(game: str, kind: str, **data: object) -> bytes:
    return json.dumps({"game_id": game, "type": kind, "data": data}).encode()


NUMBERS = [
    "1e400",
    "-1e400",
    "1" * 400,
    "-0",
    "1.0",
    "NaN",
    "Infinity",
    "0x1",
    "1e-400",
    str(2**63),
    str(-(2**63)),
]


def attacks(game: str) -> dict[str, Callable[[], list[bytes]]]:
    """Return the attacks by name."""
    state = framed(about(game, "get_state"))
    deep = b'{"type":"get_state","data":' + b'{"data":' * 5_000 + b"1" + b"}" * 5_001
    return {
        "half a frame": lambda: [state[: len(state) // 2]],
        "a head alone": lambda: [framed(b"", length=50_000)],
        "an endless length": lambda: [framed(b"x", length=2**63 - 1)],
        "too long": lambda: [framed(b"x" * 2_000_000)],
        "pieces without an end": lambda: [framed(b'{"type":', 0x01), *[framed(b" ", 0x00)] * 2_000],
        "an end without a beginning": lambda: [framed(b"{}", 0x80)],
        "bytes that are no text": lambda: [framed(b"\xff\xfe\xed\xa0\x80")] * 20,
        "a binary frame": lambda: [framed(about(game, "get_state"), BINARY)] * 20,
        "no mask": lambda: [framed(about(game, "get_state"), masked=False)],
        "reserved bits": lambda: [framed(about(game, "get_state"), 0xF1)],
        "an unknown kind": lambda: [framed(b"", 0x83)],
        "a long ping": lambda: [framed(b"x" * 200, PING)],
        "many pings": lambda: [framed(b"", PING)] * 3_000,
        "a bad close": lambda: [framed(b"\x00", CLOSE)],
        "ten thousand frames": lambda: [framed(about(game, "roll_positions"))] * 10_000,
        "ten thousand guesses": lambda: [
            framed(about(game, "join_room", player_id=n % 4 + 1, token=f"{n:08x}")) for n in range(10_000)
        ],
        "nested": lambda: [framed(deep)],
        "numbers": lambda: [
            framed(
                f'{{"type":"discard_tile","game_id":"{game}","data":{{"player_id":{n},"tile":{n}}}}}'.encode()
            )
            for n in NUMBERS
        ],
        "the same key twice": lambda: [
            framed(f'{{"type":"join_room","type":"x","game_id":"a","game_id":"{game}"}}'.encode())
        ],
        "a line of its own": lambda: [b"GET / HTTP/1.1\r\n\r\n" * 50],
    }


async def assault(port: int, game: str, name: str) -> None:
    raw = await Raw.open(port)
    await raw.say(*attacks(game)[name]())
    received = await raw.received()
    assert b"Traceback" not in received
    raw.end()


async def besieged(port: int) -> Message:
    """Let four clients play a hand by token during all attacks; return its result."""
    start_reply = await asyncio.to_thread(begin, port, {"seats": "token"})
    game = start_reply["game_id"]
    clients = [await Socket.open(port, game) for _ in range(4)]
    for player, one in enumerate(clients, 1):
        await one.do("join_room", {"player_id": player, "token": start_reply["tokens"][str(player)]})
    for kind in ("roll_positions", "roll_dealer", "deal_tiles"):
        await clients[0].do(kind)

    async with asyncio.TaskGroup() as group:
        for name in attacks(game):
            group.create_task(assault(port, game, name))
        for player, one in enumerate(clients, 1):
            decide_normal = partial(decide, bot="normal")
            group.create_task(one.act(decide_normal, random.Random(player), player))
    assert [one.state["seq"] for one in clients] == [clients[0].state["seq"]] * 4
    for one in clients:
        await one.socket.close()
    return clients[0].state


def test_hostile_frames_disturb_neither_games_nor_the_server(server: ServerProcess) -> None:
    state = asyncio.run(besieged(server.port))
    assert state["stage"] == "ROUND_OVER"
    assert sum(state["result"]["delta"].values()) == 0
    assert server.errors == []
    start_reply = begin(server.port)
    assert start_reply["stage"] == "WAITING_PLAYERS"
