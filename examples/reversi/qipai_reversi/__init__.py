"""Reversi for Qipai: a game in a package of its own."""
