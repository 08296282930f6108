"""Gomoku: rules, lines and SGF.

Bots are in `bots`; what only older clients need on the wire is in `clients`.
"""
