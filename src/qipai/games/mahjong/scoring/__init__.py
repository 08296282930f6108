"""Scoring of wins: tai, payments. No game state; decompositions of hands are in `hands`."""
