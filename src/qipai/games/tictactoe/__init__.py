"""Tic-tac-toe, best of five: rules.

Bots are in `bots`; what only older clients need on the wire is in `clients`.
"""
