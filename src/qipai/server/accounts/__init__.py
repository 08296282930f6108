"""Accounts over HTTP: requests of the page, and the cookie of a session."""
