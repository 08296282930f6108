"""API tokens and bot accounts: programs that play under the name of an account.

Belongs here: making, checking and revoking tokens, their limits, and where bot accounts may sit.
Does not belong here: bots of the server (`hall/bots/`), HTTP (`server/accounts/`), SQL (`stores/accounts/`).
"""
