"""Gomoku bots: levels, search, evaluation."""
