"""Tic-tac-toe for clients that speak Socket.IO."""

from .dialect import TicTacToe

__all__ = ["TicTacToe"]
