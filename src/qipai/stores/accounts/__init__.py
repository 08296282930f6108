"""Accounts in SQL: in SQLite by default, in PostgreSQL where several machines share them."""
