"""Comparisons of finished games with an engine, off the move path.

Belongs here: which games, in which process, what is cached.
Does not belong here: what is compared (games).
"""
