"""Tic-tac-toe players on Socket.IO: every round a draw, five rounds a match, then another match."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec import Struct

from bench.failure import Failure
from bench.servers import Server

from .floor import crowd
from .login import log_in
from .pace import Free, Seat
from .player import DRAWN
from .socketio import ANSWER_LIMIT, Socket
from .tally import Tally
from .window import Window, watch

JOIN: Final = b'42["join_pvp"]'
MARK: Final = b'42["make_move",{"row":%d,"col":%d}]'
NEXT: Final = b'42["reset_game"]'
REMATCH: Final = b'42["start_new_match"]'


class Side(Struct):
    """Who sits on one side, and what they mark with."""

    sid: str
    symbol: str


class Payload(Struct):
    """Whatever one of the events says that a player cares for."""

    turn: str = ""
    symbol: str = ""
    your_symbol: str = ""
    match_finished: bool = False
    left_player: Side | None = None
    right_player: Side | None = None


class Event(Struct, array_like=True):
    """An event; the offset that a server with connection state recovery adds is skipped while reading."""

    name: str
    payload: Payload


_event: Final = msgspec.json.Decoder(Event).decode
_MOVED: Final = b'42["move_made"'
_ENDED: Final = b'42["round_end"'
_BEGAN: Final = (b'42["game_start"', b'42["game_reset"', b'42["new_match_started"')
_WAITING: Final = b'42["waiting_for_opponent"'
_REFUSED: Final = tuple(
    b'42["%b"' % name
    for name in (b"move_rejected", b"login_required", b"room_full", b"game_in_progress", b"opponent_left")
)


class MarkPlayer(Socket):
    """Marks the next cell whenever it is its turn; of two, the one who `opens` asks for the next round."""

    def __init__(self, port: int, tally: Tally, turn: Callable[[Seat], None], *, opens: bool) -> None:
        super().__init__(port)
        self.tally = tally
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
        """Do what the table waits for."""
        self.sent += 1
        self.sent_at = time.perf_counter()
        if self.match_over:
            self.emit(REMATCH)
        elif self.round_over:
            self.emit(NEXT)
        else:
            self.emit(MARK % divmod(DRAWN[self.marks], 3))

    def hear(self, packet: bytes) -> None:
        """Follow the table, and answer if it is on us."""
        if packet.startswith(_MOVED):
            self._moved(_event(memoryview(packet)[2:]).payload)
        elif packet.startswith(_ENDED):
            self.round_over = True
            self.match_over = _event(memoryview(packet)[2:]).payload.match_finished
            if self.opens:
                self.turn(self)
        elif packet.startswith(_BEGAN):
            self._begin(_event(memoryview(packet)[2:]).payload)
        elif packet.startswith(_WAITING):
            self.waiting.set()
        elif packet.startswith(_REFUSED):
            self.refused(packet)

    def refused(self, packet: bytes) -> None:
        """Count what the server did not do."""
        super().refused(packet)
        self.tally.refusals.append(packet.decode())

    def lost(self) -> None:
        """Count a connection that the server closed."""
        self.tally.lost += 1

    def _moved(self, payload: Payload) -> None:
        self.marks += 1
        self.tally.moves += payload.symbol == self.symbol
        # The last mark of a round leaves the turn with whoever made it.
        if payload.turn == self.symbol and self.marks < len(DRAWN):
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


async def play_marks(
    server: Server, tables: int, warm: float, seconds: float, *, login: bool = False
) -> Window:
    """Play tic-tac-toe at many tables, and measure what it costs the server."""
    tally, pace = Tally(), Free()

    async def person(number: int) -> MarkPlayer:
        player = MarkPlayer(server.port, tally, pace.turn, opens=number % 2 == 0)
        await player.connect(await log_in(server.port, f"p{number}") if login else "")
        return player

    players = await crowd(2 * tables, person)
    try:
        for first, second in zip(players[::2], players[1::2], strict=True):
            await sit(first, second)
        pace.start()
        await asyncio.sleep(warm)
        before = [player.sent for player in players]
        window = await watch(server, tally, players, seconds)
        stuck = sum(player.sent == then for player, then in zip(players, before, strict=True))
        if stuck:
            raise Failure(f"{server.name} left {stuck} players without a turn")
        return window
    finally:
        pace.stop()
        for player in players:
            player.close()
        await asyncio.sleep(0.05)


async def sit(first: MarkPlayer, second: MarkPlayer) -> None:
    """Bring two players to one table: whoever joins is put with the one who waits."""
    try:
        async with asyncio.timeout(ANSWER_LIMIT):
            first.emit(JOIN)
            await first.waiting.wait()
            second.emit(JOIN)
            await first.seated.wait()
            await second.seated.wait()
    except TimeoutError:
        raise Failure(f"no table for two: {(*first.tally.refusals, 'no answer')[0]}") from None
