"""A seat that plays tic-tac-toe for ever: every round a draw, five rounds a match, then a rematch."""

import time
from collections.abc import Callable
from typing import Final

from .client import Client
from .notices import Denied, Happened, Notice, Shown
from .tally import Tally

DRAWN: Final = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""Nine cells in the order of play that complete no line for either side."""
MARK: Final = b'{"type":"play","room":"%b","move":{"do":"mark","cell":%d},"nonce":"%x","at_version":%d}'
NEXT: Final = b'{"type":"play","room":"%b","move":{"do":"next"},"nonce":"%x","at_version":%d}'
REMATCH: Final = b'{"type":"offer","room":"%b","kind":"rematch","nonce":"%x"}'


class Player(Client):
    """Knows only what the server told it; `turn` is called whenever there is something to do."""

    def __init__(self, port: int, tally: Tally, turn: "Callable[[Player], None]") -> None:
        super().__init__(port)
        self.tally = tally
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

    def sit(self, shown: Shown) -> None:
        """Take over a whole table."""
        self.room = shown.room.id.encode()
        self.version = shown.version
        self.to_act = shown.room.to_act
        self.over = shown.room.phase == "game_over"
        self.offered = bool(shown.room.offers)
        if shown.you is not None:
            self.seat = shown.you
        if shown.room.position is not None:
            self.marks = 9 - shown.room.position.board.count(".")

    def hear(self, notice: Notice) -> None:
        """Follow the table, and answer if it is on us."""
        if isinstance(notice, Happened):
            self._follow(notice)
        elif isinstance(notice, Denied):
            self.tally.refusals.append(f"{notice.code} {notice.about}".strip())
        elif isinstance(notice, Shown):
            self.sit(notice)

    def _follow(self, notice: Happened) -> None:
        tally, seat = self.tally, self.seat
        self.version = notice.version
        self.to_act = notice.to_act
        if notice.seat is not None and tally.timing:
            tally.delays.append(time.perf_counter() - self.pair[notice.seat].sent_at)
        for event in notice.events:
            match event.e or event.do:
                case "marked" | "mark":
                    self.marks += 1
                    tally.moves += notice.seat == seat
                case "round_started":
                    self.marks = 0
                    tally.moves += notice.seat == seat
                case "game_started":
                    self.marks = 0
                    self.over = self.offered = False
                case "game_over":
                    self.over = True
                case "offer_made":
                    self.offered = True
        if self.wanted():
            self.turn(self)

    def wanted(self) -> bool:
        """Tell whether the table waits for this seat; the first seat begins what both could."""
        if self.over:
            return self.offered == (self.seat == 1)
        return self.seat in self.to_act and (len(self.to_act) == 1 or self.seat == 0)

    def act(self) -> None:
        """Do what the table waits for."""
        self.sent += 1
        if self.over:
            frame = REMATCH % (self.room, self.sent)
        elif len(self.to_act) == 1:
            frame = MARK % (self.room, DRAWN[self.marks % 9], self.sent, self.version)
        else:
            frame = NEXT % (self.room, self.sent, self.version)
        self.sent_at = time.perf_counter()
        self.send(frame)

    def lost(self) -> None:
        """Count a connection that the server closed."""
        self.tally.lost += 1
