"""Finished games: archiving, search, replays, notation."""
