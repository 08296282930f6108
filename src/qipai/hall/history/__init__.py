"""Finished games: archiving, search, replays, notation.

Belongs here: the Archive interface and the archived match, moving closed rooms to it, and replays from it.
Does not belong here: databases (stores/archives) and running rooms (hall/rooms).
"""
