"""Ratings in SQL, in the database of the archive."""
