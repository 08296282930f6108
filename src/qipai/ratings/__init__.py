"""Ratings as pure functions: Glicko-2, Plackett-Luce, which matches count, and the replay of all of them.

Belongs here: how ratings follow from the results of matches, without clock, database or network.
Does not belong here: where they are stored (stores/ratings), and how clients read them (hall/ratings).
"""
