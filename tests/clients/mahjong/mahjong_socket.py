"""A WebSocket client of the mahjong dialect that plays seats of a game, and starts games by REST."""

import asyncio
import json
import random
import urllib.request
from collections import deque
from collections.abc import Callable
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect

from tests.clients.mahjong.mahjong_random_play import Command, answered, choose

ANSWER = 60.0
FRAMES = 45
WINDOW = 1.1
"""This many frames in this many seconds are always allowed."""
LATE = frozenset({"bad_stage", "not_your_turn", "too_late"})
"""Errors of a command that crossed another one."""

Message = dict[str, Any]
Decide = Callable[[Message, int], Command | None]


def begin(port: int, body: Message | None = None) -> Message:
    """Start a game by REST."""
    return post(port, b"" if body is None else json.dumps(body).encode())


def post(port: int, raw: bytes) -> Message:
    """Send a body to the start route, and return the response."""
    request = urllib.request.Request(f"http://127.0.0.1:{port}/api/game/start", raw, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        start_reply: Message = json.loads(answer.read())
    return start_reply


class Socket:
    """One client, which checks `seq` of received events and keeps the last state of its game."""

    def __init__(self, socket: ClientConnection, game: str) -> None:
        self.socket = socket
        self.game = game
        self.state: Message = {}
        self.seq: int | None = None
        self.listen: Callable[[bytes, Message], None] = lambda _, __: None
        self._said: deque[float] = deque(maxlen=FRAMES)

    @classmethod
    async def open(cls, port: int, game: str) -> "Socket":
        url = f"ws://127.0.0.1:{port}/ws"
        return cls(await connect(url, compression=None, max_queue=None, max_size=None), game)

    async def hear(self) -> Message:
        """Return the next message; keep the state of an event."""
        async with asyncio.timeout(ANSWER):
            frame = await self.socket.recv(decode=False)
        message: Message = msgspec.json.decode(frame)
        self.listen(frame, message)
        if message["type"] == "event":
            assert self.seq is None or message["seq"] == self.seq + 1, (self.seq, message["seq"])
            self.seq, self.state = message["seq"], message["data"]
        return message

    async def ask(self, kind: str, data: Message | None = None) -> Message:
        """Send a command within the rate limit, and return its reply."""
        loop = asyncio.get_running_loop()
        if len(self._said) == FRAMES and (early := self._said[0] + WINDOW - loop.time()) > 0:
            await asyncio.sleep(early)
        self._said.append(loop.time())
        await self.socket.send(json.dumps({"game_id": self.game, "type": kind, "data": data}))
        while (message := await self.hear())["type"] == "event":
            pass
        assert message["type"] == f"{kind}_response", message
        return message

    async def do(self, kind: str, data: Message | None = None) -> Message:
        """Send a command that must succeed."""
        answer = await self.ask(kind, data)
        assert "error" not in answer, answer
        return dict(answer["data"])

    async def play(self, chance: random.Random, *players: int) -> None:
        """Play these seats at random until the hand is over."""
        await self.act(lambda state, player: choose(state, player, chance), chance, *players)

    async def act(self, decide: Decide, chance: random.Random, *players: int) -> None:
        """Play what a bot decides in the received states, until the hand is over."""
        late: int | None = None
        while self.state.get("stage") not in ("ROUND_OVER", "GAME_OVER"):
            command = self._next(decide, players)
            if command is None:
                await self.hear()
                continue
            answer = await self.ask(*command)
            if (again := answered(command, answer, chance)) is not None:
                answer = await self.ask(*again)
            if "error" not in answer:
                # The event of what was done follows its answer.
                await self.hear()
            else:
                # A late command received its error before this event.
                assert answer["code"] in LATE, (command, answer)
                assert self.seq != late, (command, answer)
                late = self.seq

    def _next(self, decide: Decide, players: tuple[int, ...]) -> Command | None:
        if not self.state:
            return None
        found = (decide(self.state, player) for player in players)
        return next((command for command in found if command is not None), None)
