"""Engine.IO 4 and Socket.IO 5 server endpoint.

Here: packets, sessions, transports, namespaces, acknowledgements, connection state recovery.
Not here: anything about games, rooms or dialects (`clients/`, `hall/`).
"""
