"""Moderation in SQL: tables beside those of accounts, in the same database."""
