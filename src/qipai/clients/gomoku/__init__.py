"""Dialect of the older gomoku client (Socket.IO).

Here: its requests, events, error codes, texts, and the state that they need.
Not here: sockets and packets (`socketio/`), the rules of gomoku (`games/gomoku`), rooms (`hall/`).
"""

from .dialect import Gomoku
from .outgoing_messages import WHOLE_STATES
from .server_state import DEFAULT_RULES, ServerRules, ServerState

__all__ = ["DEFAULT_RULES", "WHOLE_STATES", "Gomoku", "ServerRules", "ServerState"]
