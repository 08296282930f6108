"""Players of tic-tac-toe on Socket.IO: every round a draw, five rounds a match, then another match."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure
from bench.servers import Server

from .counters import LoadCounters
from .login import log_in
from .measurement import Measurement, measure
from .native_player import DRAW_CELLS
from .native_tables import create_many
from .pacing import PacedPlayer, Unlimited
from .socketio_client import ANSWER_LIMIT, SocketIOClient

JOIN: Final = b'42["join_pvp"]'
MARK: Final = b'42["make_move",{"row":%d,"col":%d}]'
NEXT: Final = b'42["reset_game"]'
REMATCH: Final = b'42["start_new_match"]'


class Side(Struct):
    """Player of one side and the symbol."""

    sid: str
    symbol: str


class Payload(Struct):
    """The fields of all events that a player needs."""

    turn: str = ""
    symbol: str = ""
    your_symbol: str = ""
    match_finished: bool = False
    left_player: Side | None = None
    right_player: Side | None = None


class Event(Struct, array_like=True):
    """An event; decoding skips the offset of connection state recovery."""

    name: str
    payload: Payload


_event: Final = msgspec.json.Decoder(Event).decode
_MOVE_MADE: Final = b'42["move_made"'
_ROUND_END: Final = b'42["round_end"'
_GAME_START: Final = (b'42["game_start"', b'42["game_reset"', b'42["new_match_started"')
_WAITING: Final = b'42["waiting_for_opponent"'
_REFUSED: Final = tuple(
    b'42["%b"' % name
    for name in (b"move_rejected", b"login_required", b"room_full", b"game_in_progress", b"opponent_left")
)


class TicTacToePlayer(SocketIOClient):
    """Marks the next cell on each turn; the player who `opens` asks for the next round."""

    def __init__(
        self, port: int, counters: LoadCounters, turn: Callable[[PacedPlayer], None], *, opens: bool
    ) -> None:
        super().__init__(port)
        self.counters = counters
        self.turn = turn
        self.opens = opens
        self.symbol = ""
        self.marks = 0
        self.round_over = False
        self.match_over = False
        self.sent = 0
        self.sent_at = 0.0
        self.waiting = asyncio.Event()
        self.seated = asyncio.Event()

    def act(self) -> None:
        """Send the move or request that the table waits for."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        if self.match_over:
            self.emit(REMATCH)
        elif self.round_over:
            self.emit(NEXT)
        else:
            self.emit(MARK % divmod(DRAW_CELLS[self.marks], 3))

    def receive(self, packet: bytes) -> None:
        """Follow the table, and act on each turn."""
        if packet.startswith(_MOVE_MADE):
            self._moved(_event(memoryview(packet)[2:]).payload)
        elif packet.startswith(_ROUND_END):
            self.round_over = True
            self.match_over = _event(memoryview(packet)[2:]).payload.match_finished
            if self.opens:
                self.turn(self)
        elif packet.startswith(_GAME_START):
            self._begin(_event(memoryview(packet)[2:]).payload)
        elif packet.startswith(_WAITING):
            self.waiting.set()
        elif packet.startswith(_REFUSED):
            self.on_refused(packet)

    def on_refused(self, packet: bytes) -> None:
        """Count a refusal."""
        super().on_refused(packet)
        self.counters.refusals.append(packet.decode())

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1

    def _moved(self, payload: Payload) -> None:
        self.marks += 1
        self.counters.moves += payload.symbol == self.symbol
        # After the last mark of a round the turn stays with the player who made it.
        if payload.turn == self.symbol and self.marks < len(DRAW_CELLS):
            self.turn(self)

    def _begin(self, payload: Payload) -> None:
        for side in (payload.left_player, payload.right_player):
            if side is not None and side.sid == self.sid:
                self.symbol = side.symbol
        self.symbol = payload.your_symbol or self.symbol
        self.marks = 0
        self.round_over = self.match_over = False
        self.seated.set()
        if payload.turn == self.symbol:
            self.turn(self)


async def play_tictactoe(
    server: Server, tables: int, warm: float, seconds: float, *, login: bool = False
) -> Measurement:
    """Play tic-tac-toe at many tables, and measure the server."""
    counters, pacing = LoadCounters(), Unlimited()

    async def create(number: int) -> TicTacToePlayer:
        player = TicTacToePlayer(server.port, counters, pacing.turn, opens=number % 2 == 0)
        await player.connect(await log_in(server.port, f"p{number}") if login else "")
        return player

    players = await create_many(2 * tables, create)
    try:
        for first, second in zip(players[::2], players[1::2], strict=True):
            await pair(first, second)
        pacing.start()
        await asyncio.sleep(warm)
        before = [player.sent for player in players]
        measurement = await measure(server, counters, players, seconds)
        stuck = sum(player.sent == count for player, count in zip(players, before, strict=True))
        if stuck:
            raise Failure(f"{server.name} left {stuck} players without a turn")
        return measurement
    finally:
        pacing.stop()
        for player in players:
            player.close()
        await asyncio.sleep(0.05)


async def pair(first: TicTacToePlayer, second: TicTacToePlayer) -> None:
    """Seat two players at one table: the server pairs the second with the waiting first."""
    try:
        async with asyncio.timeout(ANSWER_LIMIT):
            first.emit(JOIN)
            await first.waiting.wait()
            second.emit(JOIN)
            await first.seated.wait()
            await second.seated.wait()
    except TimeoutError:
        raise Failure(f"no table for two: {(*first.counters.refusals, 'no answer')[0]}") from None
