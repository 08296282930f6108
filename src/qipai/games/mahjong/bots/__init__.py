"""Mahjong bots: levels, strategies, probabilities."""
