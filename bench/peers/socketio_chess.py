"""Chess on python-socketio with aiohttp, python-chess and sqlite3."""

import asyncio
from itertools import count
from typing import Any, Final

import socketio  # type: ignore[import-untyped] # no stubs
import uvloop
from aiohttp import web

from .chess_game import ChessGame
from .move_store import MoveStore

HOST: Final = "127.0.0.1"


class Room:
    """Two players by their session ids, and their game."""

    def __init__(self, player: str) -> None:
        self.players = [player]
        self.game = ChessGame()


class ChessServer:
    """All rooms of the server."""

    def __init__(self, server: Any) -> None:
        self.server = server
        self.store = MoveStore()
        self.rooms: dict[str, Room] = {}
        self._numbers = count(1000)

    async def create(self, sid: str) -> None:
        """Open a room."""
        name = str(next(self._numbers))
        self.rooms[name] = Room(sid)
        await self.server.enter_room(sid, name)
        await self.server.emit("created", {"room": name}, to=sid)

    async def join(self, sid: str, message: dict[str, Any]) -> None:
        """Take the second seat of a room, and start."""
        room = self.rooms.get(message["room"])
        if room is None or len(room.players) > 1:
            await self.server.emit("refused", "no free seat", to=sid)
            return
        room.players.append(sid)
        await self.server.enter_room(sid, message["room"])
        await self.server.emit("start", {"room": message["room"]}, room=message["room"])

    async def again(self, _: str, message: dict[str, Any]) -> None:
        """Start another game."""
        self.rooms[message["room"]].game = ChessGame()
        await self.server.emit("start", {"room": message["room"]}, room=message["room"])

    async def move(self, sid: str, message: dict[str, Any]) -> None:
        """Check, store and broadcast a move."""
        name = message["room"]
        room = self.rooms[name]
        game = room.game
        if room.players[game.board.ply() % 2] != sid:
            await self.server.emit("refused", "not your turn", to=sid)
            return
        uci = message["from"] + message["to"] + (message.get("promotion") or "")
        clock = game.play(uci)
        if clock is None:
            await self.server.emit("refused", "illegal move", to=sid)
            return
        await self.store.append((name, game.board.ply(), uci, clock.at))
        await self.server.emit("move", message | {"clock": clock._asdict()}, room=name)


async def main() -> None:
    """Serve on a free port and print it."""
    server = socketio.AsyncServer(async_mode="aiohttp")
    chess_server = ChessServer(server)
    for event in ("create", "join", "again", "move"):
        server.on(event, getattr(chess_server, event))
    app = web.Application()
    server.attach(app)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0, backlog=4096).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())
