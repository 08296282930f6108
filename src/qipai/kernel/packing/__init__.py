"""Packs values into few bytes, for the archive, and replaces the names in them."""
