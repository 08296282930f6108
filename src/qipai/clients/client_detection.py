"""Tells tic-tac-toe and gomoku sockets apart by their first Socket.IO event."""

from typing import Protocol

from qipai.clients.gomoku.incoming_messages import parse_request
from qipai.clients.gomoku.room_entry import GAME
from qipai.clients.sanctions import gomoku_messages
from qipai.clients.tictactoe.dialect import GAME as FIRST
from qipai.protocol.dialect_interface import Dialect

from .gomoku import DEFAULT_RULES, Gomoku, ServerRules, ServerState
from .tictactoe import TicTacToe


class NamespaceDialects(Protocol):
    """Makes the dialect of each socket of a Socket.IO namespace."""

    def __call__(self, sid: str) -> Dialect:
        """Return the dialect of a new socket."""

    def game(self, dialect: Dialect) -> str:
        """Return the game of a socket."""

    def restore(self, sid: str, game: str, number: int = 0, *, apart: bool = False) -> Dialect:
        """Return the dialect of a socket that was on another worker."""


class ClientDetection:
    """Makes the dialect of a socket from its id; all made by one share their rooms."""

    def __init__(self, gomoku: ServerRules = DEFAULT_RULES) -> None:
        self._gomoku_rules = gomoku
        self._salon = ServerState(gomoku)

    def __call__(self, sid: str) -> Dialect:
        """Return the dialect of a new socket."""
        return TicTacToe(sid, self._elsewhere, gomoku_messages.frames)

    def _elsewhere(self, sid: str, frame: bytes) -> Dialect | None:
        return None if parse_request(frame) is None else Gomoku(sid, self._salon)

    def game(self, dialect: Dialect) -> str:
        """Return the game that a socket has turned to; every one begins with the first."""
        return GAME if isinstance(dialect, Gomoku) else FIRST

    def restore(self, sid: str, game: str, number: int = 0, *, apart: bool = False) -> Dialect:
        """Return the dialect of a socket that was at another server and had turned to this game.

        `number` must be larger than the number of requests it made there. One that is `apart` shares nothing.
        """
        if game != GAME:
            return TicTacToe(sid, self._elsewhere, gomoku_messages.frames)
        return Gomoku(sid, ServerState(self._gomoku_rules) if apart else self._salon, number)
