"""Store shared by several workers: journals in Redis streams, messages by pub/sub.

Belongs here: the Store and Bus interfaces on Redis, their Lua scripts and connections.
Does not belong here: what workers do with a message; that is in hall/cluster.
"""
