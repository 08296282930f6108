"""What connections and the hall exchange: intents, notices, the Dialect interface and the native dialect.

Dialects of other clients are in `clients/`; sockets are in `server/` and `socketio/`.
Everything here is pure: no socket, clock or randomness.
"""
