"""Writing room journals and rebuilding rooms from them; the Store interface.

Belongs here: the formats of records and snapshots, group commit, replay of records.
Does not belong here: stores themselves (stores/), and finished games (hall/history/).
"""
