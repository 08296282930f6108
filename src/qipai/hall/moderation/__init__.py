"""Moderation: what operators and moderators may do about persons, addresses, tables and the server.

Belongs here: roles, sanctions, reports, appeals, the log of acts, and how a worker enforces them.
Does not belong here: HTTP (`server/operators/`), SQL (`stores/moderation/`), commands (`cli/operators/`).
"""
