"""Views of chess positions in fog, for tests."""

import chess

from qipai.games.chess.events import MoveInFog
from qipai.games.chess.state import State
from qipai.games.chess.wire_types import Settings
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import Seat

from .chess_table import events_for, game_at, view

FOG = Settings(fog=True)
DARK = "?" * 64
NIGHT = "????????" * 4


def foggy(fen: str) -> State:
    """Return a position in the fog."""
    return game_at(fen, FOG)


def seen(state: State, viewer: Seat) -> dict[str, str]:
    """Return the squares a viewer sees, and what is on them."""
    board = view(state, viewer).board
    return {
        chess.square_name(square): sign
        for square, sign in zip(chess.SQUARES_180, board, strict=True)
        if sign != "?"
    }


def moves(state: State, viewer: Seat) -> tuple[str, ...]:
    """Return the list of moves as a viewer reads it."""
    return view(state, viewer).moves


def sighted(events: list[AddressedEvent], viewer: Seat) -> MoveInFog:
    """Return the only event of a move for a viewer."""
    (found,) = (one for one in events_for(events, viewer) if isinstance(one, MoveInFog))
    return found
