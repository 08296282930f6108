"""Plays gomoku against one of the server's bots over the native protocol; give the server's URL.

It shows what every native client does: say hello, keep the token, follow versions, resume after a disconnect.
"""

import asyncio
import json
import random
import sys
from contextlib import suppress
from secrets import token_hex
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SIZE = 15


class Player:
    """The state of the table: its last `room` notice and all events since."""

    def __init__(self, session: str = "") -> None:
        self.token = ""  # Proves who we are: with it we keep our seat on any connection.
        self.session = session  # The same for an account.
        self.room = ""
        self.match = 0  # The number of the game in this room.
        self.version = 0
        self.seat: int | None = None
        self.stones: list[int] = []  # Cells are x + 15 * y, in the order they were placed.
        self.to_act: list[int] = []
        self.pending: dict[str, Any] = {}  # By nonce; sending one again is safe.
        self.result: dict[str, Any] | None = None

    async def play(self, socket: ClientConnection) -> None:
        """Play on this connection until the game is over or the connection is lost."""
        name = "" if self.session else "Example"
        await self.send(socket, type="hello", v=2, token=self.token, session=self.session, name=name)
        async for frame in socket:
            notice = json.loads(frame)
            match notice["type"]:
                case "welcome":
                    self.token = notice["token"]
                    if self.room:
                        await self.send(socket, type="resume", room=self.room, version=self.version)
                    elif not self.pending:
                        await self.find_table(socket)
                    for intent in self.pending.values():
                        await self.send(socket, **intent)
                case "room":
                    table = notice["room"]
                    self.room, self.seat, self.version = table["id"], notice["you"], notice["version"]
                    self.match = table["match"]
                    self.stones = (table.get("position") or {"moves": []})["moves"]
                    self.to_act, self.result = table.get("to_act", []), table.get("result")
                    # This notice answers an `open`; every other reply names the nonce.
                    self.pending = {n: intent for n, intent in self.pending.items() if "room" in intent}
                case "events" if notice["version"] > self.version:
                    self.version, self.to_act = notice["version"], notice["to_act"]
                    self.pending.pop(notice.get("nonce", ""), None)
                    for event in notice["events"]:
                        self.apply(event)
                case "unchanged":
                    self.pending.pop(notice.get("nonce", ""), None)
                case "refused":
                    print(notice)
                    self.pending.pop(notice.get("nonce", ""), None)
                    if notice["code"] not in {"stale", "unavailable"}:  # After these, choose another move.
                        sys.exit(1)
            if self.result is not None:
                return
            await self.play_move(socket)

    async def find_table(self, socket: ClientConnection) -> None:
        """Open a table with a bot."""
        await self.send_with_nonce(socket, type="open", game="gomoku", bot="easy")

    def apply(self, event: dict[str, Any]) -> None:
        """Apply an event; unknown events are ignored."""
        match event:
            case {"e": "game_started", "match": match, "position": position}:
                self.match, self.stones = match, position["moves"]
            case {"e": "placed", "x": x, "y": y}:
                self.stones.append(x + SIZE * y)
            case {"e": "game_over"}:
                self.result = event

    async def play_move(self, socket: ClientConnection) -> None:
        """Place a stone beside another one, if it is our turn and no intent is pending."""
        if self.seat not in self.to_act or self.pending:
            return
        neighbours = {
            (cell % SIZE + dx, cell // SIZE + dy)
            for cell in self.stones
            for dx in (-1, 0, 1)
            for dy in (-1, 0, 1)
        }
        free = [
            (x, y)
            for x, y in neighbours
            if x in range(SIZE) and y in range(SIZE) and x + SIZE * y not in self.stones
        ]
        x, y = random.choice(sorted(free) or [(SIZE // 2, SIZE // 2)])
        move = {"do": "place", "x": x, "y": y}
        await self.send_with_nonce(socket, type="play", room=self.room, move=move, at_version=self.version)

    async def send_with_nonce(self, socket: ClientConnection, **intent: Any) -> None:
        """Send an intent whose reply names its nonce."""
        nonce = token_hex(8)
        self.pending[nonce] = {**intent, "nonce": nonce}
        await self.send(socket, **self.pending[nonce])

    async def send(self, socket: ClientConnection, **intent: Any) -> None:
        """Send one frame."""
        await socket.send(json.dumps(intent))


async def play(url: str, player: Player) -> dict[str, Any]:
    """Play one game, on as many connections as it takes, and return its result."""
    async for socket in connect(f"{url.replace('http', 'ws', 1)}/play"):  # Reconnects after each disconnect.
        with suppress(ConnectionClosed):
            await player.play(socket)
        if player.result is not None:
            break
    assert player.result is not None
    won = player.seat in player.result["winners"]
    print("won" if won else "lost", "after", len(player.stones), "stones:", player.result)
    return player.result


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:], Player()))
