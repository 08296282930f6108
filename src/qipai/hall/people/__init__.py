"""Persons across connections: identity, presence, resume, quota, seat transfer, reports."""
