"""Scoring of wins: tai, payments."""
