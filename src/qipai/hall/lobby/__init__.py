"""The list of public rooms and quick match.

The lobby of older clients, with nicknames and lobby chat, is in `clients/`.
Entering a given room is in `rooms/`.
"""
