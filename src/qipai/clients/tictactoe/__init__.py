"""Dialect of the older tic-tac-toe client (Socket.IO).

Here: its events and texts, and the state of the room that they need.
Not here: sockets and packets (`socketio/`), the rules of tic-tac-toe (`games/tictactoe`), rooms (`hall/`).
"""

from .dialect import TicTacToe

__all__ = ["TicTacToe"]
