"""Persons across connections: identity, presence, resume, quota, seat transfer, reports.

Belongs here: what holds for a person on all of their connections.
Does not belong here: one connection and its frames (hall/connections/), nicknames (clients/).
"""
