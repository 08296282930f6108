"""Gomoku: rules, lines and notation."""
