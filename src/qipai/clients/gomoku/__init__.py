"""Gomoku for clients that speak Socket.IO."""

from .dialect import Gomoku
from .server_state import ServerState

__all__ = ["Gomoku", "ServerState"]
