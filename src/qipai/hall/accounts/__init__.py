"""Accounts: persons with a name of their own, who can sign in from any device.

Belongs here: registration, passwords, sessions, and what every worker knows of accounts.
Does not belong here: HTTP and cookies (`server/accounts/`), SQL (`stores/accounts/`).
"""
