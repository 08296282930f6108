"""Chess for clients that speak JSON over a plain WebSocket."""

from .dialect import QtChess, qtchess

__all__ = ["QtChess", "qtchess"]
