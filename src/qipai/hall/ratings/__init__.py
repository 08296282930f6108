"""Ratings: which matches count, how they change the ratings of the players, and how clients read them.

Belongs here: Glicko-2 and Plackett-Luce as pure functions, the replay of rated matches, the RatingStore
interface.
Does not belong here: databases (stores/ratings) and the categories of a game (games/<game>).
"""
