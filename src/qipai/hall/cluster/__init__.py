"""Several workers on one store: replicas, remote presence, messages between workers.

Belongs here: the state of each replica, what a worker asks of and hears from others, the single-worker mode.
Does not belong here: Redis itself (stores/redis), and what only older clients exchange (clients/).
"""
