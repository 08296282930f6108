"""SQL databases: one way to run statements in SQLite and in PostgreSQL."""
