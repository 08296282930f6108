"""Finished games: archiving, search, replays, notation.

Belongs here: the Archive interface, moving closed rooms to it, and reading finished matches.
Does not belong here: databases (stores/archives) and running rooms (hall/rooms).
"""
