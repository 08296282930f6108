"""Gomoku for clients that speak Socket.IO."""

from .dialect import Gomoku
from .server_state import Salon

__all__ = ["Gomoku", "Salon"]
