"""Qipai: live tables of board games and tiles."""

__version__ = "0.1.0"
