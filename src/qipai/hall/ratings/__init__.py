"""Ratings for clients: the RatingStore interface, and reading it off the event loop.

Belongs here: what is asked of stored ratings.
Does not belong here: how ratings are computed (ratings) and stored (stores/ratings).
"""
