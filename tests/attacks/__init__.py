"""Attacks on a real server; meanwhile others play, and must not notice."""
