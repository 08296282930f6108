"""Tic-tac-toe: rules and bots."""
