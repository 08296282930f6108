"""Everything live: connections, rooms, journal, people, relations, lobby, spectators, bots, history, cluster.

Belongs here: what happens between a frame and a stored record, and between that record and the notices.
Does not belong here: sockets (server/, socketio/), databases (stores/), older clients (clients/).
"""
