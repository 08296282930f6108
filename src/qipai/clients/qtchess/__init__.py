"""Dialect of the older chess client (JSON over WebSocket).

Here: its frames, error texts, board coordinates, and the state of rooms and games that they need.
Not here: the rules of chess (`games/chess`), rooms and clocks (`hall/`, `kernel/`).
"""

from .dialect import QtChess, qtchess

__all__ = ["QtChess", "qtchess"]
