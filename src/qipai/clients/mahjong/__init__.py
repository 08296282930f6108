"""Mahjong for clients that speak JSON over a plain WebSocket, and start games by REST."""

from .dialect import Mahjong, mahjong

__all__ = ["Mahjong", "mahjong"]
