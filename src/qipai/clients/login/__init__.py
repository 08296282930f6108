"""The login form of the older clients: its HTML and its routes.

Guests of native clients need no login; their tokens are in `hall/people/identity`.
"""
