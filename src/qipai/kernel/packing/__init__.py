"""Packs values into few bytes, for the archive."""
