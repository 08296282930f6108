"""Gomoku for clients that speak Socket.IO."""

from .dialect import Gomoku
from .salon import Salon

__all__ = ["Gomoku", "Salon"]
