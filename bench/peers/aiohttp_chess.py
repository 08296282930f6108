"""Chess on aiohttp, python-chess and sqlite3, with the frames of the qtchess dialect."""

import asyncio
import json
from itertools import count
from typing import Any, Final

import uvloop
from aiohttp import WSMsgType, web

from .chess_game import ChessGame
from .move_store import MoveStore

HOST: Final = "127.0.0.1"
PROMOTIONS: Final = {None: "", 2: "r", 3: "n", 4: "b", 5: "q"}


class Room:
    """Two players and their game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.players: list[web.WebSocketResponse] = []
        self.game: ChessGame | None = None


class ChessServer:
    """All rooms of the server."""

    def __init__(self) -> None:
        self.store = MoveStore()
        self.rooms: dict[str, Room] = {}
        self._numbers = count(1000)

    async def connection(self, request: web.Request) -> web.WebSocketResponse:
        """Serve one connection."""
        socket = web.WebSocketResponse(compress=False)
        await socket.prepare(request)
        try:
            async for frame in socket:
                if frame.type is WSMsgType.TEXT:
                    await self.receive(socket, json.loads(frame.data))
        finally:
            self.leave(socket)
        return socket

    async def receive(self, socket: web.WebSocketResponse, message: dict[str, Any]) -> None:
        """Do what a message asks for."""
        action = message["action"]
        if action == "createRoom":
            room = Room(str(next(self._numbers)))
            self.rooms[room.name] = room
            room.players.append(socket)
            await _send([socket], {"action": "roomCreated", "room": room.name})
            return
        found = self.rooms.get(message["room"])
        if found is None:
            await _refuse(socket, "no such room")
        elif action == "move":
            await self.play(socket, found, message)
        elif action == "joinRoom":
            if len(found.players) > 1:
                await _refuse(socket, "no free seat")
                return
            found.players.append(socket)
            await _send([socket], {"action": "joinedRoom", "room": found.name})
            await _send(found.players[:1], {"action": "playerJoined", "room": found.name})
        elif action == "startGame":
            found.game = ChessGame()
            await _send(found.players, message | {"action": "gameStart"})
        elif action == "surrender":
            found.game = None
            await _send([player for player in found.players if player is not socket], message)

    async def play(self, socket: web.WebSocketResponse, room: Room, message: dict[str, Any]) -> None:
        """Check, store and broadcast a move."""
        game = room.game
        if game is None or room.players[game.board.ply() % 2] is not socket:
            await _refuse(socket, "not your turn")
            return
        squares = _square(message["fromRow"], message["fromCol"]) + _square(
            message["toRow"], message["toCol"]
        )
        uci = squares + PROMOTIONS[message.get("promotion")]
        clock = game.play(uci)
        if clock is None:
            await _refuse(socket, "illegal move")
            return
        await self.store.append((room.name, game.board.ply(), uci, clock.at))
        timer = {
            "timeA": clock.white,
            "timeB": clock.black,
            "currentPlayer": clock.turn,
            "lastSwitchTime": clock.at,
        }
        await _send(room.players, message | {"timerState": timer})
        if clock.over:
            await _send(room.players, {"action": "gameOver", "room": room.name})

    def leave(self, socket: web.WebSocketResponse) -> None:
        """Forget a connection, and a room that nobody is in."""
        for room in [room for room in self.rooms.values() if socket in room.players]:
            room.players.remove(socket)
            if not room.players:
                del self.rooms[room.name]


def _square(row: int, column: int) -> str:
    return "abcdefgh"[column] + str(8 - row)


async def _send(players: list[web.WebSocketResponse], message: dict[str, Any]) -> None:
    text = json.dumps(message, separators=(",", ":"))
    for player in players:
        await player.send_str(text)


async def _refuse(socket: web.WebSocketResponse, reason: str) -> None:
    await _send([socket], {"action": "error", "message": reason})


async def main() -> None:
    """Serve on a free port and print it."""
    app = web.Application()
    app.add_routes([web.get("/", ChessServer().connection)])
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, HOST, 0, backlog=4096).start()
    print(runner.addresses[0][1], flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(main())
