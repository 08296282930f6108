"""State of one room as one tic-tac-toe client is told it: sides, symbols, scores, sockets."""

from collections.abc import Mapping
from typing import Any

from qipai.games.tictactoe.rules import View, other
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from qipai.kernel.room_view import RoomView
from qipai.protocol.bot_mark import shown_name

Fields = dict[str, Any]


class RoomState:
    """The state after the last notice; `socket_ids` are those of the players, by seat."""

    __slots__ = (
        "draws",
        "left_seat",
        "match",
        "name",
        "names",
        "phase",
        "room",
        "round",
        "round_over",
        "sid",
        "socket_ids",
        "version",
        "wins",
        "x_seat",
        "you",
    )  # fmt: skip

    def __init__(
        self, view: RoomView, version: int, you: Seat, sid: str, socket_ids: Mapping[Seat, str]
    ) -> None:
        self.room = view.id
        self.name = f"room_{view.id[:8]}_{view.code}"
        self.you = you
        self.sid = sid
        self.socket_ids = socket_ids
        self.names = ["" if taken is None else shown_name(taken) for taken in view.seats]
        self.version = version
        self.phase = view.phase
        self.match = view.match
        self.left_seat = self.x_seat = Seat(0)
        self.round = self.draws = 0
        self.wins = (0, 0)
        self.round_over = False
        if view.position is not None:
            self.set_position(view.position)

    @property
    def playing(self) -> bool:
        """Tell whether a move can be made."""
        return self.phase is Phase.PLAYING and not self.round_over

    def set_position(self, position: View) -> None:
        """Replace the state of the match by a whole position."""
        self.left_seat, self.x_seat = position.left, position.x
        self.round, self.wins, self.draws = position.round, position.wins, position.draws
        self.round_over = position.resting

    def symbol(self, seat: Seat) -> str:
        """Return the symbol of a seat."""
        return "X" if seat == self.x_seat else "O"

    def side(self, seat: Seat) -> str:
        """Return the side on which a seat is drawn."""
        return "left" if seat == self.left_seat else "right"

    def scores(self) -> Fields:
        """Return the rounds won by each side, and those drawn."""
        return {
            "left": self.wins[self.left_seat],
            "right": self.wins[other(self.left_seat)],
            "draw": self.draws,
        }

    def players(self) -> Fields:
        """Return both players by side."""
        return {
            "left_player": self._player(self.left_seat),
            "right_player": self._player(other(self.left_seat)),
        }

    def _player(self, seat: Seat) -> Fields:
        # A player without Socket.IO has no socket id; clients need one that stays the same.
        placeholder = f"{self.room}-{seat}"
        sid = self.sid if seat == self.you else self.socket_ids.get(seat) or placeholder
        return {"sid": sid, "username": self.names[seat], "symbol": self.symbol(seat)}
