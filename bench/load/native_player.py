"""Player of tic-tac-toe on the native protocol: every round a draw, five rounds a match, then a rematch."""

import time
from collections.abc import Callable
from typing import Final

from .counters import LoadCounters
from .native_client import NativeClient
from .notices import FullRoom, Notice, Refused, RoomEvents

DRAW_CELLS: Final = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""Nine cells in the order of play that complete no line for either side."""
MARK: Final = b'{"type":"play","room":"%b","move":{"do":"mark","cell":%d},"nonce":"%x","at_version":%d}'
NEXT: Final = b'{"type":"play","room":"%b","move":{"do":"next"},"nonce":"%x","at_version":%d}'
REMATCH: Final = b'{"type":"offer","room":"%b","kind":"rematch","nonce":"%x"}'


class Player(NativeClient):
    """Follows the notices of the server; `turn` is called whenever the room waits for this seat."""

    def __init__(self, port: int, counters: LoadCounters, turn: "Callable[[Player], None]") -> None:
        super().__init__(port)
        self.counters = counters
        self.turn = turn
        self.pair: tuple[Player, Player] = (self, self)
        self.seat = 0
        self.room = b""
        self.version = 0
        self.marks = 0
        self.to_act: list[int] = []
        self.over = False
        self.offered = False
        self.sent = 0
        self.sent_at = 0.0

    def load(self, shown: FullRoom) -> None:
        """Take over a full room."""
        self.room = shown.room.id.encode()
        self.version = shown.version
        self.to_act = shown.room.to_act
        self.over = shown.room.phase == "over"
        self.offered = bool(shown.room.offers)
        if shown.you is not None:
            self.seat = shown.you
        if shown.room.position is not None:
            self.marks = 9 - shown.room.position.board.count(".")

    def receive(self, notice: Notice) -> None:
        """Follow the room, and act if it is this seat's turn."""
        if isinstance(notice, RoomEvents):
            self._follow(notice)
        elif isinstance(notice, Refused):
            self.counters.refusals.append(f"{notice.code} {notice.about}".strip())
        elif isinstance(notice, FullRoom):
            self.load(notice)

    def _follow(self, notice: RoomEvents) -> None:
        counters, seat = self.counters, self.seat
        self.version = notice.version
        self.to_act = notice.to_act
        if notice.seat is not None and counters.timing:
            counters.delays.append(time.perf_counter() - self.pair[notice.seat].sent_at)
        for event in notice.events:
            match event.e or event.do:
                case "marked" | "mark":
                    self.marks += 1
                    counters.moves += notice.seat == seat
                case "round_started":
                    self.marks = 0
                    counters.moves += notice.seat == seat
                case "game_started":
                    self.marks = 0
                    self.over = self.offered = False
                case "game_over":
                    self.over = True
                case "offer_made":
                    self.offered = True
        if self.is_to_act():
            self.turn(self)

    def is_to_act(self) -> bool:
        """Tell whether the room waits for this seat; if both seats may act, the first one does."""
        if self.over:
            return self.offered == (self.seat == 1)
        return self.seat in self.to_act and (len(self.to_act) == 1 or self.seat == 0)

    def act(self) -> None:
        """Send the move or offer that the room waits for."""
        self.sent += 1
        if self.over:
            frame = REMATCH % (self.room, self.sent)
        elif len(self.to_act) == 1:
            frame = MARK % (self.room, DRAW_CELLS[self.marks % 9], self.sent, self.version)
        else:
            frame = NEXT % (self.room, self.sent, self.version)
        self.sent_at = time.perf_counter()
        self.send(frame)

    def on_lost(self) -> None:
        """Count a connection that the server closed."""
        self.counters.lost_connections += 1
