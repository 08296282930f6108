"""One client connection: incoming and outgoing frames, rate limit, admission, lost transports.

Sockets are in `server/` and `socketio/`. Which room a connection is in, and what its
person may do there, is in `rooms/` and `people/`.
"""
