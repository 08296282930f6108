"""Tic-tac-toe bots."""
