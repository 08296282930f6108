"""A table as one client must be told about it: sides, symbols, scores and sockets."""

from collections.abc import Mapping
from typing import Any

from qipai.games.tictactoe.rules import View, other
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from qipai.kernel.room_view import RoomView

Words = dict[str, Any]


class RoomState:
    """Knows what the last notices said; `faces` are the handles of those who hold the seats."""

    __slots__ = (
        "draws", "faces", "left", "match", "name", "names", "phase", "resting", "room", "round", "sid",
        "version", "wins", "x", "you",
    )  # fmt: skip

    def __init__(self, view: RoomView, version: int, you: Seat, sid: str, faces: Mapping[Seat, str]) -> None:
        self.room = view.id
        self.name = f"room_{view.id[:8]}_{view.code}"
        self.you = you
        self.sid = sid
        self.faces = faces
        self.names = ["" if taken is None else taken.name for taken in view.seats]
        self.version = version
        self.phase = view.phase
        self.match = view.match
        self.left = self.x = Seat(0)
        self.round = self.draws = 0
        self.wins = (0, 0)
        self.resting = False
        if view.position is not None:
            self.place(view.position)

    @property
    def playing(self) -> bool:
        """Tell whether a mark can be made at all."""
        return self.phase is Phase.PLAYING and not self.resting

    def place(self, position: View) -> None:
        """Take a whole position over."""
        self.left, self.x = position.left, position.x
        self.round, self.wins, self.draws = position.round, position.wins, position.draws
        self.resting = position.resting

    def symbol(self, seat: Seat) -> str:
        """Return what this seat marks with."""
        return "X" if seat == self.x else "O"

    def side(self, seat: Seat) -> str:
        """Return where this seat is drawn."""
        return "left" if seat == self.left else "right"

    def scores(self) -> Words:
        """Return the rounds won by either side, and those drawn."""
        return {"left": self.wins[self.left], "right": self.wins[other(self.left)], "draw": self.draws}

    def players(self) -> Words:
        """Return both players by side."""
        return {"left_player": self._player(self.left), "right_player": self._player(other(self.left))}

    def _player(self, seat: Seat) -> Words:
        # Who is not connected by Socket.IO has no socket id; a made-up one that stays serves as well.
        made_up = f"{self.room}-{seat}"
        sid = self.sid if seat == self.you else self.faces.get(seat) or made_up
        return {"sid": sid, "username": self.names[seat], "symbol": self.symbol(seat)}
