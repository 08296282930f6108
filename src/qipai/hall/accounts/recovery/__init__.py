"""How people come back into an account when they have lost every way to sign in.

Belongs here: the links that operators issue.
Does not belong here: recovery codes, which `accounts.py` checks beside passwords.
"""
