"""Qipai: live tables of board games and tiles."""

__version__ = "0.2.0"
