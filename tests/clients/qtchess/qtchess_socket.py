"""A WebSocket client of the qtchess dialect, and two that play what python-chess allows."""

import asyncio
import json
import random
from collections import deque
from typing import Any

import chess
from websockets.asyncio.client import ClientConnection, connect

from tests.clients.qtchess.qtchess_clients import squares

KINDS = {1: chess.PAWN, 2: chess.ROOK, 3: chess.KNIGHT, 4: chess.BISHOP, 5: chess.QUEEN, 6: chess.KING}
NUMBERS = {piece: number for number, piece in KINDS.items()}
LISTED = (chess.PAWN, chess.ROOK, chess.KNIGHT, chess.BISHOP, chess.QUEEN, chess.KING)
ANSWER = 60.0
FRAMES = 45
WINDOW = 1.1
"""This many frames in this many seconds are always allowed."""

Message = dict[str, Any]


class Socket:
    """One client, with a queue of received messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.code = ""
        self._said: deque[float] = deque(maxlen=FRAMES)

    @classmethod
    async def open(cls, port: int) -> "Socket":
        return cls(await connect(f"ws://127.0.0.1:{port}/", compression=None, max_queue=None))

    async def say(self, action: str, **fields: Any) -> None:
        loop = asyncio.get_running_loop()
        if len(self._said) == FRAMES and (early := self._said[0] + WINDOW - loop.time()) > 0:
            await asyncio.sleep(early)
        self._said.append(loop.time())
        room = {"room": self.code} if self.code else {}
        await self.socket.send(json.dumps({"action": action, **room, **fields}, ensure_ascii=False))

    async def hear(self, *actions: str) -> Message:
        async with asyncio.timeout(ANSWER):
            message: Message = json.loads(await self.socket.recv())
        assert message["action"] in actions, (actions, message)
        return message

    async def close(self) -> None:
        await self.socket.close()


class Disagreement(AssertionError):
    """The server and python-chess disagree."""


class Duel:
    """Two clients and a board of python-chess that follows what they receive."""

    def __init__(self, host: Socket, guest: Socket, chance: random.Random, modes: Message) -> None:
        self.chance = chance
        self.modes = modes
        self.host, self.guest = host, guest
        self.board = chess.Board()
        self.white_is_host = chance.random() < 0.5
        self.mines: set[chess.Square] = set()
        self.plies = 0

    @property
    def mover(self) -> Socket:
        return self.host if (self.board.turn == chess.WHITE) == self.white_is_host else self.guest

    @property
    def side(self) -> str:
        return "White" if self.board.turn == chess.WHITE else "Black"

    async def both(self, *actions: str) -> Message:
        """Receive the same message at both; the side to move first, because only it receives a refusal."""
        mover = self.mover
        one = await mover.hear(*actions)
        try:
            other = await (self.guest if mover is self.host else self.host).hear(*actions)
        except TimeoutError:
            raise Disagreement(f"only the side to move received {one}") from None
        assert one == other
        return one

    async def begin(self, **fields: Any) -> None:
        mines = []
        if self.modes.get("踩地雷"):
            places = self.chance.sample([(x, y) for x in range(8) for y in range(2, 6)], 5)
            mines = [{"x": x, "y": y} for x, y in places]
            self.mines = {chess.square(x, 7 - y) for x, y in places}
        color = "White" if self.white_is_host else "Black"
        await self.host.say("startGame", hostColor=color, gameModes=self.modes, minePositions=mines, **fields)
        begun = await self.both("gameStart")
        assert begun["minePositions"] == mines
        assert begun["timerState"]["whiteIsA"] is self.white_is_host

    # A move

    async def refused(self) -> None:
        """Try a move that python-chess does not allow, now and then."""
        uci = "".join(self.chance.choice(chess.SQUARE_NAMES) for _ in range(2))
        if chess.Move.from_uci(uci if uci[:2] != uci[2:] else "0000") in self.board.legal_moves:
            return
        if any(move.uci()[:4] == uci for move in self.board.legal_moves):
            uci = uci[:2] * 2
        await self.mover.say("move", **squares(uci))
        error = await self.mover.hear("error")
        assert error["message"] == "不合法的棋步", (self.board.fen(), uci)
        other = self.guest if self.mover is self.host else self.host
        await other.say("move", **squares("e2e4"))
        error = await other.hear("error")
        assert error["message"] == "不是你的回合", error

    async def move(self, move: chess.Move, **more: Any) -> Message:
        """Make a move, receive it at both, and make it on the board."""
        fields = {**squares(move.uci()), **more}
        await self.mover.say("move", **fields)
        try:
            received = await self.both("move")
        except AssertionError as error:
            raise Disagreement(f"{move} in {self.board.fen()}, {more}") from error
        assert {key: received[key] for key in fields} == fields
        self.push(move)
        return received

    def push(self, move: chess.Move) -> None:
        self.board.push(move)
        self.plies += 1
        if move.to_square in self.mines:
            self.mines.discard(move.to_square)
            self.board.remove_piece_at(move.to_square)
            self.board.castling_rights &= self.board.rooks
            self.board.castling_rights = self.board.clean_castling_rights()
            if self.board.ep_square is not None and chess.square_file(self.board.ep_square) == (
                chess.square_file(move.to_square)
            ):
                self.board.ep_square = None

    def result(self) -> str | None:
        """Return the result the server must send after the last move, if the game is over."""
        board = self.board
        for color in chess.COLORS:
            if board.king(color) is None:
                return "0-1" if color == chess.WHITE else "1-0"
        if board.is_checkmate():
            return "0-1" if board.turn == chess.WHITE else "1-0"
        if not any(board.legal_moves) or board.is_insufficient_material():
            return "1/2-1/2"
        if not self.modes and (board.is_fivefold_repetition() or board.is_seventyfive_moves()):
            return "1/2-1/2"
        return None


async def play_plainly(duel: Duel, plies: int) -> str | None:
    """Play without dice until the game or the limit of plies ends; return the result received."""
    await duel.begin(whiteTimeMs=600_000, blackTimeMs=600_000, incrementMs=1000)
    while duel.plies < plies:
        if duel.chance.random() < 0.05:
            await duel.refused()
        move = duel.chance.choice(list(duel.board.legal_moves))
        received = await duel.move(move, ply=duel.plies)
        assert received["timerState"]["currentPlayer"] == duel.side
        if (result := duel.result()) is not None:
            game_over = await duel.both("gameOver")
            assert game_over["result"] == result, (duel.board.fen(), game_over)
            return result
    return None
