"""What is checked before a request is parsed or served: the address of a client, sizes, times, connections.

Nothing about games, rooms or dialects belongs here, and nothing that runs for every frame.
"""
