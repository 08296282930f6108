"""Dialect of the older mahjong client (JSON over WebSocket, games started over REST).

Here: its frames and routes, its error texts, the queue of its requests, one game as a socket knows it.
Not here: the rules of mahjong (`games/mahjong`), rooms and seats (`hall/`).
"""

from .dialect import Mahjong, mahjong

__all__ = ["Mahjong", "mahjong"]
