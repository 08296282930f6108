"""The games: one folder and one entry in the registry each.

A game knows the kernel and itself; it does not know other games, the hall, the stores or the clients.
"""
